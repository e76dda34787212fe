// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/carry_ranks.h"

#include "core/base/text.h"

#include <algorithm>
#include <functional>

namespace pw {

namespace {

/// The old stage of each device where every device has one, and every device as many new ones;
/// empty otherwise.
std::vector<int> stageOfDevice(const PipelineSpec& from, const PipelineSpec& to)
{
    constexpr int fewest = 3; // one between first and last
    if (from.devices < fewest || from.devices != to.devices || from.routeCount() != 1 ||
        to.routeCount() != 1 || from.stages() != from.devices || to.stages() <= to.devices ||
        to.stages() % to.devices != 0 || from.segments() != to.segments())
        return {};
    std::vector<int> old(static_cast<std::size_t>(from.devices), -1);
    std::vector<int> counts(old.size(), 0);
    for (const StageId stage : Ids<StageId>(from.stages()))
        old[static_cast<std::size_t>(from.device(0, stage))] = stage;
    for (const StageId stage : Ids<StageId>(to.stages()))
        ++counts[static_cast<std::size_t>(to.device(0, stage))];
    const bool each =
        std::find(old.begin(), old.end(), -1) == old.end() &&
        std::adjacent_find(counts.begin(), counts.end(), std::not_equal_to<>()) == counts.end();
    return each ? old : std::vector<int>();
}

/// The median of the stages between first and last, of one segment.
Ticks usualTime(const std::vector<Ticks>& table, const PipelineSpec& spec, int segment)
{
    std::vector<Ticks> times;
    for (StageId stage(1); stage + 1 < spec.stages(); ++stage)
        times.push_back(table[cellIndex(spec, stage, segment)]);
    std::sort(times.begin(), times.end());
    return times[(times.size() - 1) / 2];
}

} // namespace

void carryRanks(const Costs& costs, const PipelineSpec& from, const PipelineSpec& to,
                CarriedCosts& carried)
{
    const std::vector<int> oldStages = stageOfDevice(from, to);
    if (oldStages.empty())
        return;
    const int pieces = to.stages() / to.devices, last = from.stages() - 1;
    bool differs = false;
    std::string heads;
    const auto carry = [&](std::vector<Ticks> Costs::*member, const char* kind) {
        const std::vector<Ticks>& table = costs.*member;
        if (table.empty())
            return;
        differs = differs || std::adjacent_find(table.begin(), table.end(),
                                                std::not_equal_to<>()) != table.end();
        std::vector<Ticks>& out = carried.costs.*member;
        for (int segment = 0; segment < from.segments(); ++segment) {
            const Ticks usual = usualTime(table, from, segment);
            const Ticks head =
                std::max<Ticks>(0, table[cellIndex(from, StageId(last), segment)] - usual);
            std::vector<int> taken(oldStages.size(), 0);
            for (const StageId stage : Ids<StageId>(to.stages())) {
                const auto device = static_cast<std::size_t>(to.device(0, stage));
                const Ticks own = table[cellIndex(from, StageId(oldStages[device]), segment)] -
                                  (oldStages[device] == last ? head : 0);
                const Ticks piece = taken[device]++;
                out[cellIndex(to, stage, segment)] = own * (piece + 1) / pieces -
                                                     own * piece / pieces +
                                                     (stage + 1 == to.stages() ? head : 0);
            }
            if (head > 0 && kind != nullptr && segment == 0)
                heads += (heads.empty() ? "" : ", ") + timeText(head) + " of " + kind;
        }
    };
    carry(&Costs::forward, "F");
    carry(&Costs::backward, costs.fused.empty() ? "B" : nullptr);
    carry(&Costs::weight, costs.fused.empty() ? "W" : nullptr);
    carry(&Costs::fused, "BW");
    carry(&Costs::recompute, nullptr);
    if (!differs)
        return;
    carried.how = "each device keeps its speed and gets " + std::to_string(pieces) +
                  " equal parts of as many layers as it had";
    if (!heads.empty())
        carried.how += "; what the last stage takes beyond the median of the others (" + heads +
                       ") stays with the last stage";
}

} // namespace pw
