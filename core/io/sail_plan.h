// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/io/file_problem.h"
#include "core/model/costs.h"
#include "core/model/draft.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// Plans of the zero-bubble runtime of sail-sg, PipeOffload's among them, in the forms that people
// have at hand:
//
//   [[{"type": "F", "stage": 0, "microbatch": 0, "chunk": 0, …}, …], …]   nodes, a list a rank
//   ScheduledNode(type=F, stage=0, microbatch=0, chunk=0, …)              nodes printed in a log
//   f0 sf0 f1 F0 B0 b0 w0                                                 the printed table
//
// A node is a pass (F, B, W, BW, R), or something that the runtime does between passes: sends and
// receives, the check of the optimizer, transfers to the host. Passes make the order; the rest is
// checked and told of, but not part of it. `stage` is the rank, `layer_group_idx` our stage. The
// printed table has a line a rank, lower case for chunk 0 and upper case for all others.

/// The longest file and the most nodes that are read.
constexpr std::int64_t maxSailBytes = 64LL << 20;
constexpr std::int64_t maxSailNodes = 4'000'000;

/// An activation that leaves its device after its F and comes back for its backward.
struct SailOffload
{
    std::int32_t rank = 0;
    Pass forward;
    /// From the end of its way out to the start of its way back; none: the plan has no times.
    std::optional<Ticks> away;
    std::optional<Ticks> copy;      ///< that its way out takes
    std::int32_t passesBetween = 0; ///< passes of the rank that run while it is away

    friend bool operator==(const SailOffload&, const SailOffload&) = default;
};

/// What a plan holds.
struct SailPlan
{
    Draft draft;                                ///< usable where there are no problems
    std::vector<std::vector<FilePlace>> places; ///< of every entry of the draft
    std::optional<Costs> costs;                 ///< where all passes have times
    std::vector<SailOffload> offloads;
    FileProblems problems;
    FileProblems notes;          ///< what the draft leaves out, and what was assumed
    std::string_view lineName;   ///< what the numbers of a place count: "list" and "node",
    std::string_view columnName; ///< "line" and "column", "line" and "word"
};

/// Whether a text, or its beginning, is a plan: by its nodes, or by words in lower case.
/// @complexity  O(length), reads at most the first 64 KiB
bool looksLikeSailPlan(std::string_view head);

/// Reads a plan in any of the forms. Never fails as a whole: every node that cannot be read is a
/// problem with its place, the field and the limit.
///
/// Stages are the nodes' `layer_group_idx`; where they say none, the placement is the one, of a
/// loop and a V, with which ranks send to each other what the nodes say, or else in which the order
/// ends first; a note says which of these it was. Times are taken as microseconds.
SailPlan parseSailPlan(std::string_view text);

/// What a plan that is written holds beside the passes.
enum class SailForm : std::uint8_t
{
    ComputeOnly,
    Communicating ///< sends and receives where the ranks have come to them
};

/// A schedule as nodes in JSON, a list a rank, with the times that it has under the costs.
///
/// @error BadValue  two routes, several steps, updates or overlapped pairs: nodes have none
/// @error Deadlock  as of `simulate`
Result<std::string> writeSailPlan(const Schedule& schedule, const Costs& costs,
                                  SailForm form = SailForm::ComputeOnly);

} // namespace pw
