// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/placing.h"

#include "core/base/try.h"

#include <algorithm>

namespace pw {

Edit ownOrders(const Project& project, const Draft& draft)
{
    if (!project.family)
        return {};
    return {{SetSchedule{std::nullopt, draft}}};
}

Result<Proposal> proposed(const Project& project, Edit edit, std::vector<EntryId> added)
{
    Project after = project;
    PW_DO(apply(after, edit));
    PW_TRY(auto draft, draftOf(after));
    PW_TRY(auto times, draftTimes(draft, costsOf(after)));
    return Proposal{std::move(edit), std::move(draft), std::move(times), std::move(added)};
}

Result<Proposal> inserted(const Project& project, const Draft& draft,
                          std::vector<std::vector<PlacedEntry>> placed)
{
    Draft before = draft;
    before.spec = project.draft.spec;
    Edit edit = ownOrders(project, before);
    if (draft.spec != project.draft.spec)
        edit.changes.emplace_back(SetSpec{draft.spec});
    std::vector<EntryId> added;
    EntryId begin{0};
    for (std::size_t device = 0; device < placed.size(); ++device) {
        for (const PlacedEntry& entry : placed[device])
            added.push_back(begin + entry.position);
        const std::size_t there = device < draft.orders.size() ? draft.orders[device].size() : 0;
        begin += static_cast<std::int32_t>(there + placed[device].size());
        if (!placed[device].empty())
            edit.changes.emplace_back(InsertEntries{DeviceId(device), std::move(placed[device])});
    }
    return proposed(project, std::move(edit), std::move(added));
}

Result<Proposal> merged(const Project& project, const Draft& draft, const DraftTimes& times,
                        std::vector<Addition> additions)
{
    std::stable_sort(additions.begin(), additions.end(), [](const Addition& a, const Addition& b) {
        return a.device != b.device ? a.device < b.device : a.start < b.start;
    });
    std::vector<std::vector<PlacedEntry>> placed(static_cast<std::size_t>(draft.spec.devices));
    auto next = additions.begin();
    for (std::size_t device = 0; device < placed.size(); ++device) {
        std::size_t before = 0;
        const std::size_t there = device < draft.orders.size() ? draft.orders[device].size() : 0;
        for (; next != additions.end() && next->device == static_cast<int>(device); ++next) {
            while (before < there && times.times.start[static_cast<std::size_t>(
                                         times.entry(DeviceId(device), before))] <= next->start)
                ++before;
            const auto position = static_cast<std::int32_t>(before + placed[device].size());
            placed[device].push_back({position, next->entry});
        }
    }
    return inserted(project, draft, std::move(placed));
}

Result<void> grow(PipelineSpec& spec, int microBatches)
{
    if (spec.steps > 1) {
        return fail(ErrorCode::BadValue, "micro-batches cannot grow over %1 steps", spec.steps);
    }
    const std::vector<std::uint8_t> pattern = spec.routeOfMicroBatch;
    for (int j = spec.microBatches; !pattern.empty() && j < microBatches; ++j)
        spec.routeOfMicroBatch.push_back(pattern[static_cast<std::size_t>(j) % pattern.size()]);
    spec.microBatches = microBatches;
    return check(spec);
}

} // namespace pw
