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

namespace {

/// Entries that a device has; none where the draft does not have the device yet.
std::size_t entriesOf(const Draft& draft, DeviceId device)
{
    return device.index() < draft.orders.size() ? draft.orders[device.index()].size() : 0;
}

} // namespace

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
    for (const DeviceId device : Ids<DeviceId>(placed.size())) {
        std::vector<PlacedEntry>& own = placed[device.index()];
        for (const PlacedEntry& entry : own)
            added.push_back(begin + entry.position);
        begin += static_cast<std::int32_t>(entriesOf(draft, device) + own.size());
        if (!own.empty())
            edit.changes.emplace_back(InsertEntries{device, std::move(own)});
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
    for (const DeviceId device : Ids<DeviceId>(placed.size())) {
        std::vector<PlacedEntry>& own = placed[device.index()];
        std::size_t before = 0;
        const std::size_t there = entriesOf(draft, device);
        for (; next != additions.end() && next->device == device; ++next) {
            while (before < there &&
                   times.times.start[times.entry(device, before).index()] <= next->start)
                ++before;
            own.push_back({static_cast<std::int32_t>(before + own.size()), next->entry});
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
