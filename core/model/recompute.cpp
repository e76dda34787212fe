// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/recompute.h"

#include "core/base/try.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace pw {

namespace {

/// Whether each stage has an R somewhere.
std::vector<bool> recomputedStages(const Schedule& schedule)
{
    std::vector<bool> found(static_cast<std::size_t>(schedule.spec().stages()));
    for (EntryId i(0); schedule.anyRecompute() && i < schedule.entryCount(); ++i) {
        const Pass pass = schedule.entry(i).pass;
        if (pass.kind == PassKind::R)
            found[static_cast<std::size_t>(pass.stage)] = true;
    }
    return found;
}

Result<std::vector<bool>> stagesToRecompute(const Schedule& schedule,
                                            std::span<const StageId> stages)
{
    const int count = schedule.spec().stages();
    std::vector<bool> wanted(static_cast<std::size_t>(count), stages.empty());
    for (const StageId stage : stages) {
        if (stage < 0 || stage >= count)
            return fail(ErrorCode::BadValue, "recompute: there is no stage %1; stages are 0 to %2",
                        stage, count - 1);
        wanted[static_cast<std::size_t>(stage)] = true;
    }
    const std::vector<bool> already = recomputedStages(schedule);
    bool any = false;
    for (std::size_t stage = 0; stage < wanted.size(); ++stage) {
        if (wanted[stage] && already[stage] && !stages.empty())
            return fail(ErrorCode::BadSchedule, "stage %1 is recomputed already", stage);
        wanted[stage] = wanted[stage] && !already[stage];
        any = any || wanted[stage];
    }
    if (!any)
        return fail(ErrorCode::BadSchedule, "the schedule recomputes already");
    return wanted;
}

} // namespace

Result<Schedule> withRecompute(const Schedule& schedule, std::span<const StageId> stages)
{
    PW_TRY(const std::vector<bool> wanted, stagesToRecompute(schedule, stages));
    DeviceOrders orders = schedule.orders();
    for (std::vector<OrderEntry>& order : orders) {
        std::vector<OrderEntry> out;
        out.reserve(2 * order.size());
        const auto recompute = [&](Pass pass) {
            if (!isBackward(pass.kind) || !wanted[static_cast<std::size_t>(pass.stage)])
                return;
            pass.kind = PassKind::R;
            out.push_back(single(pass));
        };
        for (const OrderEntry& entry : order) {
            recompute(entry.pass);
            if (entry.paired)
                recompute(entry.partner);
            out.push_back(entry);
        }
        order = std::move(out);
    }
    return Schedule::make(schedule.spec(), orders);
}

Result<Schedule> withoutRecompute(const Schedule& schedule)
{
    if (!schedule.anyRecompute())
        return fail(ErrorCode::BadSchedule, "the schedule does not recompute");
    DeviceOrders orders = schedule.orders();
    for (std::vector<OrderEntry>& order : orders)
        order.erase(std::remove_if(order.begin(), order.end(),
                                   [](const OrderEntry& entry) {
                                       return !entry.paired && entry.pass.kind == PassKind::R;
                                   }),
                    order.end());
    return Schedule::make(schedule.spec(), orders);
}

} // namespace pw
