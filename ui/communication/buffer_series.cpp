// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/communication/buffer_series.h"

#include "core/communication/buffers.h"
#include "ui/communication/communication_page.h"
#include "ui/presentation.h"

#include <algorithm>
#include <array>
#include <utility>

namespace pw::ui {

namespace comms = pw::communication;

namespace {

QString wordOf(comms::BufferKind kind)
{
    switch (kind) {
    case comms::BufferKind::Received:
        return CommunicationPage::tr("receive buffers");
    case comms::BufferKind::Sent:
        return CommunicationPage::tr("sent, not given back");
    case comms::BufferKind::Eager:
        return CommunicationPage::tr("arrived before their receive");
    case comms::BufferKind::Gathered:
        return CommunicationPage::tr("gathered weights");
    case comms::BufferKind::Exchanged:
        return CommunicationPage::tr("gradients of other copies");
    }
    return {};
}

/// Every message as one byte, so that buffers are counted where nothing says their size.
Costs countedCosts(const Costs& costs)
{
    Costs counted = costs;
    counted.forwardMessage.assign(costs.forward.size(), 1);
    counted.backwardMessage.assign(costs.forward.size(), 1);
    counted.weights.clear();
    return counted;
}

bool sizesKnown(const Costs& costs)
{
    return std::any_of(costs.forwardMessage.begin(), costs.forwardMessage.end(),
                       [](Bytes bytes) { return bytes > 0; });
}

} // namespace

BufferSeries bufferSeries(const comms::Listing& listing, const Schedule& schedule,
                          const Costs& costs, const comms::Played& played, RankId rank)
{
    constexpr std::array<Role, comms::bufferKindCount> inks = {Role::Forward, Role::Backward,
                                                               Role::Update, Role::Recompute};
    const bool bytes = sizesKnown(costs);
    const auto curve =
        comms::bufferCurve(listing, schedule, bytes ? costs : countedCosts(costs), played, rank);
    std::vector<StepSeries> series;
    for (int kind = 0; kind < comms::bufferKindCount; ++kind) {
        StepSeries one;
        one.name = wordOf(static_cast<comms::BufferKind>(kind));
        one.color = color(inks[static_cast<std::size_t>(kind)]);
        one.filled = true;
        bool any = false;
        for (const comms::BufferPoint& point : curve) {
            Bytes sum = 0;
            for (int below = 0; below <= kind; ++below)
                sum += point.bytes[static_cast<std::size_t>(below)];
            one.times.push_back(point.time);
            one.values.push_back(static_cast<double>(sum));
            any = any || point.bytes[static_cast<std::size_t>(kind)] > 0;
        }
        if (any)
            series.push_back(std::move(one));
    }
    return {std::move(series), bytes};
}

} // namespace pw::ui
