// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/measured_copies.h"

#include "core/sim/host_copies.h"

#include <map>

namespace pw {

std::vector<HostCopy> measuredCopies(const Schedule& schedule, const Costs& costs,
                                     std::span<const RecordedCopy> copies, Ticks base)
{
    HostPlan plan;
    if (copies.empty() || !plan.make(schedule, costs))
        return {};
    struct Ways
    {
        const RecordedCopy* there = nullptr;
        const RecordedCopy* back = nullptr;
    };
    std::map<Pass, Ways> recorded;
    for (const RecordedCopy& copy : copies) {
        Ways& ways = recorded[copy.cell];
        (copy.back ? ways.back : ways.there) = &copy;
    }
    std::vector<HostCopy> measured;
    for (const HostCell& cell : plan.cells()) {
        const auto found = recorded.find(cell.cell);
        if (found == recorded.end() || found->second.there == nullptr ||
            found->second.back == nullptr)
            continue;
        const RecordedCopy& there = *found->second.there;
        const RecordedCopy& back = *found->second.back;
        HostCopy& copy = measured.emplace_back();
        copy.cell = cell.cell;
        copy.device = cell.device;
        copy.forward = cell.forward;
        copy.needed = cell.needed;
        copy.bytes = there.bytes;
        copy.share = cell.share;
        copy.outStart = there.start - base;
        copy.outEnd = there.end - base;
        copy.backStart = back.start - base;
        copy.backEnd = back.end - base;
    }
    return measured;
}

} // namespace pw
