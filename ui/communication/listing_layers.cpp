// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/communication/listing_layers.h"

#include <cstddef>

namespace pw::ui {

namespace comms = pw::communication;

WrongLayer wrongOf(const comms::Played& played, const ListingLanes& shown)
{
    WrongLayer layer;
    const auto& ring = played.ring;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const SpanRef here = shown.spanOf(ring[i].place);
        const SpanRef next = shown.spanOf(ring[(i + 1) % ring.size()].place);
        if (here.valid())
            layer.wrong.push_back(here);
        if (here.valid() && next.valid())
            layer.broken.push_back({next, here});
    }
    for (const comms::MixedUp& mixed : played.mixed) {
        for (const comms::ActionPlace& place : {mixed.sent, mixed.received}) {
            if (const SpanRef span = shown.spanOf(place); span.valid())
                layer.wrong.push_back(span);
        }
    }
    return layer;
}

LinkLayer linksOf(comms::ActionPlace place, const comms::Listing& listing,
                  const ListingLanes& shown)
{
    if (!place.valid())
        return {};
    const comms::Action& action = listing.of(place.rank)[static_cast<std::size_t>(place.action)];
    if (!comms::isMessageAction(action.kind))
        return {};
    const Message& message = listing.message(action);
    comms::ActionPlace sent, received;
    for (const RankId rank : {message.from, message.to}) {
        const auto& row = listing.of(rank);
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (row[i].index != action.index)
                continue;
            if (row[i].kind == comms::ActionKind::Send)
                sent = {rank, static_cast<std::int32_t>(i)};
            else if (row[i].kind == comms::ActionKind::Receive)
                received = {rank, static_cast<std::int32_t>(i)};
        }
    }
    LinkLayer links;
    const SpanRef from = shown.spanOf(sent), to = shown.spanOf(received);
    if (from.valid() && to.valid())
        links.arrows.push_back({from, to});
    return links;
}

} // namespace pw::ui
