// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/communication/played_words.h"

#include "ui/communication/communication_page.h"
#include "ui/core_sentences.h"
#include "ui/presentation.h"
#include "ui/text.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace comms = pw::communication;

namespace {

QString percentMore(Ticks end, Ticks planned)
{
    const double more =
        planned > 0 ? 100 * (static_cast<double>(end) / static_cast<double>(planned) - 1) : 0;
    return QStringLiteral("%1%2 %").arg(more >= 0 ? QStringLiteral("+") : QStringLiteral("−"),
                                        QLocale::c().toString(std::abs(more), 'f', 1));
}

} // namespace

QString PlayedWords::end() const
{
    if (!m_played.mixed.empty())
        return CommunicationPage::tr("messages would be mixed up");
    if (!m_played.whole)
        return CommunicationPage::tr("deadlock");
    Ticks exposed = 0;
    for (const comms::RankTime& rank : m_played.ranks)
        exposed = std::max(exposed, rank.exposed);
    return CommunicationPage::tr("end %1 (%2)     exposed communication %3")
        .arg(durationText(static_cast<double>(m_played.end)), percentMore(m_played.end, m_planned),
             durationText(static_cast<double>(exposed)));
}

PlayedWords::Sentence PlayedWords::sentence() const
{
    QString words;
    bool bad = false;
    if (!m_played.mixed.empty()) {
        bad = true;
        words =
            CommunicationPage::tr("Mixed up: %1.")
                .arg(coreSentence(comms::mixedText(m_played.mixed.front(), m_listing, m_schedule)));
    } else if (!m_played.whole) {
        bad = true;
        QStringList links;
        for (std::size_t i = 0; i < m_played.ring.size(); ++i)
            links += coreSentence(comms::heldText(m_played.ring, i, m_listing, m_schedule));
        constexpr qsizetype most = 8;
        if (links.size() > most)
            links = links.mid(0, most) << QStringLiteral("…");
        words = CommunicationPage::tr("The devices wait for each other in a ring: %1.")
                    .arg(links.join(QStringLiteral("; ")));
    } else {
        const auto worst =
            std::max_element(m_played.ranks.begin(), m_played.ranks.end(),
                             [](const auto& a, const auto& b) { return a.exposed < b.exposed; });
        words = CommunicationPage::tr("Ends at %1; the schedule alone at %2 (%3).")
                    .arg(durationText(static_cast<double>(m_played.end)),
                         durationText(static_cast<double>(m_planned)),
                         percentMore(m_played.end, m_planned));
        if (worst != m_played.ranks.end() && worst->exposed > 0)
            words += QLatin1Char(' ') +
                     CommunicationPage::tr(
                         "Device %1 waits longest for messages that were already made: %2.")
                         .arg(worst - m_played.ranks.begin())
                         .arg(durationText(static_cast<double>(worst->exposed)));
        else
            words += QLatin1Char(' ') + CommunicationPage::tr("No communication is exposed.");
    }
    return {words, bad};
}

QString PlayedWords::of(comms::ActionPlace place) const
{
    const std::size_t rank = place.rank.index();
    const auto at = static_cast<std::size_t>(place.action);
    const comms::Action& action = m_listing.ranks[rank][at];
    const comms::ActionTime& time = m_played.times[rank][at];
    const QString name = text(comms::actionText(action, m_listing, m_schedule));
    const auto when = [](Ticks ticks) { return durationText(static_cast<double>(ticks)); };
    if (time.end < 0)
        return time.posted < 0 ? CommunicationPage::tr("%1 on device %2: never come to")
                                     .arg(name)
                                     .arg(place.rank)
                               : CommunicationPage::tr("%1 on device %2: since %3, without end")
                                     .arg(name)
                                     .arg(place.rank)
                                     .arg(when(time.posted));
    if (action.kind == comms::ActionKind::Compute)
        return CommunicationPage::tr("%1 on device %2: %3 to %4")
            .arg(name)
            .arg(place.rank)
            .arg(when(time.start), when(time.end));
    return CommunicationPage::tr("%1 on device %2: posted at %3, travels from %4 to %5")
        .arg(name)
        .arg(place.rank)
        .arg(when(time.posted), when(time.start), when(time.end));
}

QString PlayedWords::of(const comms::PartSpan& part) const
{
    const auto name = pw::name(part.pass);
    QString word;
    switch (part.part) {
    case comms::LayerPart::Attention:
        word = CommunicationPage::tr("attention");
        break;
    case comms::LayerPart::Dispatch:
        word = CommunicationPage::tr("dispatch to the experts");
        break;
    case comms::LayerPart::Mlp:
        word = CommunicationPage::tr("MLP");
        break;
    case comms::LayerPart::Combine:
        word = CommunicationPage::tr("combine of what the experts give");
        break;
    }
    return CommunicationPage::tr("%1 of %2, layer %3 of its stage: %4 to %5")
        .arg(word, text(name))
        .arg(part.layer)
        .arg(durationText(static_cast<double>(part.start)),
             durationText(static_cast<double>(part.end)));
}

} // namespace pw::ui
