// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/receives.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>

namespace pw::communication {

MessagesOfEntries::MessagesOfEntries(const Listing& listing, const Schedule& schedule)
    : m_first(static_cast<std::size_t>(schedule.entryCount()), -1)
    , m_nextOf(listing.messages.size(), -1)
{
    const auto put = [&](bool partners) {
        for (std::size_t i = listing.messages.size(); i-- > 0;) {
            const PassId id = schedule.table().id(listing.messages[i].consumer);
            const auto entry = static_cast<std::size_t>(schedule.entryOf(id));
            if ((schedule.places()[entry].second == id) != partners)
                continue;
            m_nextOf[i] = m_first[entry];
            m_first[entry] = static_cast<std::int32_t>(i);
        }
    };
    // Each goes to the front, so what is to come first is put last.
    put(true);
    put(false);
}

namespace {

/// Receives directly before the use, or some passes earlier.
void receiveBefore(Listing& listing, const Schedule& schedule, int early)
{
    const MessagesOfEntries needs(listing, schedule);
    for (const RankId rank : Ids<RankId>(listing.ranks.size())) {
        const DeviceId device = deviceOf(rank);
        const EntryId first = schedule.begin(device);
        std::vector<std::vector<std::int32_t>> before(
            static_cast<std::size_t>(schedule.end(device) - first));
        for (const EntryId entry : schedule.entries(device)) {
            const EntryId place = std::max(first, entry - std::min(early, entry - first));
            needs.each(entry, [&](std::int32_t message) {
                before[static_cast<std::size_t>(place - first)].push_back(message);
            });
        }
        std::vector<Action> row;
        row.reserve(listing.of(rank).size());
        for (const Action& action : listing.of(rank)) {
            if (action.kind == ActionKind::Receive)
                continue;
            if (action.kind == ActionKind::Compute) {
                for (const std::int32_t message :
                     before[static_cast<std::size_t>(action.index - first)])
                    row.push_back({ActionKind::Receive, message});
            }
            row.push_back(action);
        }
        listing.ranks[rank.index()] = std::move(row);
    }
}

/// Receives at their use, but before a send to the same rank where that one's number is higher.
void receiveDeferred(Listing& listing, const Schedule& schedule)
{
    const MessagesOfEntries needs(listing, schedule);
    for (const RankId rank : Ids<RankId>(listing.ranks.size())) {
        std::vector<Action> row;
        row.reserve(listing.of(rank).size());
        std::vector<std::int32_t> deferred; // in their old order
        const auto post = [&](std::int32_t message) {
            const auto found = std::find(deferred.begin(), deferred.end(), message);
            if (found == deferred.end())
                return;
            deferred.erase(found);
            row.push_back({ActionKind::Receive, message});
        };
        for (const Action& action : listing.of(rank)) {
            if (action.kind == ActionKind::Receive) {
                deferred.push_back(action.index);
                continue;
            }
            if (action.kind == ActionKind::Send) {
                const RankId peer = listing.message(action).to;
                if (rank < peer) {
                    for (const std::int32_t message : std::vector<std::int32_t>(deferred)) {
                        if (listing.messages[static_cast<std::size_t>(message)].from == peer)
                            post(message);
                    }
                }
            } else if (action.kind == ActionKind::Compute) {
                needs.each(EntryId(action.index), post);
            }
            row.push_back(action);
        }
        listing.ranks[rank.index()] = std::move(row);
    }
}

/// Posts the receives of one rank as its buffers allow.
class BufferedRank
{
public:
    BufferedRank(Listing& listing, const MessagesOfEntries& needs, RankId rank, int buffers)
        : m_listing(listing)
        , m_needs(needs)
        , m_rank(rank)
        , m_buffers(buffers)
    {
    }

    /// @return  the receive that finds no buffer before its use; −1: none
    std::int32_t run()
    {
        std::vector<Action>& actions = m_listing.ranks[m_rank.index()];
        m_row.reserve(actions.size());
        for (const Action& action : actions) {
            if (action.kind == ActionKind::Receive) {
                m_postponed[kindOf(action.index)].push_back(action.index);
                flush(kindOf(action.index));
                continue;
            }
            if (action.kind == ActionKind::Compute) {
                std::int32_t lacking = -1;
                m_needs.each(EntryId(action.index), [&](std::int32_t message) {
                    const auto& waiting = m_postponed[kindOf(message)];
                    if (std::find(waiting.begin(), waiting.end(), message) != waiting.end())
                        lacking = message;
                });
                if (lacking >= 0)
                    return lacking;
                m_row.push_back(action);
                m_needs.each(EntryId(action.index),
                             [&](std::int32_t message) { --m_open[kindOf(message)]; });
                flush(0);
                flush(1);
                continue;
            }
            m_row.push_back(action);
        }
        actions = std::move(m_row);
        return -1;
    }

private:
    std::size_t kindOf(std::int32_t message) const
    {
        return isForward(m_listing.messages[static_cast<std::size_t>(message)]) ? 0 : 1;
    }

    void flush(std::size_t kind)
    {
        while (!m_postponed[kind].empty() && m_open[kind] < m_buffers) {
            m_row.push_back({ActionKind::Receive, m_postponed[kind].front()});
            m_postponed[kind].pop_front();
            ++m_open[kind];
        }
    }

    Listing& m_listing;
    const MessagesOfEntries& m_needs;
    RankId m_rank;
    int m_buffers;
    std::array<int, 2> m_open{};
    std::array<std::deque<std::int32_t>, 2> m_postponed; // in their order, which peers rely on
    std::vector<Action> m_row;
};

} // namespace

void placeReceives(Listing& listing, const Schedule& schedule, const Lowering& lowering)
{
    switch (lowering.receives) {
    case ReceivePlace::AsSent:
        break;
    case ReceivePlace::AtUse:
        receiveBefore(listing, schedule, 0);
        break;
    case ReceivePlace::Early:
        receiveBefore(listing, schedule, lowering.early);
        break;
    case ReceivePlace::Deferred:
        receiveDeferred(listing, schedule);
        break;
    }
}

Result<void> limitReceives(Listing& listing, const Schedule& schedule, int buffers)
{
    if (buffers <= 0)
        return {};
    const MessagesOfEntries needs(listing, schedule);
    for (const RankId rank : Ids<RankId>(listing.ranks.size())) {
        const std::int32_t lacking = BufferedRank(listing, needs, rank, buffers).run();
        if (lacking < 0)
            continue;
        const bool forward = isForward(listing.messages[static_cast<std::size_t>(lacking)]);
        return fail(
            ErrorCode::BadValue,
            "rank %1: %2 finds no free buffer before its use; %3 %4 for %5 cannot hold what "
            "arrives before it",
            rank, actionText({ActionKind::Receive, lacking}, listing, schedule), buffers,
            buffers == 1 ? said("buffer") : said("buffers"),
            forward ? said("activations") : said("gradients"));
    }
    return {};
}

void addWaits(Listing& listing, const Schedule& schedule, const Lowering& lowering)
{
    listing.freesWhenSent = lowering.sends == SendWait::WhenSent;
    const bool blockingSends = lowering.sends == SendWait::AtOnce;
    const bool atBackward = lowering.sends == SendWait::Backward;
    if (!lowering.blockingReceives && !blockingSends && !atBackward)
        return;
    for (auto& actions : listing.ranks) {
        std::vector<Action> row;
        row.reserve(actions.size() + actions.size() / 2);
        // Activations that were sent, by the cell that made them.
        std::map<std::int32_t, std::int32_t> sent;
        std::vector<std::int32_t> due; // behind the sends of the backward itself
        const auto waitForDue = [&] {
            for (const std::int32_t message : due)
                row.push_back({ActionKind::WaitSend, message});
            due.clear();
        };
        const auto cellOf = [&](const Pass& pass) {
            return schedule.table().cell(pass.stage, pass.microBatch, pass.segment);
        };
        for (const Action& action : actions) {
            if (action.kind != ActionKind::Send)
                waitForDue();
            row.push_back(action);
            if (action.kind == ActionKind::Receive && lowering.blockingReceives)
                row.push_back({ActionKind::WaitReceive, action.index});
            if (action.kind == ActionKind::Send && blockingSends)
                row.push_back({ActionKind::WaitSend, action.index});
            if (!atBackward)
                continue;
            if (action.kind == ActionKind::Send && isForward(listing.message(action)))
                sent[cellOf(listing.message(action).producer)] = action.index;
            if (action.kind != ActionKind::Compute)
                continue;
            const OrderEntry entry = schedule.entry(EntryId(action.index));
            for (const Pass& pass : {entry.pass, entry.partner}) {
                const auto found = isBackward(pass.kind) ? sent.find(cellOf(pass)) : sent.end();
                if (found != sent.end()) {
                    due.push_back(found->second);
                    sent.erase(found);
                }
                if (!entry.paired)
                    break;
            }
        }
        waitForDue();
        actions = std::move(row);
    }
}

} // namespace pw::communication
