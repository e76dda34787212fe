// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/io/file_problem.h"
#include "core/model/draft.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// The text notation of a schedule: one device a line, its passes in order.
//
//   # 1F1B, two devices
//   d0: F0 F1 BW0 BW1
//   d1: F0 BW0 F1 BW1
//
// A pass is its kind (F B W BW R U) and micro-batch (of a U: the update), then, each only where
// needed,
//   .1     the chunk: which of the device's stages, counted from 0 by route, then by stage
//   /2     the segment
//   @3     the weight version that the pass reads; written for asynchronous updates, checked
//          when read
//   [5]    in place of the chunk, a stage that the device does not hold (drafts only); [1/5] on
//          route 1
// `(F5.1+BW2)` is an overlapped pair. `#` starts a comment. `d0:` may be left out; lines then count
// up.
//
// Lines `word: …` before the devices say what the passes do not:
//   devices: 4              micro-batches: 8        steps: 2
//   placement: linear       or reversed, looped 2, v, zigzag 2, or the device of each stage:
//                           0 1 1 0; two routes with a comma: linear, reversed
//   routes: 0*4 1*4         route of each micro-batch of a step
//   segments: 4             equal ones; or segment-lengths: 5 4 3 3
//   updates: flush          or stashed, double-buffered, none: whether U passes stand in the order
//   messages: committed     or early, the default
// Without them: one device a line, as many micro-batches and segments as occur, and a linear
// placement. More chunks than one need a placement.

/// The longest text that is read.
constexpr std::int64_t maxScheduleTextBytes = 64LL << 20;

/// The most entries that a text may have.
constexpr std::int64_t maxFileEntries = 8'000'000;

/// Chunk numbers of a spec, both ways.
class ChunkTable
{
public:
    /// @pre check(spec)
    explicit ChunkTable(const PipelineSpec& spec);

    /// Number of a hosted stage in its device's list of chunks.
    int chunk(int route, StageId stage) const
    {
        return m_chunks[static_cast<std::size_t>(route)][static_cast<std::size_t>(stage)];
    }
    /// Whether a device holds the stage of a pass; any pass may be asked.
    bool hosts(DeviceId device, const Pass& pass) const;
    /// The stages of a device; the index is the chunk.
    const std::vector<HostedStage>& stages(DeviceId device) const
    {
        return m_stages[static_cast<std::size_t>(device)];
    }

private:
    std::vector<Placement> m_routes;
    std::vector<std::vector<HostedStage>> m_stages; // by device
    std::vector<std::vector<int>> m_chunks;         // by route and stage
};

/// A schedule or draft in the text notation, with the header lines that reading it needs and no
/// others.
///
/// @pre check(draft.spec), and one order a device
std::string writeScheduleText(const Draft& draft);
std::string writeScheduleText(const Schedule& schedule);

/// The orders alone, one string a device, without `d0:`.
///
/// @pre as `writeScheduleText`
std::vector<std::string> writeOrders(const Draft& draft);

/// A pass as `writeScheduleText` writes it, without a weight version.
std::string passText(const Pass& pass, DeviceId device, const ChunkTable& chunks);

/// The usual name of a placement on so many devices ("linear", "looped 2", "v" …), else the
/// device of each stage.
std::string placementText(const Placement& placement, int devices);

/// The reverse of `placementText`.
/// @error Syntax    not a name, not a list of devices
/// @error TooLarge  more stages than `maxPasses`
Result<Placement> parsePlacement(std::string_view text, int devices);

/// What a text holds. The draft is usable where there are no problems; its passes can still be
/// missing or in disorder, see `problems(Draft)`.
struct ScheduleText
{
    Draft draft;
    std::vector<std::vector<FilePlace>> places; ///< of every entry, by device and position
    FileProblems problems;
};

/// Reads the text notation. Never fails as a whole: every malformed piece is a problem with line
/// and column.
///
/// @param spec  if given, the shape; header lines that differ from it are problems
ScheduleText parseScheduleText(std::string_view text, const PipelineSpec* spec = nullptr);

/// Reads the text notation, or tells the first problem.
/// @error Syntax  the first problem, with its place and the number of others
Result<Draft> readScheduleText(std::string_view text, const PipelineSpec* spec = nullptr);

/// Reads the order of one device, a line without `d0:`.
///
/// @param start     place of the first byte, for the places of problems
/// @param places    if not null, gets the place of every entry
/// @pre check(spec)
std::vector<OrderEntry> parseOrder(std::string_view text, const PipelineSpec& spec,
                                   const ChunkTable& chunks, DeviceId device, FilePlace start,
                                   FileProblems& problems,
                                   std::vector<FilePlace>* places = nullptr);

} // namespace pw
