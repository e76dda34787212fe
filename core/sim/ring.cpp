// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/ring.h"

#include "core/sim/dependencies.h"

#include <algorithm>
#include <optional>

namespace pw {

namespace {

/// The pass that keeps a device from its next entry: the first input that its own device has not
/// come to.
std::optional<RingLink> blockedBy(const Schedule& schedule, const std::vector<EntryId>& reached,
                                  DeviceId device)
{
    const EntryId entry = reached[device.index()];
    if (entry >= schedule.end(device))
        return std::nullopt;
    auto undone = [&](PassId id) {
        const DeviceId where = schedule.device(id);
        return schedule.entryOf(id) >= reached[where.index()];
    };
    const Schedule::Places& here = schedule.places()[static_cast<std::size_t>(entry)];
    std::vector<Dependency> needs;
    for (const PassId id : {here.first, here.second}) {
        if (!id.valid())
            continue;
        needs.clear();
        Dependencies(schedule).append(id, needs);
        for (const Dependency& need : needs) {
            if (undone(need.producer))
                return RingLink{device, schedule.pass(id), schedule.pass(need.producer)};
        }
    }
    // Committed messages: the device waits until the receiver of its last result has come to the
    // receive.
    if (entry > schedule.begin(device)) {
        const Schedule::Places& before = schedule.places()[static_cast<std::size_t>(entry - 1)];
        std::vector<PassId> consumers;
        for (const PassId id : {before.first, before.second}) {
            if (!id.valid())
                continue;
            consumers.clear();
            Dependencies(schedule).appendConsumers(id, consumers);
            for (const PassId consumer : consumers) {
                const DeviceId to = schedule.device(consumer);
                const EntryId receive = schedule.entryOf(consumer);
                if (to == device || schedule.kind(consumer) == PassKind::U ||
                    receive == schedule.begin(to))
                    continue;
                const PassId last = schedule.places()[static_cast<std::size_t>(receive - 1)].first;
                if (undone(last))
                    return RingLink{device, schedule.pass(here.first), schedule.pass(last)};
            }
        }
    }
    return std::nullopt;
}

} // namespace

std::vector<RingLink> waitingRing(const Schedule& schedule, const std::vector<EntryId>& reached)
{
    // Everyone who is blocked waits for exactly one device, so following the waits ends in a ring.
    std::vector<int> seen(static_cast<std::size_t>(schedule.devices()), -1);
    for (const DeviceId first : Ids<DeviceId>(schedule.devices())) {
        std::vector<RingLink> walk;
        DeviceId device = first;
        while (seen[static_cast<std::size_t>(device)] < 0) {
            const auto link = blockedBy(schedule, reached, device);
            if (!link)
                break;
            seen[static_cast<std::size_t>(device)] = static_cast<int>(walk.size());
            walk.push_back(*link);
            device = schedule.spec().device(link->needed.route, link->needed.stage);
        }
        const auto back = std::find_if(walk.begin(), walk.end(),
                                       [&](const RingLink& link) { return link.device == device; });
        if (back != walk.end())
            return {back, walk.end()};
    }
    return {};
}

Sentence ringText(std::size_t links, const std::function<Sentence(std::size_t)>& link)
{
    Sentence all;
    constexpr std::size_t most = 12;
    for (std::size_t i = 0; i < links; ++i) {
        if (links > most && i == most / 2) {
            all = said("%1; … %2 more …", all, links - most);
            i = links - most / 2;
        }
        all = i == 0 ? link(i) : said("%1; %2", all, link(i));
    }
    return said("deadlock: %1", all);
}

Sentence ringText(const std::vector<RingLink>& ring, const PipelineSpec& spec)
{
    if (ring.empty())
        return {};
    return ringText(ring.size(), [&](std::size_t i) {
        return said("device %1 waits in %2 for %3", ring[i].device, describe(ring[i].waiting, spec),
                    describe(ring[i].needed, spec));
    });
}

Error deadlockError(const std::vector<RingLink>& ring, const PipelineSpec& spec)
{
    return {ErrorCode::Deadlock, ringText(ring, spec)};
}

Error deadlockError(const Schedule& schedule, const std::vector<EntryId>& reached)
{
    return deadlockError(waitingRing(schedule, reached), schedule.spec());
}

} // namespace pw
