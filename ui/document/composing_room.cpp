// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/document/composing_room.h"

#include "ui/document/schedule_document.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace pw::ui {

namespace {

/// The longest that the forward and backward passes of all micro-batches take on one device, and
/// one micro-batch on the others.
Ticks wholeTime(const PipelineSpec& spec, const Costs& costs)
{
    std::vector<Ticks> work(static_cast<std::size_t>(spec.devices), 0);
    for (int route = 0; route < spec.routeCount(); ++route)
        for (const StageId stage : Ids<StageId>(spec.stages()))
            for (int segment = 0; segment < spec.segments(); ++segment) {
                const std::size_t cell = cellIndex(spec, stage, segment);
                const Ticks backward = costs.fused.empty()
                                           ? costs.backward[cell] + costs.weight[cell]
                                           : costs.fused[cell];
                work[static_cast<std::size_t>(spec.device(route, stage))] +=
                    (costs.forward[cell] + backward) / spec.routeCount();
            }
    const Ticks all = std::accumulate(work.begin(), work.end(), Ticks{0});
    const Ticks most = *std::max_element(work.begin(), work.end());
    return spec.totalMicroBatches() * most + (all - most);
}

} // namespace

Ticks composingRoom(const ScheduleDocument& document, Ticks before)
{
    const Project& project = document.project();
    if (project.family)
        return 0;
    const Ticks end = document.result().makespan;
    // A far longer axis than the order needs helps nobody.
    const Ticks kept = before <= end + end / 2 ? before : 0;
    if (document.schedule() != nullptr)
        return std::max(kept, before > 0 ? end : 0);
    const Ticks whole = wholeTime(project.draft.spec, document.costs());
    // Of equal stages that is the best time there is, which the end of an axis must not tell.
    const Ticks needed = std::max(whole + whole / 4, end + end / 6);
    // It grows in steps, not a little with every pass.
    if (before >= needed && before <= 2 * needed)
        return before;
    return before > 0 && needed > before ? std::max(needed, before + before / 4) : needed;
}

} // namespace pw::ui
