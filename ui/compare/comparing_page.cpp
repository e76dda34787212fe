// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/comparing_page.h"

#include "core/analysis/what_if.h"
#include "ui/compare/stacked_timelines.h"

#include <memory>
#include <utility>

namespace pw::ui {

ComparingPage::ComparingPage(QString name, const QString& below, QString kind, QWidget* parent)
    : Page(parent)
    , m_name(std::move(name))
    , m_kind(std::move(kind))
    , m_compare(new StackedTimelines(this))
    , m_before(m_compare->add(m_name))
    , m_after(m_compare->add(below))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    connect(m_compare, &StackedTimelines::told, this, &Page::told);
    connect(m_compare, &StackedTimelines::figuresChanged, this, &Page::figuresChanged);
    connect(m_compare, &StackedTimelines::selectionChanged, this, &Page::selectionChanged);
}

void ComparingPage::showBefore(const ComparedPtr& before)
{
    m_compare->set(m_before, before);
}

ComparedPtr ComparingPage::showAfter(const Prediction& made, const QString& title,
                                     const QString& about)
{
    auto after = std::make_shared<Compared>();
    after->title = title;
    after->about = about;
    after->schedule = std::make_shared<const Schedule>(made.schedule);
    after->times = made.result;
    after->lanes = lanesOf(after->schedule, after->times);
    after->memory = wholePeak(*after->schedule, made.costs, after->times);
    after->costs = std::make_shared<const Costs>(made.costs);
    m_compare->set(m_after, after);
    return after;
}

void ComparingPage::showNoAfter(const QString& why)
{
    m_compare->setProblem(m_after, why);
}

void ComparingPage::showNothing(const QString& why)
{
    m_compare->setProblem(m_before, why);
    showNoAfter(tr("there is nothing to start from"));
}

void ComparingPage::open(const Prediction& made, const QString& title, const QString& notes)
{
    Project project;
    project.draft = draftOf(made.schedule);
    project.costs = made.costs;
    project.title = tr("%1: %2").arg(m_name, title).toStdString();
    project.notes = notes.toStdString();
    Q_EMIT openAsked(project);
}

std::vector<TimelineView*> ComparingPage::timelines()
{
    return m_compare->timelines();
}

FindBar* ComparingPage::findBar()
{
    return m_compare->findBar();
}

Playback* ComparingPage::playback()
{
    return m_compare->playback();
}

std::vector<QWidget*> ComparingPage::beside()
{
    return m_compare->beside();
}

QString ComparingPage::whyNoFigure() const
{
    return m_compare->whyNoFigure();
}

FigureContent ComparingPage::figure() const
{
    return m_compare->figure();
}

QString ComparingPage::figures() const
{
    return m_compare->figures();
}

PageDetails ComparingPage::details() const
{
    PageDetails details = m_compare->details();
    details.kind = m_kind;
    return details;
}

} // namespace pw::ui
