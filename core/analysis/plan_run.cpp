// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/plan_run.h"

#include "core/base/try.h"

#include <algorithm>
#include <map>

namespace pw {

namespace {

/// B and BW are one place of an order.
Pass placeOf(Pass pass)
{
    pass.kind = pass.kind == PassKind::BW ? PassKind::B : pass.kind;
    return pass;
}

std::vector<Pass> passesOf(const Schedule& schedule, DeviceId device)
{
    std::vector<Pass> passes;
    for (const EntryId i : schedule.entries(device)) {
        const OrderEntry entry = schedule.entry(i);
        passes.push_back(entry.pass);
        if (entry.paired)
            passes.push_back(entry.partner);
    }
    return passes;
}

/// Marks the places of a longest rising sequence.
std::vector<bool> rising(const std::vector<std::int32_t>& numbers)
{
    std::vector<std::size_t> tails; // by length, the place of the smallest last number
    std::vector<std::ptrdiff_t> before(numbers.size(), -1);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto at = std::lower_bound(
            tails.begin(), tails.end(), numbers[i],
            [&numbers](std::size_t place, std::int32_t number) { return numbers[place] < number; });
        if (at != tails.begin())
            before[i] = static_cast<std::ptrdiff_t>(*std::prev(at));
        if (at == tails.end())
            tails.push_back(i);
        else
            *at = i;
    }
    std::vector<bool> kept(numbers.size(), false);
    auto place = tails.empty() ? std::ptrdiff_t{-1} : static_cast<std::ptrdiff_t>(tails.back());
    for (; place >= 0; place = before[static_cast<std::size_t>(place)])
        kept[static_cast<std::size_t>(place)] = true;
    return kept;
}

void findMoved(const Schedule& plan, const Schedule& ran, std::vector<MovedEntry>& moved)
{
    for (const DeviceId device : Ids<DeviceId>(plan.devices())) {
        std::map<Pass, std::int32_t> placeInRun;
        const std::vector<Pass> after = passesOf(ran, device);
        for (const Pass& pass : after)
            placeInRun.emplace(placeOf(pass), static_cast<std::int32_t>(placeInRun.size()));
        std::vector<std::int32_t> numbers;
        std::vector<Pass> both;
        for (const Pass& pass : passesOf(plan, device))
            if (const auto found = placeInRun.find(placeOf(pass)); found != placeInRun.end()) {
                numbers.push_back(found->second);
                both.push_back(pass);
            }
        const std::vector<bool> kept = rising(numbers);
        for (std::size_t i = 0; i < both.size(); ++i)
            if (!kept[i])
                moved.push_back({both[i], device, static_cast<std::int32_t>(i), numbers[i]});
    }
}

/// Gives every idle stretch to the entry that ends it.
void findLost(const Schedule& schedule, const SimResult& times, const Account& account,
              std::vector<std::array<Ticks, lossCauseCount>>& lost)
{
    lost.assign(static_cast<std::size_t>(schedule.entryCount()), {});
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        EntryId next = schedule.begin(device);
        for (const LossStretch& stretch :
             account.ranks[static_cast<std::size_t>(device)].stretches) {
            while (next < schedule.end(device) &&
                   times.start[static_cast<std::size_t>(next)] < stretch.end)
                ++next;
            const bool runs = stretch.cause == LossCause::Computing ||
                              stretch.cause == LossCause::Recompute ||
                              stretch.cause == LossCause::Jitter;
            if (!runs && next < schedule.end(device))
                lost[static_cast<std::size_t>(next)][static_cast<std::size_t>(stretch.cause)] +=
                    stretch.end - stretch.start;
        }
    }
}

} // namespace

Result<PlanRun> comparePlan(const Schedule& plan, const Costs& costs,
                            const RecoveredPipeline& pipeline)
{
    const Schedule& ran = *pipeline.schedule;
    if (plan.devices() != ran.devices())
        return fail(ErrorCode::BadValue, "the plan has %1 devices, and the run has %2",
                    plan.devices(), ran.devices());
    PW_TRY(SimResult planned, simulate(plan, costs));
    PlanRun compared;
    std::vector<RecordedPass> passes = pipeline.iteration()->passes;
    passes.erase(std::remove_if(passes.begin(), passes.end(),
                                [](const RecordedPass& record) { return record.entry < 0; }),
                 passes.end());
    compared.match = matchPasses(recordsOf(plan, planned), passes);
    compared.planned = std::move(planned);
    findMoved(plan, ran, compared.moved);
    compared.account = account(pipeline);
    findLost(ran, pipeline.measured, compared.account, compared.lostBefore);
    return compared;
}

} // namespace pw
