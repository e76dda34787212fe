// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/rearranging.h"

#include "core/base/try.h"
#include "core/communication/exchanges.h"

#include <algorithm>

namespace pw::communication {

namespace {

/// Whether two neighbours of a rank may change places, the first one being what moves.
bool mayPass(const Listing& listing, const Schedule& schedule, const Action& moved,
             const Action& other)
{
    if (other.kind == ActionKind::Compute) {
        const auto isOf = [&](const Pass& pass) {
            return schedule.entryOf(schedule.table().id(pass)) == other.index;
        };
        switch (moved.kind) {
        case ActionKind::Compute:
            return false;
        case ActionKind::Send:
            return !isOf(listing.message(moved).producer);
        case ActionKind::Receive:
        case ActionKind::WaitReceive:
            return !isOf(listing.message(moved).consumer);
        case ActionKind::WaitSend:
            return true;
        case ActionKind::Gather:
        case ActionKind::Free: {
            const EntryStages stages = stagesOf(schedule, EntryId(other.index));
            return stages.first != moved.index && stages.second != moved.index;
        }
        case ActionKind::Reduce: {
            const EntryStages stages = stagesOf(schedule, EntryId(other.index));
            const OrderEntry entry = schedule.entry(EntryId(other.index));
            const bool gradient = entry.pass.kind == PassKind::W ||
                                  entry.pass.kind == PassKind::BW ||
                                  entry.pass.kind == PassKind::U || entry.paired;
            return !gradient || (stages.first != moved.index && stages.second != moved.index);
        }
        case ActionKind::Exchange: {
            bool own = false;
            eachExchangeOf(schedule, EntryId(other.index),
                           [&](std::int32_t exchange) { own |= exchange == moved.index; });
            const Pass& pass = schedule.entry(EntryId(other.index)).pass;
            return !own && (pass.kind != PassKind::U ||
                            exchangeBefore(schedule.spec(), pass) != moved.index);
        }
        }
        return false;
    }
    // A wait stays behind what it waits for; a stage's gathers and frees keep their order.
    if (isMessageAction(moved.kind) != isMessageAction(other.kind) || moved.index != other.index)
        return true;
    if ((moved.kind == ActionKind::Exchange) != (other.kind == ActionKind::Exchange))
        return true;
    if (!isMessageAction(moved.kind))
        return moved.kind == ActionKind::Reduce || other.kind == ActionKind::Reduce;
    return isSide(moved.kind, true) != isSide(other.kind, true);
}

} // namespace

MoveRange moveRange(const Listing& listing, const Schedule& schedule, ActionPlace place)
{
    const auto& row = listing.of(place.rank);
    const Action& moved = row[static_cast<std::size_t>(place.action)];
    MoveRange range{place.action, place.action};
    if (moved.kind == ActionKind::Compute)
        return range;
    while (range.first > 0 &&
           mayPass(listing, schedule, moved, row[static_cast<std::size_t>(range.first) - 1]))
        --range.first;
    while (static_cast<std::size_t>(range.last) + 1 < row.size() &&
           mayPass(listing, schedule, moved, row[static_cast<std::size_t>(range.last) + 1]))
        ++range.last;
    return range;
}

Result<Listing> withMoved(const Listing& listing, const Schedule& schedule, ActionPlace from,
                          std::int32_t to)
{
    const auto& row = listing.of(from.rank);
    const Action& moved = row[static_cast<std::size_t>(from.action)];
    if (moved.kind == ActionKind::Compute)
        return fail(ErrorCode::BadValue, "%1 is a pass; its place is the schedule's",
                    actionText(moved, listing, schedule));
    if (to < 0 || static_cast<std::size_t>(to) >= row.size())
        return fail(ErrorCode::BadValue, "rank %1 has places 0 to %2, not %3", from.rank,
                    row.size() - 1, to);
    const MoveRange range = moveRange(listing, schedule, from);
    if (to < range.first || to > range.last) {
        const auto& hit =
            row[static_cast<std::size_t>(to < range.first ? range.first - 1 : range.last + 1)];
        return fail(ErrorCode::BadSchedule, "%1 stays %2 %3", actionText(moved, listing, schedule),
                    to < range.first ? said("behind") : said("before"),
                    actionText(hit, listing, schedule));
    }
    Listing next = listing;
    auto& actions = next.ranks[from.rank.index()];
    const auto begin = actions.begin();
    if (to < from.action)
        std::rotate(begin + to, begin + from.action, begin + from.action + 1);
    else
        std::rotate(begin + from.action, begin + from.action + 1, begin + to + 1);
    PW_DO(check(next, schedule));
    return next;
}

std::int32_t placeAt(const std::vector<std::int64_t>& posted, std::int32_t from, std::int64_t time)
{
    std::int32_t place = 0;
    for (std::size_t i = 0; i < posted.size(); ++i) {
        if (static_cast<std::int32_t>(i) != from && posted[i] >= 0 && posted[i] < time)
            place = static_cast<std::int32_t>(i) + (static_cast<std::int32_t>(i) < from ? 1 : 0);
    }
    return place;
}

} // namespace pw::communication
