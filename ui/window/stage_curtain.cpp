// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/stage_curtain.h"

#include "ui/charts/bubble_chart.h"
#include "ui/charts/step_chart.h"
#include "ui/one_line.h"
#include "ui/pages/page.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/kind_legend.h"
#include "ui/timeline/lane_geometry.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/playback.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/main_window.h"
#include "ui/window/note_view.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"
#include "ui/window/schedule_source.h"
#include "ui/window/stage_card.h"
#include "ui/workspace/chart_stack.h"
#include "ui/workspace/timeline_workspace.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

/// A projector of few pixels, or one whose text is large: the lanes come first.
constexpr int lowStage = 640;

/// Below this there is no room for cards and all charts.
constexpr int lowWithCards = 900;

/// As many lines of text leave no room for cards and all charts either, on a screen of any height.
constexpr int fewLines = 36;

constexpr int least = 24; ///< pixels of a lane
constexpr int most = 110; ///< of a lane where the stage is `usualStage` high
constexpr int usualStage = 800;

/// What somebody has noted of what a page shows.
QString notesOf(const Page& page)
{
    if (const auto* schedule = qobject_cast<const SchedulePage*>(&page))
        return text(schedule->document().project().notes);
    const auto* run = qobject_cast<const RunPage*>(&page);
    return run != nullptr && run->shown() ? text(run->shown()->details.run.notes) : QString();
}

} // namespace

QFont stageFont(QFont font, int height)
{
    constexpr double growth = 1.5, usual = 900, fewest = 28;
    const double line = QFontMetricsF(font).height();
    const double wanted = growth * std::max(1.0, height / usual);
    // Letters that are large already leave room for some lines.
    font.setPointSizeF(font.pointSizeF() *
                       std::max(growth, std::min(wanted, height / fewest / line)));
    return font;
}

double stageScale(int height)
{
    return std::max(1.0, static_cast<double>(height) / usualStage);
}

StageCurtain::StageCurtain(Page& page, QObject* parent)
    : QObject(parent)
    , m_page(&page)
    , m_laneHeight(timeline()->wantedLaneHeight())
{
    Playback* playback = page.playback();
    for (QWidget* widget : page.beside())
        hide(widget);
    if (TimelineWorkspace* workspace = page.workspace()) {
        hide(workspace->overview());
        hide(workspace->legend());
        m_chainWas = workspace->criticalShown();
        workspace->setCriticalShown(true);
        m_bubbleWas = !workspace->charts().bubble().isHidden();
        m_memoryWas = !workspace->charts().memory().isHidden();
    }
    addTitle();
    addCards();
    auto* layout = qobject_cast<QVBoxLayout*>(page.layout());
    m_card = new StageCard(&page);
    layout->insertWidget(0, m_head);
    m_foot = new QWidget(&page);
    auto* below = new QVBoxLayout(m_foot);
    below->setContentsMargins(14, 2, 14, 10);
    below->setSpacing(8);
    if (m_note)
        below->addWidget(m_note);
    below->addWidget(m_card);
    layout->addWidget(m_foot);
    playback->setSentenceShown(false);
    connect(playback, &Playback::moved, this, &StageCurtain::tell);
    connect(timeline(), &TimelineView::lanesChanged, this, &StageCurtain::follow);
    restart();
    playback->show();
    timeline()->viewport()->installEventFilter(this);
    arrange();
}

StageCurtain::~StageCurtain()
{
    delete m_head;
    delete m_foot; // with the cards
    for (const QPointer<QWidget>& widget : m_hidden)
        if (widget)
            widget->show();
    if (!m_page)
        return;
    if (TimelineWorkspace* workspace = m_page->workspace()) {
        workspace->charts().setGrown(std::nullopt);
        workspace->charts().bubble().setVisible(m_bubbleWas);
        workspace->charts().memory().setVisible(m_memoryWas);
        workspace->setCriticalShown(m_chainWas);
    }
    if (Playback* playback = m_page->playback()) {
        disconnect(playback, nullptr, this, nullptr);
        playback->setSentenceShown(true);
        playback->close();
    }
    if (TimelineView* view = timeline()) {
        view->setLaneHeight(m_laneHeight);
        view->setLayer(StageLayer{});
        view->setLayer(LitLayer{});
    }
}

/// The topmost timeline of the page; null: it has none.
TimelineView* StageCurtain::timeline() const
{
    const std::vector<TimelineView*> views = m_page->timelines();
    return views.empty() ? nullptr : views.front();
}

/// Takes what is beside the timeline away until the curtain falls.
void StageCurtain::hide(QWidget* widget)
{
    if (widget == nullptr || widget->isHidden())
        return;
    widget->hide();
    m_hidden.emplace_back(widget);
}

void StageCurtain::addTitle()
{
    m_head = new QWidget(m_page);
    auto* row = new QHBoxLayout(m_head);
    row->setContentsMargins(14, 10, 14, 6);
    m_title = new OneLine(m_page->title(), m_head);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setObjectName(QStringLiteral("stage-title"));
    QFont bold = m_page->font();
    bold.setWeight(QFont::DemiBold);
    bold.setPointSizeF(bold.pointSizeF() * 1.3);
    m_title->setFont(bold);
    row->addWidget(m_title, 1);
    m_keys = new QLabel(m_head);
    m_keys->setObjectName(QStringLiteral("stage-keys"));
    QFont small = m_page->font();
    small.setPointSizeF(small.pointSizeF() * 0.75);
    m_keys->setFont(small);
    setInk(m_keys, Role::Secondary);
    row->addWidget(m_keys);
}

void StageCurtain::addCards()
{
    std::vector<NoteCard> cards = noteCards(notesOf(*m_page));
    m_keys->setText(
        cards.empty()
            ? MainWindow::tr("← → step · Space play · L pointer · Esc leave")
            : MainWindow::tr("← → step · Space play · N card · C cards away · L pointer · Esc "
                             "leave"));
    if (cards.empty())
        return;
    m_note = new NoteView(cards, m_page);
    connect(m_note, &NoteView::walkAsked, this, &StageCurtain::walkCards);
    m_deck = NoteDeck(std::move(cards), {}, 0);
}

void StageCurtain::arrange()
{
    TimelineView* view = m_page ? timeline() : nullptr;
    if (view == nullptr)
        return;
    const int height = m_page->height();
    const bool cards = m_note && !m_cardsAway;
    const bool low = height < lowStage;
    const int lines = height / std::max(1, m_page->fontMetrics().height());
    const bool tight = low || (cards && (height < lowWithCards || lines < fewLines));
    const auto lanes = view->lanes() ? static_cast<int>(view->lanes()->lanes().size()) : 1;
    const double part = tight && cards ? 0.36 : tight ? 0.4 : 0.5;
    m_wanted = std::clamp(static_cast<int>(height * part) / std::max(1, lanes), least,
                          std::max(most, most * height / usualStage));
    if (TimelineWorkspace* workspace = m_page->workspace()) {
        workspace->charts().bubble().setVisible(m_bubbleWas && !tight);
        workspace->charts().memory().setVisible(m_memoryWas && !(low && cards));
    }
    if (m_note)
        m_note->setRoom(height / 4);
    m_card->setBrief(cards && tight);
    // A long title comes before what can be looked up.
    m_keys->setVisible(m_title->sizeHint().width() + m_keys->sizeHint().width() + 60 <
                       m_page->width());
    fitLanes();
}

/// All lanes are seen, whatever the others need.
void StageCurtain::fitLanes()
{
    TimelineView* view = timeline();
    const std::pair<int, int> now{view->viewport()->height(), m_wanted};
    if (now == m_fitted)
        return; // a bar that came and went in between changes nothing
    m_fitted = now;
    const auto lanes = view->lanes() ? static_cast<int>(view->lanes()->lanes().size()) : 1;
    const int room = now.first / std::max(1, lanes);
    int height = std::clamp(room, least, std::max(least, m_wanted));
    view->setLaneHeight(height);
    while (height > least && view->verticalScrollBar()->maximum() > 0)
        view->setLaneHeight(--height);
    // Where it gets more room later, it takes it.
    view->setMaximumHeight(LaneGeometry::top +
                           lanes * (m_wanted + LaneGeometry::gapBehind(m_wanted)));
}

bool StageCurtain::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && m_page && timeline() != nullptr &&
        watched == timeline()->viewport())
        QTimer::singleShot(0, this, [this] {
            if (m_page && timeline() != nullptr)
                fitLanes();
        });
    return QObject::eventFilter(watched, event);
}

void StageCurtain::restart()
{
    m_deck.restart();
    if (m_note)
        m_note->showCard(m_deck.shown());
    follow();
    m_page->playback()->setTime(static_cast<double>(timeline()->lanes()->begin()));
}

/// Steps and cards of the lanes that are there now.
void StageCurtain::follow()
{
    const TimelineView* view = timeline();
    if (view == nullptr || view->lanes() == m_lanes)
        return;
    m_lanes = view->lanes();
    m_events = eventTimes(*m_lanes);
    const int shown = m_deck.empty() ? 0 : m_deck.shown();
    m_deck = NoteDeck(m_deck.cards(), m_events, m_lanes->begin());
    m_deck.walk(shown);
}

void StageCurtain::walkCards(int by)
{
    if (!m_note)
        return;
    if (m_cardsAway)
        return toggleCards();
    if (!m_deck.walk(by))
        return;
    m_note->showCard(m_deck.shown());
    const std::optional<Ticks> due = m_deck.due(m_deck.shown());
    Playback* playback = m_page->playback();
    if (!due || playback == nullptr)
        return;
    playback->pause();
    playback->setTime(static_cast<double>(*due));
}

void StageCurtain::toggleCards()
{
    if (!m_note)
        return;
    m_cardsAway = !m_cardsAway;
    m_note->setVisible(!m_cardsAway);
    arrange();
}

/// What happens now, and the card that comes with it.
void StageCurtain::tell()
{
    const Playback* playback = m_page ? m_page->playback() : nullptr;
    const TimelineView* view = m_page ? timeline() : nullptr;
    if (playback == nullptr || view == nullptr || !playback->time() || !m_card)
        return;
    const Lanes& lanes = *view->lanes();
    const auto now = static_cast<Ticks>(*playback->time());
    m_card->tell(lanes, now, playback->sentence(), view->overlay().critical);
    const auto done = std::upper_bound(m_events.begin(), m_events.end(), now) - m_events.begin();
    m_card->setStep(done, static_cast<std::int64_t>(m_events.size()));
    if (m_note && m_deck.follow(now))
        m_note->showCard(m_deck.shown());
    // What has not happened has no memory yet.
    if (TimelineWorkspace* workspace = m_page->workspace())
        workspace->charts().setGrown(playback->time());
    light(now);
}

/// The passes that start now glow, and messages come to them from what they waited for.
void StageCurtain::light(Ticks now)
{
    TimelineView& view = *timeline();
    const Lanes& lanes = *view.lanes();
    LitLayer layer;
    const auto* schedule = qobject_cast<SchedulePage*>(m_page.data());
    for (std::size_t lane = 0; lane < lanes.lanes().size(); ++lane) {
        const std::int64_t at = lanes.lanes()[lane].at(now);
        if (at < 0)
            continue;
        const SpanRef span{static_cast<std::int32_t>(lane), at};
        layer.lit.push_back(span);
        const bool starts = lanes.lanes()[lane].start[static_cast<std::size_t>(at)] == now;
        if (schedule == nullptr || !starts)
            continue;
        for (const SpanRef from : linkedSpans(schedule->document(), span, false))
            if (from.lane != span.lane)
                layer.litArrows.push_back({from, span});
    }
    view.setLayer(StageLayer{true});
    view.setLayer(std::move(layer));
}

} // namespace pw::ui
