// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/alternatives/alternatives_page.h"

#include "core/base/text.h"
#include "ui/alternatives/alternative_details.h"
#include "ui/alternatives/alternatives_chart.h"
#include "ui/alternatives/alternatives_table.h"
#include "ui/alternatives/improve_part.h"
#include "ui/alternatives/noise_part.h"
#include "ui/alternatives/question_fields.h"
#include "ui/alternatives/row_pictures.h"
#include "ui/alternatives/sweep_part.h"
#include "ui/alternatives/what_if_part.h"
#include "ui/alternatives/what_if_rows.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/core_sentences.h"
#include "ui/text.h"

#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace pw::ui {

AlternativesPage::AlternativesPage(Project project, QString name, Tab first, QWidget* parent)
    : Page(parent)
    , m_name(std::move(name))
    , m_first(first)
    , m_rows(new AlternativeRows(this))
    , m_ranking(new FamilyRanking(this))
    , m_tabs(new QTabBar(this))
    , m_views(new QStackedWidget(this))
    , m_split(new QSplitter(Qt::Vertical, this))
    , m_fields(new QuestionFields(std::move(project), this))
    , m_chart(new AlternativesChart(this))
    , m_whatIf(new WhatIfPart(this))
    , m_stack(new StackedTimelines(this))
    , m_sweep(new SweepPart([this] { return m_fields->question(); }, this))
    , m_noise(new NoisePart(this))
    , m_improve(new ImprovePart(this))
    , m_table(new AlternativesTable(this))
    , m_pictures(new RowPictures(*m_rows, *m_stack, this))
    , m_predictions(new WhatIfRows(*m_rows, *m_whatIf, this))
{
    makeLayout();
    connectParts();
    m_tabs->setCurrentIndex(static_cast<int>(first));
    showTab();
}

void AlternativesPage::makeLayout()
{
    m_tabs->setObjectName(QStringLiteral("alternatives-tabs"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    for (const QString& title : {tr("Time and memory"), tr("Side by side"), tr("What if"),
                                 tr("Sweep"), tr("Noise"), tr("Improve")})
        m_tabs->addTab(title);
    auto* pictures = new QWidget(this);
    auto* below = new QVBoxLayout(pictures);
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(4);
    below->addWidget(m_whatIf);
    below->addWidget(m_stack, 1);
    for (QWidget* view :
         std::initializer_list<QWidget*>{m_chart, pictures, m_sweep, m_noise, m_improve})
        m_views->addWidget(view);
    m_split->addWidget(m_views);
    m_split->addWidget(m_table);
    m_split->setStretchFactor(0, 3);
    m_split->setStretchFactor(1, 2);
    m_split->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(6);
    layout->addWidget(m_tabs);
    layout->addWidget(m_fields);
    layout->addWidget(m_split, 1);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
}

void AlternativesPage::connectParts()
{
    connect(m_tabs, &QTabBar::currentChanged, this, &AlternativesPage::showTab);
    connect(m_fields, &QuestionFields::changed, this, &AlternativesPage::rankAgain);
    connect(m_noise, &NoisePart::modelChanged, this, [this] {
        if (m_fields->noisy())
            rankAgain();
    });
    connect(m_rows, &AlternativeRows::changed, this, &AlternativesPage::showRows);
    connect(m_ranking, &FamilyRanking::changed, this,
            [this] { m_rows->setFamilies(m_ranking->rows()); });
    connect(m_ranking, &FamilyRanking::finished, this, &AlternativesPage::finishRanking);
    connect(m_ranking, &FamilyRanking::helped, this, &Page::selectionChanged);
    connect(m_chart, &AlternativesChart::chosen, m_table, &AlternativesTable::setCurrent);
    connect(m_chart, &AlternativesChart::activated, this, &AlternativesPage::open);
    connect(m_chart, &AlternativesChart::told, this, &Page::told);
    connect(m_table, &AlternativesTable::currentChanged, this, &AlternativesPage::noteCurrent);
    connect(m_table, &AlternativesTable::selectionChanged, this, &AlternativesPage::showPictures);
    connect(m_table, &AlternativesTable::activated, this, &AlternativesPage::open);
    connect(m_table, &AlternativesTable::addRequested, this, &AlternativesPage::addRequested);
    connect(m_pictures, &RowPictures::closed, m_table,
            [this](int id) { m_table->choose(id, false); });
    connect(m_stack, &StackedTimelines::told, this, &Page::told);
    connect(m_stack, &StackedTimelines::figuresChanged, this, [this] {
        Q_EMIT titleChanged();
        Q_EMIT figuresChanged();
    });
    connect(m_stack, &StackedTimelines::selectionChanged, this, &Page::selectionChanged);
    connect(m_stack, &StackedTimelines::keepRequested, this, &AlternativesPage::keepRequested);
    connect(m_sweep, &SweepPart::told, this, &Page::told);
    connect(m_sweep, &SweepPart::changed, this, &Page::figuresChanged);
    connect(m_sweep, &SweepPart::chosen, this, [this](const QString& family) {
        for (const Alternative& row : rows())
            if (row.name == family)
                return m_table->setCurrent(row.id);
    });
    connect(m_predictions, &WhatIfRows::shown, m_table, &AlternativesTable::select);
    connect(m_whatIf, &WhatIfPart::openRequested, this,
            [this] { open(m_predictions->predicted()); });
    connect(m_improve, &ImprovePart::found, this, [this](const ComparedPtr& order) {
        m_rows->set(m_rows->add(AlternativeKind::Found, order->title), order);
    });
}

AlternativesPage::Tab AlternativesPage::tab() const
{
    return static_cast<Tab>(m_tabs->currentIndex());
}

void AlternativesPage::setTab(Tab tab)
{
    m_tabs->setCurrentIndex(static_cast<int>(tab));
}

void AlternativesPage::showTab()
{
    const Tab now = tab();
    m_chart->hideCard();
    m_fields->setVisible(now == Tab::Families || now == Tab::Sweep);
    m_whatIf->setVisible(now == Tab::WhatIf);
    // Both tabs with timelines show the same ones.
    m_views->setCurrentIndex(static_cast<int>(now) - (now >= Tab::WhatIf ? 1 : 0));
    const int lines = picturing() ? 7 : 14;
    const int rest = std::max(m_split->height(), fontMetrics().height() * 40);
    m_split->setSizes({rest - fontMetrics().height() * lines, fontMetrics().height() * lines});
    if (now == Tab::Families && !m_asked)
        rankAgain();
    m_predictions->setWanted(now == Tab::WhatIf);
    noteCurrent();
    if (now == Tab::SideBySide && m_table->selected().empty())
        m_table->select(firstSideBySide(rows()));
    showPictures();
    Q_EMIT titleChanged();
    Q_EMIT figuresChanged();
    Q_EMIT selectionChanged();
}

int AlternativesPage::add(const QString& title, AlternativeKind kind)
{
    const int id = m_rows->add(kind, title);
    if (m_first == Tab::SideBySide)
        m_table->choose(id, true);
    return id;
}

void AlternativesPage::setLengths(int id, RunLengthsPtr lengths)
{
    m_pictures->setLengths(id, std::move(lengths));
}

void AlternativesPage::setProject(Project project)
{
    m_fields->setProject(std::move(project));
}

void AlternativesPage::setImprover(Improver& improver, ScheduleDocument* document)
{
    m_improve->set(improver, document);
}

bool AlternativesPage::busy() const
{
    return m_ranking->busy() || m_sweep->busy() || m_whatIf->busy();
}

/// Asks for all families anew, once they were asked for at all.
void AlternativesPage::rankAgain()
{
    if (!m_asked && tab() != Tab::Families)
        return m_sweep->begin();
    m_asked = true;
    RankQuestion question = m_fields->question();
    if (m_fields->noisy())
        question.noise = m_noise->model();
    m_chart->setSentence(tr("Working out the schedules …"));
    m_ranking->begin(question);
    m_rows->setQuestion(question);
    m_sweep->begin();
    Q_EMIT titleChanged();
}

void AlternativesPage::finishRanking()
{
    const auto made = std::find_if(rows().begin(), rows().end(), [](const Alternative& row) {
        return row.ranked != nullptr && row.made();
    });
    QString why;
    if (made == rows().end()) {
        const auto first = std::find_if(rows().begin(), rows().end(), [](const Alternative& row) {
            return row.ranked != nullptr;
        });
        why = first == rows().end() ? tr("there is none") : first->problem;
        m_chart->setSentence(tr("No family can be made so: %1.").arg(why));
    } else if (made->fits()) {
        m_ranking->askHelp(m_rows->question(), *made->ranked);
    }
    m_fields->refuse(why);
    if (m_table->row(m_table->current()) == nullptr && !rows().empty())
        m_table->setCurrent(rows().front().id);
    Q_EMIT figuresChanged();
    Q_EMIT ranked();
}

void AlternativesPage::showRows()
{
    const Alternative* base = m_rows->baseline();
    const RankQuestion& question = m_rows->question();
    m_table->set(rows(), question, base != nullptr ? base->makespan : 0);
    m_chart->set(rows(), question, m_fields->capText(), base != nullptr ? base->id : 0);
    noteCurrent();
    Q_EMIT figuresChanged();
}

/// What the other parts say of the row that is current.
void AlternativesPage::noteCurrent()
{
    const Alternative* row = m_table->row(m_table->current());
    m_chart->setCurrent(m_table->current());
    if (row == nullptr)
        return;
    m_sweep->setCurrent(row->name);
    if (tab() == Tab::Noise)
        m_noise->set(*row);
    Q_EMIT selectionChanged();
}

void AlternativesPage::showPictures()
{
    if (!picturing())
        return;
    if (!m_pictures->show(m_table->selected()))
        Q_EMIT told(tr("The first %1 of the chosen rows are shown.").arg(RowPictures::most));
    Q_EMIT figuresChanged();
}

void AlternativesPage::open(int id)
{
    const Alternative* row = m_rows->row(id);
    if (row == nullptr)
        return;
    m_chart->hideCard();
    if (Page* page = m_origins.count(id) > 0 ? m_origins[id].data() : nullptr)
        return Q_EMIT pageRequested(page);
    if (row->kind == AlternativeKind::Run && row->timeline != nullptr)
        return Q_EMIT runRequested(row->timeline->run);
    if (id == m_predictions->predicted() && row->timeline != nullptr)
        return Q_EMIT openRequested(m_predictions->project(m_name));
    const Result<Project> project = projectOf(*row, m_rows->question());
    if (project)
        Q_EMIT openRequested(*project);
    else
        Q_EMIT refused(coreSentence(project.error().message));
}

std::vector<TimelineView*> AlternativesPage::timelines()
{
    return picturing() ? m_stack->timelines() : std::vector<TimelineView*>{};
}

FindBar* AlternativesPage::findBar()
{
    return picturing() ? m_stack->findBar() : nullptr;
}

Playback* AlternativesPage::playback()
{
    return picturing() ? m_stack->playback() : nullptr;
}

QLineEdit* AlternativesPage::searchField()
{
    return &m_table->filter();
}

std::vector<QWidget*> AlternativesPage::beside()
{
    std::vector<QWidget*> all = m_stack->beside();
    all.insert(all.end(), {m_tabs, m_fields, m_whatIf, m_table});
    return all;
}

QString AlternativesPage::title() const
{
    if (m_first == Tab::SideBySide)
        return m_stack->title();
    if (m_first == Tab::WhatIf)
        return tr("What if · %1").arg(m_name);
    return tr("Alternatives · %1").arg(m_fields->named(m_name));
}

QString AlternativesPage::whyNoFigure() const
{
    return picturing() ? m_stack->whyNoFigure() : Page::whyNoFigure();
}

FigureContent AlternativesPage::figure() const
{
    return m_stack->figure();
}

QString AlternativesPage::figures() const
{
    if (picturing())
        return m_stack->figures();
    if (m_ranking->busy())
        return tr("%1 of %2 schedules")
            .arg(m_ranking->stale() ? 0 : m_ranking->rows().size())
            .arg(m_ranking->candidates());
    return rankingFigures(rows(), m_ranking->nanoseconds(), m_sweep->busy());
}

PageDetails AlternativesPage::details() const
{
    if (picturing())
        return m_stack->details();
    return detailsOf(m_table->row(m_table->current()), m_rows->baseline(), m_ranking->help());
}

} // namespace pw::ui
