// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/listing.h"

#include "core/communication/exchanges.h"

#include <algorithm>
#include <map>
#include <set>

namespace pw::communication {

namespace {

std::string_view letterOf(PassKind kind)
{
    switch (kind) {
    case PassKind::F:
        return "F";
    case PassKind::B:
        return "I";
    case PassKind::W:
        return "W";
    case PassKind::BW:
        return "B";
    case PassKind::R:
        return "RECOMPUTE";
    case PassKind::U:
        return "UPDATE";
    }
    return {};
}

std::string passText(const Pass& pass, std::string_view type, const PipelineSpec& spec)
{
    std::string text =
        std::to_string(pass.stage) + std::string(type) + std::to_string(pass.microBatch);
    if (spec.segments() > 1 && pass.kind != PassKind::U)
        text += '/' + std::to_string(pass.segment);
    return text;
}

/// Looks through one rank of a listing.
class RankCheck
{
public:
    RankCheck(const Listing& listing, const Schedule& schedule, RankId rank,
              std::vector<std::uint8_t>& ends)
        : m_listing(listing)
        , m_schedule(schedule)
        , m_rank(rank)
        , m_device(deviceOf(rank))
        , m_ends(ends)
        , m_next(schedule.begin(m_device))
    {
    }

    Result<void> run()
    {
        for (const Action& action : m_listing.of(m_rank)) {
            m_action = &action;
            auto fine = isMessageAction(action.kind)          ? message(action)
                        : action.kind == ActionKind::Compute  ? compute(EntryId(action.index))
                        : action.kind == ActionKind::Exchange ? exchange(action.index)
                                                              : stage(action);
            if (!fine)
                return fine;
        }
        if (m_next != m_schedule.end(m_device))
            return fail(ErrorCode::BadSchedule, "rank %1 ends before %2", m_rank,
                        actionText({ActionKind::Compute, m_next}, m_listing, m_schedule));
        return {};
    }

private:
    tl::unexpected<Error> refuse(const std::string& what) const
    {
        return fail(ErrorCode::BadSchedule, "rank %1: %2 %3", m_rank,
                    actionText(*m_action, m_listing, m_schedule), what);
    }

    bool computed(const Pass& pass) const
    {
        const EntryId entry = m_schedule.entryOf(m_schedule.table().id(pass));
        return entry < m_next;
    }

    Result<void> compute(EntryId entry)
    {
        if (entry != m_next)
            return refuse("is not the next pass of the rank");
        ++m_next;
        bool late = false;
        eachExchangeOf(m_schedule, entry,
                       [&](std::int32_t exchange) { late |= m_exchanged.count(exchange) != 0; });
        return late ? refuse("makes gradients that were exchanged before") : Result<void>();
    }

    Result<void> exchange(std::int32_t number)
    {
        const PipelineSpec& spec = m_schedule.spec();
        const std::vector<DeviceId> holders =
            number < 0 ? std::vector<DeviceId>() : holdersOf(spec, StageId(number % spec.stages()));
        if (holders.size() < 2 ||
            std::find(holders.begin(), holders.end(), m_device) == holders.end())
            return refuse("is of a stage that the rank shares with nobody");
        if (!m_exchanged.insert(number).second)
            return refuse("appears twice");
        return {};
    }

    Result<void> message(const Action& action)
    {
        const Message& message = m_listing.message(action);
        const bool sends = isSide(action.kind, true);
        if ((sends ? message.from : message.to) != m_rank)
            return refuse("belongs to rank " + std::to_string(sends ? message.from : message.to));
        // Bits: sent, received, and the waits for either.
        auto& ends = m_ends[static_cast<std::size_t>(action.index)];
        const int bit = (sends ? 1 : 2) << (action.kind == ActionKind::WaitSend ||
                                                    action.kind == ActionKind::WaitReceive
                                                ? 2
                                                : 0);
        if ((ends & bit) != 0)
            return refuse("appears twice");
        if (bit > 2 && (ends & (bit >> 2)) == 0)
            return refuse("comes before what it waits for");
        ends = static_cast<std::uint8_t>(ends | bit);
        if (action.kind == ActionKind::Send && !computed(message.producer))
            return refuse("comes before the pass that makes it");
        if (!sends && computed(message.consumer))
            return refuse("comes after the pass that needs it");
        return {};
    }

    Result<void> stage(const Action& action)
    {
        const PipelineSpec& spec = m_schedule.spec();
        const std::int32_t route = action.index / spec.stages();
        if (action.index < 0 || route >= spec.routeCount() ||
            spec.device(route, StageId(action.index % spec.stages())) != m_device)
            return refuse("is of a stage that the rank does not have");
        bool& there = m_gathered[action.index];
        if (action.kind == ActionKind::Gather) {
            if (there)
                return refuse("gathers a stage that is gathered already");
            there = true;
        } else if (action.kind == ActionKind::Free) {
            if (!there)
                return refuse("frees a stage that is not gathered");
            there = false;
        }
        return {};
    }

    const Listing& m_listing;
    const Schedule& m_schedule;
    RankId m_rank;
    DeviceId m_device;
    std::vector<std::uint8_t>& m_ends;
    std::int32_t m_next;
    const Action* m_action = nullptr;
    std::map<std::int32_t, bool> m_gathered;
    std::set<std::int32_t> m_exchanged;
};

/// Every rank that has a copy of a stage exchanges its gradients, or none does.
Result<void> checkExchanges(const Listing& listing, const Schedule& schedule)
{
    std::map<std::int32_t, std::vector<RankId>> ranks;
    for (const RankId rank : Ids<RankId>(listing.ranks.size())) {
        for (const Action& action : listing.of(rank)) {
            if (action.kind == ActionKind::Exchange)
                ranks[action.index].push_back(rank);
        }
    }
    for (const auto& [exchange, here] : ranks) {
        for (const DeviceId holder :
             holdersOf(schedule.spec(), StageId(exchange % schedule.spec().stages()))) {
            if (std::find(here.begin(), here.end(), rankOf(holder)) == here.end())
                return fail(ErrorCode::BadSchedule, "rank %1 lacks %2", holder,
                            actionText({ActionKind::Exchange, exchange}, listing, schedule));
        }
    }
    return {};
}

} // namespace

EntryStages stagesOf(const Schedule& schedule, EntryId entry)
{
    const int stages = schedule.spec().stages();
    const OrderEntry passes = schedule.entry(entry);
    EntryStages found;
    found.first = passes.pass.route * stages + passes.pass.stage;
    if (passes.paired) {
        const std::int32_t second = passes.partner.route * stages + passes.partner.stage;
        found.second = second == found.first ? -1 : second;
    }
    return found;
}

std::string actionText(const Action& action, const Listing& listing, const Schedule& schedule)
{
    const PipelineSpec& spec = schedule.spec();
    const auto ofStage = [&](std::string_view type) {
        const StageId stage(spec.routeCount() == 1 ? action.index : action.index % spec.stages());
        return std::to_string(stage) + std::string(type);
    };
    const auto ofMessage = [&](std::string_view verb) {
        const Message& message = listing.message(action);
        const Pass& named = isSide(action.kind, true) ? message.producer : message.consumer;
        return passText(named, std::string(verb) + (isForward(message) ? "_F" : "_B"), spec);
    };
    switch (action.kind) {
    case ActionKind::Compute: {
        const OrderEntry entry = schedule.entry(EntryId(action.index));
        const std::string first = passText(entry.pass, letterOf(entry.pass.kind), spec);
        if (!entry.paired)
            return first;
        return '(' + first + ';' + passText(entry.partner, letterOf(entry.partner.kind), spec) +
               ")OVERLAP_F_B";
    }
    case ActionKind::Send:
        return ofMessage("SEND");
    case ActionKind::Receive:
        return ofMessage("RECV");
    case ActionKind::WaitSend:
        return ofMessage("WAIT_SEND");
    case ActionKind::WaitReceive:
        return ofMessage("WAIT_RECV");
    case ActionKind::Gather:
        return ofStage("UNSHARD");
    case ActionKind::Free:
        return ofStage("RESHARD");
    case ActionKind::Reduce:
        return ofStage("REDUCE_GRAD");
    case ActionKind::Exchange:
        return std::to_string(action.index % spec.stages()) + "EXCHANGE_GRAD" +
               (action.index < spec.stages() ? "" : std::to_string(action.index / spec.stages()));
    }
    return {};
}

Result<void> check(const Listing& listing, const Schedule& schedule)
{
    if (listing.ranks.size() != static_cast<std::size_t>(schedule.devices()))
        return fail(ErrorCode::BadSchedule, "the listing has %1 ranks, the schedule %2 devices",
                    listing.ranks.size(), schedule.devices());
    std::vector<std::uint8_t> ends(listing.messages.size());
    for (const RankId rank : Ids<RankId>(listing.ranks.size())) {
        if (auto fine = RankCheck(listing, schedule, rank, ends).run(); !fine)
            return fine;
    }
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if ((ends[i] & 3) == 3)
            continue;
        const bool lacksSend = (ends[i] & 1) == 0;
        const Action lacking{lacksSend ? ActionKind::Send : ActionKind::Receive,
                             static_cast<std::int32_t>(i)};
        return fail(ErrorCode::BadSchedule, "rank %1 lacks %2",
                    lacksSend ? listing.messages[i].from : listing.messages[i].to,
                    actionText(lacking, listing, schedule));
    }
    return checkExchanges(listing, schedule);
}

} // namespace pw::communication
