// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/lowering.h"

#include "core/base/try.h"
#include "core/communication/exchanges.h"
#include "core/communication/receives.h"
#include "core/communication/window.h"
#include "core/sim/dependencies.h"
#include "core/sim/ring.h"

#include <algorithm>

namespace pw::communication {

namespace {

/// Walks the ranks round and round, one action a turn, and writes sends behind what makes them and
/// receives where their ranks have come to.
class RoundWalk
{
public:
    RoundWalk(const Schedule& schedule, std::vector<std::vector<Action>> actions)
        : m_schedule(schedule)
        , m_dependencies(schedule)
        , m_actions(std::move(actions))
        , m_at(m_actions.size(), 0)
        , m_next(m_actions.size())
    {
        m_listing.ranks.resize(m_actions.size());
        for (const DeviceId device : Ids<DeviceId>(m_actions.size()))
            m_next[device.index()] = schedule.begin(device);
    }

    Result<Listing> run()
    {
        std::vector<DeviceId> working;
        for (const DeviceId device : Ids<DeviceId>(m_actions.size())) {
            if (!m_actions[device.index()].empty())
                working.push_back(device);
        }
        while (!working.empty()) {
            bool moved = false;
            for (const DeviceId device : working)
                moved |= turn(device);
            if (!moved)
                return fail(deadlockError(m_schedule, m_next));
            working.erase(std::remove_if(working.begin(), working.end(),
                                         [this](DeviceId device) {
                                             return m_at[device.index()] ==
                                                    m_actions[device.index()].size();
                                         }),
                          working.end());
        }
        return std::move(m_listing);
    }

    /// Entries of all ranks, in the order in which they were come to.
    const std::vector<EntryId>& walked() const { return m_walked; }

private:
    bool turn(DeviceId device)
    {
        std::size_t& at = m_at[device.index()];
        const Action action = m_actions[device.index()][at];
        if (action.kind != ActionKind::Compute) {
            rowOf(device).push_back(action);
            ++at;
            return true;
        }
        const Schedule::Places& entry = m_schedule.places()[static_cast<std::size_t>(action.index)];
        if (!ready(entry))
            return false;
        rowOf(device).push_back(action);
        ++at;
        ++m_next[device.index()];
        m_walked.push_back(EntryId(action.index));
        for (const PassId id : {entry.first, entry.second}) {
            if (id.valid())
                send(id);
        }
        return true;
    }

    bool ready(const Schedule::Places& entry)
    {
        for (const PassId id : {entry.first, entry.second}) {
            if (!id.valid())
                continue;
            m_needs.clear();
            m_dependencies.append(id, m_needs);
            for (const Dependency& need : m_needs) {
                // The halves of a pair run as one, so that neither waits for the other.
                const EntryId producer = m_schedule.entryOf(need.producer);
                if (producer >= m_next[m_schedule.device(need.producer).index()])
                    return false;
            }
        }
        return true;
    }

    void send(PassId id)
    {
        const DeviceId from = m_schedule.device(id);
        m_receivers.clear();
        m_dependencies.appendReceivers(id, m_receivers);
        for (const PassId receiver : m_receivers) {
            const DeviceId to = m_schedule.device(receiver);
            const auto number = static_cast<std::int32_t>(m_listing.messages.size());
            m_listing.messages.push_back(
                {m_schedule.pass(id), m_schedule.pass(receiver), rankOf(from), rankOf(to)});
            rowOf(from).push_back({ActionKind::Send, number});
            rowOf(to).push_back({ActionKind::Receive, number});
        }
    }

    std::vector<Action>& rowOf(DeviceId device) { return m_listing.ranks[rankOf(device).index()]; }

    const Schedule& m_schedule;
    Dependencies m_dependencies;
    std::vector<std::vector<Action>> m_actions; // by device
    std::vector<std::size_t> m_at;
    std::vector<EntryId> m_next; // by device: entry to come
    std::vector<EntryId> m_walked;
    std::vector<Dependency> m_needs;
    std::vector<PassId> m_receivers;
    Listing m_listing;
};

Result<void> checkLowering(const Lowering& lowering)
{
    if (lowering.activeStages < 1)
        return fail(ErrorCode::BadValue, "a rank keeps at least 1 stage gathered, not %1",
                    lowering.activeStages);
    if (lowering.early < 0)
        return fail(ErrorCode::BadValue,
                    "a receive is posted at least 0 passes before its use, not %1", lowering.early);
    return {};
}

} // namespace

Result<Listing> listingOf(const Schedule& schedule, const Lowering& lowering)
{
    PW_DO(checkLowering(lowering));
    std::vector<std::vector<Action>> actions(static_cast<std::size_t>(schedule.devices()));
    for (const DeviceId device : Ids<DeviceId>(schedule.devices()))
        actions[device.index()] = withReductions(schedule, withGathers(schedule, device, lowering));
    // Gathers and reductions take turns of the walk, whether anything is sharded or not.
    RoundWalk walk(schedule, std::move(actions));
    Result<Listing> listing = walk.run();
    if (!listing)
        return listing;
    if (!lowering.sharded) {
        for (auto& row : listing->ranks) {
            row.erase(std::remove_if(row.begin(), row.end(),
                                     [](const Action& action) {
                                         return action.kind != ActionKind::Compute &&
                                                !isMessageAction(action.kind);
                                     }),
                      row.end());
        }
    }
    placeReceives(*listing, schedule, lowering);
    PW_DO(limitReceives(*listing, schedule, lowering.receiveBuffers));
    addWaits(*listing, schedule, lowering);
    addExchanges(*listing, schedule, walk.walked(), lowering.exchanges);
    return listing;
}

} // namespace pw::communication
