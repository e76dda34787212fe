// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/buffers.h"
#include "ui/charts/step_chart.h"
#include "ui/communication/communication_page.h"
#include "ui/core_sentences.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/timeline_view.h"

#include <QLabel>
#include <QLocale>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace pw::ui {

namespace comms = pw::communication;
using comms::ActionPlace;

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

QString percentMore(Ticks end, Ticks planned)
{
    const double more =
        planned > 0 ? 100 * (static_cast<double>(end) / static_cast<double>(planned) - 1) : 0;
    return QStringLiteral("%1%2 %").arg(more >= 0 ? QStringLiteral("+") : QStringLiteral("−"),
                                        QLocale::c().toString(std::abs(more), 'f', 1));
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

QString CommunicationPage::title() const
{
    return tr("Communication of %1").arg(m_name);
}

QString CommunicationPage::whyNoFigure() const
{
    return {};
}

FigureContent CommunicationPage::figure() const
{
    FigureContent content;
    content.title = title();
    content.numbers = endWords(m_played);
    content.lanes = m_shown.lanes;
    return content;
}

QString CommunicationPage::figures() const
{
    return endWords(m_played);
}

QString CommunicationPage::endWords(const comms::Played& played) const
{
    if (!played.mixed.empty())
        return tr("messages would be mixed up");
    if (!played.whole)
        return tr("deadlock");
    Ticks exposed = 0;
    for (const comms::RankTime& rank : played.ranks)
        exposed = std::max(exposed, rank.exposed);
    return tr("end %1 (%2)     exposed communication %3")
        .arg(durationText(static_cast<double>(played.end)), percentMore(played.end, m_planned),
             durationText(static_cast<double>(exposed)));
}

void CommunicationPage::showSentence()
{
    QString words;
    bool bad = false;
    if (!m_played.mixed.empty()) {
        bad = true;
        words = tr("Mixed up: %1.")
                    .arg(coreSentence(
                        comms::mixedText(m_played.mixed.front(), *m_listing, *m_schedule)));
    } else if (!m_played.whole) {
        bad = true;
        QStringList links;
        for (std::size_t i = 0; i < m_played.ring.size(); ++i)
            links += coreSentence(comms::heldText(m_played.ring, i, *m_listing, *m_schedule));
        constexpr qsizetype most = 8;
        if (links.size() > most)
            links = links.mid(0, most) << QStringLiteral("…");
        words = tr("The devices wait for each other in a ring: %1.")
                    .arg(links.join(QStringLiteral("; ")));
    } else {
        const auto worst =
            std::max_element(m_played.ranks.begin(), m_played.ranks.end(),
                             [](const auto& a, const auto& b) { return a.exposed < b.exposed; });
        words = tr("Ends at %1; the schedule alone at %2 (%3).")
                    .arg(durationText(static_cast<double>(m_played.end)),
                         durationText(static_cast<double>(m_planned)),
                         percentMore(m_played.end, m_planned));
        if (worst != m_played.ranks.end() && worst->exposed > 0)
            words += QLatin1Char(' ') +
                     tr("Device %1 waits longest for messages that were already made: %2.")
                         .arg(worst - m_played.ranks.begin())
                         .arg(durationText(static_cast<double>(worst->exposed)));
        else
            words += QLatin1Char(' ') + tr("No communication is exposed.");
    }
    m_sentence->setText(words);
    setInk(m_sentence, bad ? Role::Refusal : Role::Text);
}

/// The other end of the selected message, and the ring.
void CommunicationPage::showOverlay()
{
    LinkLayer links;
    WrongLayer layer;
    const auto& ring = m_played.ring;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const SpanRef here = m_shown.spanOf(ring[i].place);
        const SpanRef next = m_shown.spanOf(ring[(i + 1) % ring.size()].place);
        if (here.valid())
            layer.wrong.push_back(here);
        if (here.valid() && next.valid())
            layer.broken.push_back({next, here});
    }
    for (const comms::MixedUp& mixed : m_played.mixed) {
        for (const ActionPlace& place : {mixed.sent, mixed.received}) {
            if (const SpanRef span = m_shown.spanOf(place); span.valid())
                layer.wrong.push_back(span);
        }
    }
    const ActionPlace chosen = m_shown.placeOf(m_timeline->current());
    if (chosen.valid()) {
        const comms::Action& action =
            m_listing->of(chosen.rank)[static_cast<std::size_t>(chosen.action)];
        if (comms::isMessageAction(action.kind)) {
            const Message& message = m_listing->message(action);
            ActionPlace ends[2];
            for (const RankId rank : {message.from, message.to}) {
                const auto& row = m_listing->of(rank);
                for (std::size_t i = 0; i < row.size(); ++i) {
                    if (row[i].index != action.index)
                        continue;
                    if (row[i].kind == comms::ActionKind::Send)
                        ends[0] = {rank, static_cast<std::int32_t>(i)};
                    else if (row[i].kind == comms::ActionKind::Receive)
                        ends[1] = {rank, static_cast<std::int32_t>(i)};
                }
            }
            const SpanRef from = m_shown.spanOf(ends[0]);
            const SpanRef to = m_shown.spanOf(ends[1]);
            if (from.valid() && to.valid())
                links.arrows.push_back({from, to});
        }
    }
    m_timeline->setLayer(std::move(links));
    m_timeline->setLayer(std::move(layer));
    const bool movable = chosen.valid() &&
                         m_listing->of(chosen.rank)[static_cast<std::size_t>(chosen.action)].kind !=
                             comms::ActionKind::Compute;
    m_earlier->setEnabled(movable);
    m_later->setEnabled(movable);
}

RankId CommunicationPage::rankShown() const
{
    const SpanRef current = m_timeline->current();
    if (current.valid() && static_cast<std::size_t>(current.lane) < m_shown.rankOfLane.size())
        return m_shown.rankOfLane[static_cast<std::size_t>(current.lane)];
    return RankId(0);
}

void CommunicationPage::showBuffers()
{
    constexpr std::array<Role, comms::bufferKindCount> inks = {Role::Forward, Role::Backward,
                                                               Role::Update, Role::Recompute};
    const RankId rank = rankShown();
    const bool bytes = sizesKnown(m_costs);
    const auto curve = comms::bufferCurve(*m_listing, *m_schedule,
                                          bytes ? m_costs : countedCosts(m_costs), m_played, rank);
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
    m_buffers->setUnit(bytes ? StepChart::Unit::Bytes : StepChart::Unit::Whole);
    m_buffers->setSubtitle(bytes ? tr("of device %1").arg(rank)
                                 : tr("of device %1, counted").arg(rank));
    m_buffers->setSeries(std::move(series));
}

QString CommunicationPage::wordsOf(ActionPlace place) const
{
    const std::size_t rank = place.rank.index();
    const auto at = static_cast<std::size_t>(place.action);
    const comms::Action& action = m_listing->ranks[rank][at];
    const comms::ActionTime& time = m_played.times[rank][at];
    const QString name = text(comms::actionText(action, *m_listing, *m_schedule));
    const auto when = [](Ticks ticks) { return durationText(static_cast<double>(ticks)); };
    if (time.end < 0)
        return time.posted < 0 ? tr("%1 on device %2: never come to").arg(name).arg(place.rank)
                               : tr("%1 on device %2: since %3, without end")
                                     .arg(name)
                                     .arg(place.rank)
                                     .arg(when(time.posted));
    if (action.kind == comms::ActionKind::Compute)
        return tr("%1 on device %2: %3 to %4")
            .arg(name)
            .arg(place.rank)
            .arg(when(time.start), when(time.end));
    return tr("%1 on device %2: posted at %3, travels from %4 to %5")
        .arg(name)
        .arg(place.rank)
        .arg(when(time.posted), when(time.start), when(time.end));
}

QString CommunicationPage::partWords(const comms::PartSpan& part) const
{
    const auto name = pw::name(part.pass);
    QString word;
    switch (part.part) {
    case comms::LayerPart::Attention:
        word = tr("attention");
        break;
    case comms::LayerPart::Dispatch:
        word = tr("dispatch to the experts");
        break;
    case comms::LayerPart::Mlp:
        word = tr("MLP");
        break;
    case comms::LayerPart::Combine:
        word = tr("combine of what the experts give");
        break;
    }
    return tr("%1 of %2, layer %3 of its stage: %4 to %5")
        .arg(word, text(name))
        .arg(part.layer)
        .arg(durationText(static_cast<double>(part.start)),
             durationText(static_cast<double>(part.end)));
}

void CommunicationPage::tell(SpanRef span, int lane)
{
    const ActionPlace place = m_shown.placeOf(span);
    if (const comms::PartSpan* part = m_shown.partOf(span))
        Q_EMIT told(partWords(*part));
    else
        Q_EMIT told(lane >= 0 && place.valid() ? wordsOf(place) : QString());
}

PageDetails CommunicationPage::details() const
{
    PageDetails details;
    details.kind = tr("Communication");
    const ActionPlace chosen = m_shown.placeOf(m_timeline->current());
    DetailsPart selected{tr("Selected"), {}, tr("Nothing is selected.")};
    if (chosen.valid())
        selected.rows.push_back({wordsOf(chosen), {}});
    details.parts.push_back(std::move(selected));
    DetailsPart ranks{tr("Receive buffers, by device"), {}, {}};
    for (const RankId rank : Ids<RankId>(m_listing->ranks.size())) {
        const auto slotsOf = [&](bool forward) {
            return comms::slotCount(comms::receiveSlots(*m_listing, *m_schedule, rank, forward));
        };
        NumberRow row;
        row.name = tr("device %1").arg(rank);
        row.value =
            tr("%1 for activations, %2 for gradients").arg(slotsOf(true)).arg(slotsOf(false));
        ranks.rows.push_back(std::move(row));
    }
    details.parts.push_back(std::move(ranks));
    return details;
}

} // namespace pw::ui
