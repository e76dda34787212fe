// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/live_view.h"

#include "ui/one_line.h"
#include "ui/run/live_source.h"
#include "ui/timeline/empty_note.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workspace/timeline_workspace.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

LiveView::LiveView(ViewRange& range, QWidget* parent)
    : QWidget(parent)
    , m_range(range)
    , m_source(new LiveSource)
    , m_workspace(new TimelineWorkspace(m_source, range, this))
    , m_heading(new OneLine(this))
    , m_empty(new EmptyNote(timeline().viewport(), 0))
    , m_open(new QToolButton(this))
    , m_times(new QToolButton(this))
    , m_again(new QToolButton(this))
{
    m_empty->setObjectName(QStringLiteral("live-empty"));
    m_empty->setTextFormat(Qt::PlainText);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    m_empty->clear();
    setAccessibleName(tr("Run"));
    timeline().setAccessibleName(tr("Timeline of the run"));
    QFont heading = m_heading->font();
    heading.setWeight(QFont::DemiBold);
    m_heading->setFont(heading);
    m_heading->setTextFormat(Qt::PlainText);
    m_heading->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_open->setText(tr("Open run"));
    m_open->setToolTip(tr("Opens the stored run with its memory, messages and losses."));
    m_times->setObjectName(QStringLiteral("live-times"));
    m_times->setText(tr("Take the measured times"));
    m_times->setToolTip(tr("The plan's times are far from what was measured: the measured ones "
                           "become the costs of the schedule. Undo brings the old ones back."));
    m_again->setObjectName(QStringLiteral("live-again"));
    m_again->setText(tr("Take these times, improve, run again"));
    m_again->setToolTip(tr("The measured times become the costs of the schedule, a better order is "
                           "looked for with them and run, and both runs are compared."));
    for (QToolButton* button : {m_open, m_times, m_again}) {
        button->setAutoRaise(true);
        button->hide();
    }
    auto* close = new QToolButton(this);
    close->setText(QStringLiteral("×"));
    close->setAccessibleName(tr("Close the run's timeline"));
    close->setToolTip(tr("Closes the run's timeline; the run stays in the store."));
    close->setAutoRaise(true);
    const int target = std::max(24, close->sizeHint().height());
    close->setMinimumSize(target, target);
    for (QToolButton* button : {m_open, m_times, m_again})
        button->setMinimumHeight(target);

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(12, 2, 4, 2);
    bar->addWidget(m_heading, 1);
    bar->addWidget(m_times);
    bar->addWidget(m_again);
    bar->addWidget(m_open);
    bar->addWidget(close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_workspace, 1);
    setFocusProxy(m_workspace);

    connect(close, &QToolButton::clicked, this, &LiveView::closeAsked);
    connect(m_open, &QToolButton::clicked, this, [this] { Q_EMIT openAsked(m_stored); });
    connect(m_times, &QToolButton::clicked, this, [this] { Q_EMIT timesAsked(m_stored); });
    connect(m_again, &QToolButton::clicked, this, [this] { Q_EMIT againAsked(m_stored); });
    connect(m_workspace, &TimelineWorkspace::told, this, &LiveView::told);
}

TimelineView& LiveView::timeline()
{
    return m_workspace->timeline();
}

void LiveView::setHeading(const QString& heading)
{
    m_heading->setText(heading);
    m_heading->setToolTip(heading);
}

void LiveView::setStored(qint64 number)
{
    m_stored = number;
    m_open->setVisible(number > 0);
    m_open->setText(tr("Open run %1").arg(number));
}

void LiveView::setUsable(bool usable, bool far)
{
    m_times->setVisible(usable && far);
    m_again->setVisible(usable);
}

void LiveView::setLanes(const IterationLanes& lanes)
{
    m_source->setLanes(lanes.lanes);
    if (lanes.lanes != nullptr)
        holdBoth(lanes.complete);
    else
        m_shownEnd = 0;
    showEmpty();
}

void LiveView::setEmptyText(const QString& sentence)
{
    m_empty->setText(sentence);
    showEmpty();
}

void LiveView::showEmpty()
{
    const LanesPtr lanes = m_source->lanes();
    m_empty->setVisible(lanes == nullptr || lanes->spanCount() == 0);
}

void LiveView::setPlanEnd(Ticks end)
{
    m_planEnd = end;
    holdBoth(true);
}

/// While an iteration grows beyond the plan the axis takes rare large steps, so that the plan above
/// does not crawl.
void LiveView::holdBoth(bool complete)
{
    const LanesPtr lanes = m_source->lanes();
    const Ticks end = lanes->spanCount() > 0 ? lanes->end() : 0;
    if (complete || end > m_shownEnd)
        m_shownEnd = complete ? end : end + end / 2;
    const Ticks whole = std::max({m_planEnd, m_shownEnd, Ticks{1}});
    if (whole != m_range.wholeEnd())
        m_range.setWhole(std::min(m_range.wholeBegin(), Ticks{0}), whole);
}

} // namespace pw::ui
