// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/stage_card.h"

#include "ui/plural.h"
#include "ui/presentation.h"
#include "ui/timeline/time_scale.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

QString stageTime(Ticks ticks)
{
    return durationText(static_cast<double>(ticks));
}

} // namespace

Ticks idleUntil(const Lanes& lanes, Ticks now)
{
    Ticks idle = 0;
    for (const Lane& lane : lanes.lanes()) {
        Ticks busy = 0;
        for (std::size_t i = 0; i < lane.size() && lane.start[i] < now; ++i)
            busy += std::min(lane.end[i], now) - lane.start[i];
        idle += now - lanes.begin() - busy;
    }
    return idle;
}

StageCard::StageCard(QWidget* parent)
    : LessonCard(parent)
    , m_sentence(new QLabel(this))
    , m_idle(new QLabel(this))
    , m_chain(new QLabel(this))
    , m_now(new QLabel(this))
{
    setObjectName(QStringLiteral("stage-card"));
    auto* row = new QHBoxLayout(this);
    const int em = fontMetrics().height();
    row->setContentsMargins(em, em / 2, em, em / 2);
    row->setSpacing(em);
    auto* said = new QVBoxLayout;
    said->setSpacing(em / 4);
    row->addLayout(said, 1);
    for (QLabel* label : {m_sentence, m_idle, m_chain, m_now})
        label->setTextFormat(Qt::PlainText);
    m_sentence->setWordWrap(true);
    // As high as two lines from the first on: nothing jumps while it plays.
    m_sentence->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_sentence->setMinimumHeight(2 * em + 4);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    m_sentence->setFont(bold);
    setInk(m_idle, Role::Secondary);
    setInk(m_chain, Role::Refusal); // as the line in the lanes
    m_idle->setWordWrap(true);
    m_chain->setWordWrap(true);
    QFont large = bold;
    large.setPointSizeF(font().pointSizeF() * 1.6);
    m_now->setFont(large);
    m_now->setMinimumWidth(QFontMetrics(large).horizontalAdvance(QStringLiteral("000.00 ms")));
    m_now->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    said->addWidget(m_sentence);
    said->addWidget(m_idle);
    said->addWidget(m_chain);
    row->addWidget(m_now);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

std::int64_t begunUntil(const Lanes& lanes, const std::vector<SpanRef>& spans, Ticks now)
{
    return std::count_if(spans.begin(), spans.end(), [&lanes, now](SpanRef span) {
        return lanes.holds(span) && lanes.lanes()[static_cast<std::size_t>(span.lane)]
                                            .start[static_cast<std::size_t>(span.index)] <= now;
    });
}

void StageCard::tell(const Lanes& lanes, Ticks now, const QString& sentence,
                     const std::vector<SpanRef>& chain)
{
    m_sentence->setText(sentence);
    const auto count = static_cast<std::int64_t>(lanes.lanes().size());
    const Ticks room = (now - lanes.begin()) * count;
    m_idle->setText(tr("Idle so far: %1 of %2 on %3. It ends at %4.")
                        .arg(stageTime(idleUntil(lanes, now)), stageTime(room),
                             plural(count, Noun::Device), stageTime(lanes.end())));
    m_chain->setVisible(!chain.empty());
    m_chain->setText(tr("Red line: the chain of passes that decides the end, %1 of %2 so far.")
                         .arg(begunUntil(lanes, chain, now))
                         .arg(chain.size()));
    m_now->setText(stageTime(now));
}

QString StageCard::words() const
{
    return m_sentence->text() + QLatin1Char('\n') + m_idle->text() + QLatin1Char('\n') +
           m_chain->text() + QLatin1Char('\n') + m_now->text();
}

} // namespace pw::ui
