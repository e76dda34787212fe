// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/stacked_timelines.h"

#include "ui/compare/compare_figure.h"
#include "ui/compare/compare_hover.h"
#include "ui/compare/compare_tables.h"
#include "ui/compare/stack_selection.h"
#include "ui/compare/stack_tools.h"
#include "ui/compare/stacked_row.h"
#include "ui/document/background.h"
#include "ui/document/schedule_document.h"
#include "ui/presentation.h"
#include "ui/timeline/schedule_links.h"
#include "ui/timeline/time_ruler.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/value_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

int buttonHeight(const QWidget& widget)
{
    return std::max(26, widget.fontMetrics().height() + 10);
}

} // namespace

StackedTimelines::StackedTimelines(QWidget* parent)
    : QWidget(parent)
    , m_colour(new HeatChoice(this))
    , m_keep(new QPushButton(tr("&Keep this answer"), this))
    , m_stack(new QSplitter(Qt::Vertical, this))
    , m_tables(new CompareTables(this))
    , m_tools(new StackTools(this))
    , m_selection(new StackSelection(m_rows, m_range, this))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_stack->setChildrenCollapsible(false);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_stack);
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setChildrenCollapsible(false);
    parts->addWidget(scroll);
    parts->addWidget(m_tables);
    parts->setStretchFactor(0, 1);
    parts->setStretchFactor(1, 0);
    // The timelines are the page; the tables have a few rows.
    parts->setSizes({fontMetrics().height() * 60, fontMetrics().height() * 10});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeBar());
    layout->addWidget(new TimeRuler(m_range, this));
    layout->addWidget(parts, 1);
    connect(m_tables, &CompareTables::passChosen, this, &StackedTimelines::reveal);
    connect(m_selection, &StackSelection::changed, this, &StackedTimelines::selectionChanged);
    connect(m_colour, &HeatChoice::changed, this, &StackedTimelines::showHeat);
    connect(m_tools, &StackTools::moved, this, [this](std::optional<double> time) {
        for (const auto& row : m_rows)
            row->view->setLayer(CursorLayer{time});
    });
}

StackedTimelines::~StackedTimelines()
{
    // The views look at the range until they go.
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

std::vector<QWidget*> StackedTimelines::beside() const
{
    return {m_tables, m_keep};
}

QWidget* StackedTimelines::makeBar()
{
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(14, 4, 12, 4);
    row->addWidget(m_colour);
    row->addStretch(1);
    m_keep->setObjectName(QStringLiteral("keep"));
    m_keep->setMinimumHeight(buttonHeight(*this));
    row->addWidget(m_keep);
    connect(m_keep, &QPushButton::clicked, this, &StackedTimelines::keepRequested);
    return bar;
}

void StackedTimelines::connectRow(StackedRow& row)
{
    const int id = row.id;
    connect(row.close, &QToolButton::clicked, this, [this, id] {
        remove(id);
        Q_EMIT removed(id);
    });
    connect(row.view, &TimelineView::selectionChanged, this, [this, id] {
        if (const StackedRow* shown = rowOf(id); shown != nullptr)
            m_selection->follow(*shown);
    });
    connect(row.board, &TimelineWorkspace::told, this, &StackedTimelines::told);
    // Where all have the same devices the same ones stand below each other.
    connect(row.view->verticalScrollBar(), &QScrollBar::valueChanged, this, [this, id](int value) {
        const StackedRow* scrolled = rowOf(id);
        for (const auto& other : m_rows)
            if (scrolled != nullptr && other->id != id &&
                other->view->verticalScrollBar()->maximum() ==
                    scrolled->view->verticalScrollBar()->maximum())
                other->view->verticalScrollBar()->setValue(value);
    });
}

int StackedTimelines::add(const QString& title)
{
    auto row = std::make_unique<StackedRow>(m_nextId++, title, m_range, m_stack);
    connectRow(*row);
    m_stack->addWidget(row->box);
    m_rows.push_back(std::move(row));
    if (m_rows.size() == 1)
        setFocusProxy(m_rows.front()->view);
    refresh();
    return m_rows.back()->id;
}

StackedRow* StackedTimelines::rowOf(int id)
{
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [id](const auto& row) { return row->id == id; });
    return found == m_rows.end() ? nullptr : found->get();
}

void StackedTimelines::set(int id, ComparedPtr timeline)
{
    StackedRow* row = rowOf(id);
    if (row == nullptr || timeline == nullptr)
        return;
    row->timeline = std::move(timeline);
    row->difference = nullptr;
    row->against = nullptr;
    row->lengths = nullptr;
    row->title = row->timeline->title;
    row->problem.clear();
    row->source->set(row->timeline);
    showRange();
    refresh();
}

void StackedTimelines::setLengths(int id, RunLengthsPtr lengths)
{
    if (StackedRow* row = rowOf(id); row != nullptr) {
        row->lengths = std::move(lengths);
        m_tables->show(comparedRows());
    }
}

void StackedTimelines::setProblem(int id, const QString& why)
{
    if (StackedRow* row = rowOf(id); row != nullptr) {
        row->problem = why;
        refresh();
    }
}

void StackedTimelines::remove(int id)
{
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [id](const auto& row) { return row->id == id; });
    if (found == m_rows.end())
        return;
    (*found)->box->hide();
    (*found)->box->deleteLater();
    m_rows.erase(found);
    setFocusProxy(m_rows.empty() ? nullptr : m_rows.front()->view);
    showRange();
    refresh();
}

ComparedPtr StackedTimelines::compared(int row) const
{
    return m_rows[static_cast<std::size_t>(row)]->timeline;
}

DifferencePtr StackedTimelines::difference(int row) const
{
    return m_rows[static_cast<std::size_t>(row)]->difference;
}

TimelineView& StackedTimelines::timeline(int row)
{
    return *m_rows[static_cast<std::size_t>(row)]->view;
}

void StackedTimelines::setColour(Colour colour)
{
    m_colour->choose(colour);
}

/// The range covers the longest.
void StackedTimelines::showRange()
{
    Ticks begin = 0, end = 1;
    for (const auto& row : m_rows) {
        if (row->timeline == nullptr)
            continue;
        begin = std::min(begin, row->timeline->lanes->begin());
        end = std::max(end, row->timeline->lanes->end());
    }
    m_range.setWhole(begin, end);
}

void StackedTimelines::refresh()
{
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        compareRow(i);
    showTitles();
    showHeat();
    m_tables->show(comparedRows());
    showKeep();
    m_tools->attach(m_rows);
    Q_EMIT figuresChanged();
}

void StackedTimelines::compareRow(std::size_t index)
{
    StackedRow& row = *m_rows[index];
    const ComparedPtr before = index > 0 ? m_rows[index - 1]->timeline : nullptr;
    if (before == nullptr || row.timeline == nullptr) {
        row.difference = nullptr;
        row.against = nullptr;
        return;
    }
    if (row.difference != nullptr && row.against == before)
        return;
    row.difference = nullptr;
    row.against = before;
    inBackground(this,
                 [this, id = row.id, before, after = row.timeline]() -> std::function<void()> {
                     const DifferencePtr found = differenceOf(*before, *after);
                     return [this, id, before, after, found] { take(id, before, after, found); };
                 });
}

void StackedTimelines::take(int id, ComparedPtr before, ComparedPtr after, DifferencePtr difference)
{
    StackedRow* row = rowOf(id);
    // Meanwhile something else may have come.
    if (row == nullptr || row->against != before || row->timeline != after)
        return;
    row->difference = std::move(difference);
    showTitles();
    showHeat();
    m_tables->show(comparedRows());
    Q_EMIT figuresChanged();
}

void StackedTimelines::showTitles()
{
    const std::vector<ComparedRow> shown = comparedRows();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        StackedRow& row = *m_rows[i];
        row.name->setText(row.title);
        row.close->setVisible(m_rows.size() > 2);
        row.close->setToolTip(tr("Take %1 out of the comparison").arg(row.title));
        row.close->setAccessibleName(row.close->toolTip());
        row.view->setAccessibleName(tr("Timeline of %1").arg(row.title));
        setInk(row.about, row.problem.isEmpty() ? Role::Secondary : Role::Refusal);
        row.about->setText(aboutRow(shown[i], i > 0 ? m_rows[i - 1]->title : QString()));
        row.about->setToolTip(row.about->text());
    }
}

void StackedTimelines::showHeat()
{
    std::vector<DifferencePtr> differences;
    for (const auto& row : m_rows)
        differences.push_back(row->difference);
    const std::vector<HeatShown> heats = m_colour->heats(differences);
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_rows[i]->source->setDifference(differences[i], heats[i]);
}

std::vector<ComparedRow> StackedTimelines::comparedRows() const
{
    std::vector<ComparedRow> rows;
    for (const auto& row : m_rows)
        rows.push_back({row->title, row->problem, row->timeline, row->difference, row->lengths,
                        row->view->current()});
    return rows;
}

void StackedTimelines::reveal(const Pass& pass)
{
    m_selection->reveal(pass);
}

FindBar* StackedTimelines::findBar() const
{
    return m_tools->find();
}

Playback* StackedTimelines::playback() const
{
    return m_tools->playback();
}

std::vector<TimelineView*> StackedTimelines::timelines() const
{
    std::vector<TimelineView*> views;
    for (const std::unique_ptr<StackedRow>& row : m_rows)
        views.push_back(row->view);
    return views;
}

QString StackedTimelines::title() const
{
    if (m_rows.size() == 2)
        return tr("%1 ↔ %2").arg(m_rows[0]->title, m_rows[1]->title);
    return tr("Comparison of %1").arg(m_rows.size());
}

QString StackedTimelines::whyNoFigure() const
{
    const bool all = std::all_of(m_rows.begin(), m_rows.end(),
                                 [](const auto& row) { return row->timeline != nullptr; });
    return all && !m_rows.empty() ? QString() : tr("A timeline is not there yet.");
}

FigureContent StackedTimelines::figure() const
{
    std::vector<ComparedPtr> timelines;
    for (const auto& row : m_rows)
        timelines.push_back(row->timeline);
    return figureOf(timelines);
}

PageDetails StackedTimelines::details() const
{
    return detailsOf(comparedRows());
}

QString StackedTimelines::figures() const
{
    return makespansOf(comparedRows());
}

} // namespace pw::ui
