// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/compare_page.h"

#include "ui/compare/compare_figure.h"
#include "ui/compare/compare_hover.h"
#include "ui/compare/compare_tables.h"
#include "ui/compare/heat_legend.h"
#include "ui/compare/stacked_row.h"
#include "ui/document/background.h"
#include "ui/document/schedule_document.h"
#include "ui/presentation.h"
#include "ui/timeline/find_bar.h"
#include "ui/timeline/playback.h"
#include "ui/timeline/schedule_links.h"
#include "ui/timeline/time_ruler.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/value_text.h"

#include <QComboBox>
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

ComparePage::ComparePage(QWidget* parent)
    : Page(parent)
    , m_colour(new QComboBox(this))
    , m_legend(new HeatLegend(this))
    , m_keep(new QPushButton(tr("&Keep this answer"), this))
    , m_stack(new QSplitter(Qt::Vertical, this))
    , m_tables(new CompareTables(this))
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
    connect(m_tables, &CompareTables::passChosen, this, &ComparePage::reveal);
}

ComparePage::~ComparePage()
{
    // The views look at the range until they go.
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

std::vector<QWidget*> ComparePage::beside()
{
    return {m_tables, m_keep};
}

QWidget* ComparePage::makeBar()
{
    auto* bar = new QWidget(this);
    auto* label = new QLabel(tr("&Colour"), bar);
    label->setBuddy(m_colour);
    m_colour->addItem(tr("How much later a pass ends"));
    m_colour->addItem(tr("How much longer a pass takes"));
    m_colour->addItem(tr("Kind of pass"));
    m_colour->setMinimumHeight(buttonHeight(*this));
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(14, 4, 12, 4);
    row->addWidget(label);
    row->addWidget(m_colour);
    row->addSpacing(12);
    row->addWidget(m_legend);
    row->addStretch(1);
    m_keep->setObjectName(QStringLiteral("keep"));
    m_keep->setMinimumHeight(buttonHeight(*this));
    row->addWidget(m_keep);
    connect(m_keep, &QPushButton::clicked, this, &ComparePage::keepAsked);
    connect(m_colour, &QComboBox::currentIndexChanged, this, &ComparePage::showHeat);
    return bar;
}

void ComparePage::connectRow(StackedRow& row)
{
    const int id = row.id;
    connect(row.close, &QToolButton::clicked, this, [this, id] {
        remove(id);
        Q_EMIT removed(id);
    });
    connect(row.view, &TimelineView::selectionChanged, this, [this, id] { follow(id); });
    connect(row.board, &TimelineWorkspace::told, this, &Page::told);
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

int ComparePage::add(const QString& title)
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

StackedRow* ComparePage::rowOf(int id)
{
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [id](const auto& row) { return row->id == id; });
    return found == m_rows.end() ? nullptr : found->get();
}

void ComparePage::set(int id, ComparedPtr timeline)
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

void ComparePage::setLengths(int id, RunLengthsPtr lengths)
{
    if (StackedRow* row = rowOf(id); row != nullptr) {
        row->lengths = std::move(lengths);
        m_tables->show(comparedRows());
    }
}

void ComparePage::setProblem(int id, const QString& why)
{
    if (StackedRow* row = rowOf(id); row != nullptr) {
        row->problem = why;
        refresh();
    }
}

void ComparePage::remove(int id)
{
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [id](const auto& row) { return row->id == id; });
    if (found == m_rows.end() || m_rows.size() <= 1)
        return;
    (*found)->box->hide();
    (*found)->box->deleteLater();
    m_rows.erase(found);
    setFocusProxy(m_rows.front()->view);
    showRange();
    refresh();
}

ComparedPtr ComparePage::compared(int row) const
{
    return m_rows[static_cast<std::size_t>(row)]->timeline;
}

DifferencePtr ComparePage::difference(int row) const
{
    return m_rows[static_cast<std::size_t>(row)]->difference;
}

TimelineView& ComparePage::timeline(int row)
{
    return *m_rows[static_cast<std::size_t>(row)]->view;
}

void ComparePage::setColour(Colour colour)
{
    m_colour->setCurrentIndex(static_cast<int>(colour));
}

/// The range covers the longest.
void ComparePage::showRange()
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

void ComparePage::refresh()
{
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        compareRow(i);
    showTitles();
    showHeat();
    m_tables->show(comparedRows());
    showKeep();
    attachTools();
    Q_EMIT titleChanged();
    Q_EMIT figuresChanged();
}

void ComparePage::compareRow(std::size_t index)
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

void ComparePage::take(int id, ComparedPtr before, ComparedPtr after, DifferencePtr difference)
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

void ComparePage::showTitles()
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

void ComparePage::showHeat()
{
    const auto colour = static_cast<Colour>(m_colour->currentIndex());
    Ticks most = 0;
    for (const auto& row : m_rows) {
        HeatPtr heat;
        if (row->difference != nullptr && colour != Colour::Kind)
            heat = colour == Colour::Moved ? row->difference->moved : row->difference->grown;
        if (heat != nullptr)
            most = std::max(most, heat->most);
    }
    // One scale for all rows, so that colours can be compared too.
    for (const auto& row : m_rows) {
        HeatPtr heat;
        if (row->difference != nullptr && colour != Colour::Kind)
            heat = colour == Colour::Moved ? row->difference->moved : row->difference->grown;
        row->source->setDifference(row->difference, {heat, most});
    }
    m_legend->setVisible(colour != Colour::Kind && most > 0);
    m_legend->setScale(most, colour == Colour::Grown ? tr("shorter") : tr("sooner"),
                       colour == Colour::Grown ? tr("longer") : tr("later"));
}

std::vector<ComparedRow> ComparePage::comparedRows() const
{
    std::vector<ComparedRow> rows;
    for (const auto& row : m_rows)
        rows.push_back({row->title, row->problem, row->timeline, row->difference, row->lengths,
                        row->view->current()});
    return rows;
}

void ComparePage::reveal(const Pass& pass)
{
    if (m_following)
        return;
    m_following = true;
    double begin = 0, end = 0;
    bool any = false;
    for (const auto& row : m_rows) {
        if (row->timeline == nullptr)
            continue;
        const Schedule& schedule = *row->timeline->schedule;
        const Lanes& lanes = *row->timeline->lanes;
        const SpanRef span = spanOf(lanes, schedule, sameWork(schedule, pass).first);
        if (row->view->current() != span)
            row->view->select(span);
        if (!lanes.holds(span))
            continue;
        const Lane& lane = lanes.lanes()[static_cast<std::size_t>(span.lane)];
        const auto from = static_cast<double>(lane.start[static_cast<std::size_t>(span.index)]);
        const auto to = static_cast<double>(lane.end[static_cast<std::size_t>(span.index)]);
        begin = any ? std::min(begin, from) : from;
        end = any ? std::max(end, to) : to;
        any = true;
    }
    if (any)
        m_range.reveal(begin, end);
    m_following = false;
    Q_EMIT selectionChanged();
}

/// The same pass is selected in every row.
void ComparePage::follow(int id)
{
    const StackedRow* row = rowOf(id);
    if (m_following || row == nullptr || row->timeline == nullptr)
        return;
    if (const SpanRef span = row->view->current(); row->timeline->lanes->holds(span)) {
        reveal(row->timeline->lanes->pass(span));
        return;
    }
    m_following = true;
    for (const auto& other : m_rows)
        if (other->view->current().valid())
            other->view->select({});
    m_following = false;
    Q_EMIT selectionChanged();
}

void ComparePage::attachTools()
{
    if (m_rows.empty())
        return;
    if (TimelineWorkspace* top = m_rows.front()->board; top != m_searched) {
        delete m_find;
        m_searched = top;
        m_find = top->makeFindBar(this);
        layout()->addWidget(m_find);
    }
    const auto longest =
        std::max_element(m_rows.begin(), m_rows.end(), [](const auto& a, const auto& b) {
            return a->view->lanes()->end() < b->view->lanes()->end();
        });
    TimelineWorkspace* played = (*longest)->board;
    const bool there = std::any_of(m_rows.begin(), m_rows.end(),
                                   [this](const auto& row) { return row->board == m_played; });
    // A cursor that is there stays.
    if (there && (played == m_played || m_playback->time()))
        return;
    delete m_playback;
    m_played = played;
    m_playback = played->makePlayback(this);
    layout()->addWidget(m_playback);
    connect(m_playback, &Playback::moved, this, [this](std::optional<double> time) {
        for (const auto& row : m_rows)
            row->view->setLayer(CursorLayer{time});
    });
}

std::vector<TimelineView*> ComparePage::timelines()
{
    std::vector<TimelineView*> views;
    for (const std::unique_ptr<StackedRow>& row : m_rows)
        views.push_back(row->view);
    return views;
}

QString ComparePage::title() const
{
    if (m_rows.size() == 2)
        return tr("%1 ↔ %2").arg(m_rows[0]->title, m_rows[1]->title);
    return tr("Comparison of %1").arg(m_rows.size());
}

QString ComparePage::whyNoFigure() const
{
    const bool all = std::all_of(m_rows.begin(), m_rows.end(),
                                 [](const auto& row) { return row->timeline != nullptr; });
    return all && !m_rows.empty() ? QString() : tr("A timeline is not there yet.");
}

FigureContent ComparePage::figure() const
{
    std::vector<ComparedPtr> timelines;
    for (const auto& row : m_rows)
        timelines.push_back(row->timeline);
    return figureOf(timelines);
}

PageDetails ComparePage::details() const
{
    return detailsOf(comparedRows());
}

QString ComparePage::figures() const
{
    return makespansOf(comparedRows());
}

} // namespace pw::ui
