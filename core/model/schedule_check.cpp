// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/model/schedule_checker.h"

namespace pw {

Result<Schedule> Schedule::make(PipelineSpec spec, const DeviceOrders& orders)
{
    PW_DO(check(spec));
    if (orders.size() != static_cast<std::size_t>(spec.devices)) {
        return fail(ErrorCode::BadSchedule, "orders are given for %1 of %2 devices", orders.size(),
                    spec.devices);
    }
    ScheduleChecker checker(std::move(spec), true);
    checker.run(orders);
    if (!checker.problems().none())
        return fail(ErrorCode::BadSchedule, placed(checker.problems().list.front()));
    return checker.take();
}

Problems Schedule::reorder(EntryId first, std::span<const EntryId> order)
{
    ScheduleChecker checker(std::move(*this));
    checker.rearrange(first, order);
    Problems found = std::move(checker.problems());
    if (found.none()) {
        *this = checker.take();
        return found;
    }
    std::vector<EntryId> back(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        back[static_cast<std::size_t>(order[i] - first)] = first + static_cast<std::int32_t>(i);
    ScheduleChecker undo(checker.takeAnyway());
    undo.rearrange(first, back);
    *this = undo.take();
    return found;
}

Result<Problems> problems(const Draft& draft)
{
    PW_DO(check(draft.spec));
    if (draft.orders.size() != static_cast<std::size_t>(draft.spec.devices)) {
        return fail(ErrorCode::BadValue, "orders are given for %1 of %2 devices",
                    draft.orders.size(), draft.spec.devices);
    }
    ScheduleChecker checker(draft.spec, false);
    checker.run(draft.orders);
    auto key = [](const Problem& problem) {
        return std::tuple(problem.code == ProblemCode::Missing, problem.device, problem.position);
    };
    std::stable_sort(checker.problems().list.begin(), checker.problems().list.end(),
                     [&](const Problem& a, const Problem& b) { return key(a) < key(b); });
    return std::move(checker.problems());
}

} // namespace pw
