// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/io/file_problem.h"
#include "core/model/draft.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// Schedule files of PyTorch's pipelining runtime: one line a rank, one field a pass, no header.
//
//   0F0,0F1,0B0,0B1          a field is stage, type and micro-batch;
//   1F0,1B0,1F1,1B1          a blank one is an idle slot
//
// Its B is our BW (both), its I our B (input only). `(0F3;3B1)OVERLAP_F_B` is an overlapped pair. A
// communicating file also holds SEND_F RECV_F SEND_B RECV_B, and UNSHARD RESHARD REDUCE_GRAD
// without a micro-batch. An older dialect wrote B for the input only, W for the weights and BW for
// both.

/// The longest file and the most fields that are read.
constexpr std::int64_t maxTorchCsvBytes = 64LL << 20;
constexpr std::int64_t maxTorchFields = 8'000'000;

enum class TorchKind : std::uint8_t
{
    F,
    I,
    B,
    W,
    Unshard,
    Reshard,
    ReduceGrad,
    SendF,
    RecvF,
    SendB,
    RecvB
};

/// The type as PyTorch writes it.
std::string_view name(TorchKind kind);

struct TorchAction
{
    TorchKind kind = TorchKind::F;
    StageId stage{0};
    std::int32_t microBatch = -1; ///< −1 for types that have none

    friend bool operator==(const TorchAction&, const TorchAction&) = default;
};

/// A field of the file.
struct TorchField
{
    enum class Shape : std::uint8_t
    {
        Blank,
        Single,
        Pair
    };

    Shape shape = Shape::Blank;
    TorchAction first{};
    TorchAction second{}; ///< of a pair

    friend bool operator==(const TorchField&, const TorchField&) = default;
};

/// The fields of a file as they stand there, always in the current dialect.
using TorchTable = std::vector<std::vector<TorchField>>;

enum class TorchDialect : std::uint8_t
{
    Current,
    Older ///< B: input part, W: weights, BW: both
};

/// What a file holds.
struct TorchCsv
{
    TorchTable table;
    Draft draft;                                ///< usable where there are no problems
    std::vector<std::vector<FilePlace>> places; ///< row and field of every entry of the draft
    bool communicates = false;                  ///< has sends or receives
    bool olderDialect = false;                  ///< looks like it, or was read as it
    FileProblems problems;
    FileProblems notes; ///< what the draft leaves out, and what writing the table will change
};

/// Reads a PyTorch schedule file. Never fails as a whole: every malformed field is a problem with
/// row, column (both from 1) and a repair. The draft can still miss passes, see `problems(Draft)`.
///
/// Stages lie where their passes stand. Sends and receives of a communicating file are checked:
/// each has its other end, stands behind its producer or before its consumer, and ranks cannot wait
/// in a ring.
///
/// @param dialect  none: a file that looks like the older dialect is refused, with an offer to read
/// it as that
TorchCsv parseTorchCsv(std::string_view text, std::optional<TorchDialect> dialect = std::nullopt);

/// Reads a PyTorch schedule file, or tells the first problem.
/// @error Syntax  the first problem with its place, and the number of others
Result<Draft> readTorchCsv(std::string_view text,
                           std::optional<TorchDialect> dialect = std::nullopt);

/// What a written file holds beside the passes.
enum class TorchForm : std::uint8_t
{
    ComputeOnly,  ///< nothing; the runtime adds the rest itself
    Communicating ///< sends and receives, in the runtime's own order
};

/// A schedule as fields, without idle slots.
///
/// @error BadValue  the format has no segments, no recompute, no updates or steps, and one rank a
/// stage
/// @error Deadlock  the ring; communicating form only
Result<TorchTable> torchTable(const Schedule& schedule, TorchForm form);

/// The bytes of a file: CR LF after every row, as the runtime writes.
std::string writeTorchTable(const TorchTable& table);

/// `torchTable` and `writeTorchTable` in one.
Result<std::string> writeTorchCsv(const Schedule& schedule, TorchForm form);

} // namespace pw
