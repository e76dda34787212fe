// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/offload.h"

#include "core/base/text.h"
#include "core/model/schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace pw {

namespace {

/// Copies of a schedule add up below this, in nanoseconds.
constexpr double longestCopies = static_cast<double>(std::numeric_limits<Ticks>::max()) / 4;

std::string lastOf(const char* what, int count)
{
    return std::string(what) + (count == 1 ? " is 0" : "s are 0 to " + std::to_string(count - 1));
}

/// A cell that the spec does not have, in words; empty for one that it has.
std::string outside(const Pass& cell, const PipelineSpec& spec)
{
    if (cell.kind != PassKind::F)
        return "is named by a pass other than its F";
    if (cell.stage < 0 || cell.stage >= spec.stages())
        return "has stage " + std::to_string(cell.stage) + "; " + lastOf("stage", spec.stages());
    if (cell.microBatch < 0 || cell.microBatch >= spec.totalMicroBatches())
        return "has micro-batch " + std::to_string(cell.microBatch) + "; " +
               (spec.totalMicroBatches() == 1
                    ? "the only one is 0"
                    : "micro-batches are 0 to " + std::to_string(spec.totalMicroBatches() - 1));
    if (cell.segment < 0 || cell.segment >= spec.segments())
        return "has segment " + std::to_string(cell.segment) + "; " +
               lastOf("segment", spec.segments());
    if (cell.route != spec.route(cell.microBatch))
        return "is on route " + std::to_string(cell.route) + "; its micro-batch takes route " +
               std::to_string(spec.route(cell.microBatch));
    return {};
}

} // namespace

Result<void> check(const Offload& offload, std::span<const ActivationCost> activation,
                   const PipelineSpec& spec)
{
    const Link& link = offload.link;
    if (link.latency < 0 || link.bytesPerSecond < 0 || !std::isfinite(link.bytesPerSecond))
        return fail(ErrorCode::BadValue,
                    "offload: the link to the host has a negative latency or bandwidth");
    double copies = 0;
    for (std::size_t i = 0; i < offload.cells.size(); ++i) {
        const Pass& cell = offload.cells[i];
        if (const std::string why = outside(cell, spec); !why.empty())
            return fail(ErrorCode::BadValue, "offload: cell %1 %2", i, why);
        if (i > 0 && !(offload.cells[i - 1] < cell))
            return fail(ErrorCode::BadValue, "offload: cells are not sorted, or one is double: %1",
                        describe(cell, spec));
        const auto bytes =
            static_cast<double>(activation[cellIndex(spec, cell.stage, cell.segment)].activation);
        copies += 2 * (static_cast<double>(link.latency) +
                       (link.bytesPerSecond > 0 ? bytes / link.bytesPerSecond * 1e9 : 0));
    }
    if (copies > longestCopies)
        return fail(ErrorCode::TooLarge,
                    "offload: the copies to the host take %1 s in all, which is beyond 64 bits; "
                    "the link carries %2 bytes/s",
                    std::to_string(copies / 1e9), plainNumber(link.bytesPerSecond));
    return {};
}

std::vector<Pass> offloadedCells(std::vector<Pass> cells, const PipelineSpec& spec)
{
    std::erase_if(cells, [&spec](Pass& cell) {
        if (cell.microBatch < 0 || cell.microBatch >= spec.totalMicroBatches())
            return true;
        cell.kind = PassKind::F;
        cell.route = static_cast<std::uint8_t>(spec.route(cell.microBatch));
        return !outside(cell, spec).empty();
    });
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
}

Ticks hostCopyTime(const Offload& offload, Bytes bytes)
{
    Ticks time = offload.link.latency;
    if (offload.link.bytesPerSecond > 0)
        time += static_cast<Ticks>(
            std::llround(static_cast<double>(bytes) / offload.link.bytesPerSecond * 1e9));
    return time;
}

Result<void> refuseOffload(const Costs& costs, const PipelineSpec& spec, std::string_view what)
{
    const std::vector<Pass>& cells = costs.offload.cells;
    if (cells.empty())
        return {};
    Pass first = cells.front();
    std::string which = std::to_string(cells.size()) + " activations, the first of " +
                        "micro-batch " + std::to_string(first.microBatch) + " on stage " +
                        std::to_string(first.stage) + ", are";
    if (cells.size() == 1)
        which = "that of micro-batch " + std::to_string(first.microBatch) + " on stage " +
                std::to_string(first.stage) + " is";
    if (cells.size() == static_cast<std::size_t>(spec.stages()) *
                            static_cast<std::size_t>(spec.totalMicroBatches()) *
                            static_cast<std::size_t>(spec.segments()))
        which = "all activations are";
    return fail(ErrorCode::BadSchedule,
                "%1, and %2 marked to go to the host's memory; keep %3 on the device first", what,
                which, cells.size() == 1 ? said("it") : said("them"));
}

} // namespace pw
