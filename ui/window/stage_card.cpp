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
    , m_step(new QLabel(this))
{
    setObjectName(QStringLiteral("stage-card"));
    auto* row = new QHBoxLayout(this);
    const int em = fontMetrics().height();
    row->setContentsMargins(em, em / 2, em, em / 2);
    row->setSpacing(em);
    auto* said = new QVBoxLayout;
    said->setSpacing(em / 4);
    row->addLayout(said, 1);
    for (QLabel* label : {m_sentence, m_idle, m_chain, m_now, m_step})
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
    // Notes name a step by its number, so it is seen.
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.75);
    m_step->setFont(small);
    m_step->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setInk(m_step, Role::Secondary);
    auto* when = new QVBoxLayout;
    when->setSpacing(0);
    when->addStretch(1);
    when->addWidget(m_now);
    when->addWidget(m_step);
    when->addStretch(1);
    row->addLayout(when);
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
    m_chain->setVisible(!chain.empty() && !m_brief);
    m_chain->setText(tr("Red line: the chain of passes that decides the end, %1 of %2 so far.")
                         .arg(begunUntil(lanes, chain, now))
                         .arg(chain.size()));
    m_now->setText(stageTime(now));
}

void StageCard::setStep(std::int64_t step, std::int64_t steps)
{
    m_step->setText(tr("step %1 of %2").arg(step).arg(steps));
}

void StageCard::setBrief(bool brief)
{
    m_brief = brief;
    m_idle->setVisible(!brief);
    m_chain->setVisible(!brief && !m_chain->text().isEmpty());
    QFont said = font();
    said.setWeight(QFont::DemiBold);
    said.setPointSizeF(font().pointSizeF() * (brief ? 0.85 : 1));
    m_sentence->setFont(said);
    m_sentence->setMinimumHeight(2 * QFontMetrics(said).height() + 4);
}

QString StageCard::words() const
{
    return m_sentence->text() + QLatin1Char('\n') + m_idle->text() + QLatin1Char('\n') +
           m_chain->text() + QLatin1Char('\n') + m_now->text() + QLatin1Char('\n') + m_step->text();
}

} // namespace pw::ui
