// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/activity_view.h"

#include "core/trace/short_name.h"
#include "ui/document/background.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/traces/slice_selection_painter.h"

#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSettings>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw::ui {

ActivityView::ActivityView(ViewRange& range, QWidget* parent)
    : LaneView(range, parent)
    , m_card(new TextCard(this))
    , m_picture([this](std::int32_t name) {
        const Result<std::string> read = m_activity->source.name(name);
        return read ? text(shortName(*read)) : QString();
    })
{
    setAccessibleName(tr("Activities"));
    setTitlesCanWiden(true);
    const QString widthKey = QStringLiteral("traces/wider-titles");
    m_range.setWiderTitles(QSettings().value(widthKey).toInt());
    connect(this, &LaneView::titlesWidened, this,
            [this, widthKey] { QSettings().setValue(widthKey, m_range.widerTitles()); });
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    connect(&m_range, &ViewRange::changed, this, [this] {
        hideCard();
        viewport()->update();
    });
}

ActivityView::~ActivityView() = default;

void ActivityView::setActivity(ShownActivityPtr activity)
{
    m_activity = std::move(activity);
    m_picture.setActivity(m_activity);
    m_found.setActivity(m_activity);
    m_selection.setActivity(m_activity);
    m_gaps.reset();
    setStretch(std::nullopt);
    makeRows();
    m_range.setWhole(0, m_activity == nullptr ? 1 : m_activity->end);
    m_range.fit();
    relayout();
    findGaps();
}

void ActivityView::makeRows()
{
    m_rows = m_activity == nullptr
                 ? LaneRows()
                 : ActivityRows(m_activity->source.lanes(), m_picture.counterRows(), m_ranks);
}

void ActivityView::setRanks(const RankRows& ranks)
{
    m_ranks = ranks;
    const LaneRows before = m_rows;
    makeRows();
    for (const LaneRows::Row& row : before.rows())
        if (row.lane >= 0 && before.isPinned(row.lane) && m_rows.rowOf(row.lane) != nullptr &&
            !m_rows.isPinned(row.lane))
            m_rows.togglePin(row.lane);
    if (currentLane() >= 0 && m_rows.rowOf(currentLane()) == nullptr)
        clearSelection();
    relayout();
}

void ActivityView::findGaps()
{
    if (m_activity == nullptr)
        return;
    inBackground(this, [this, activity = m_activity]() -> std::function<void()> {
        auto gaps = std::make_shared<const IdleGaps>(activity->trace, activity->source.order(),
                                                     activity->pairs);
        return [this, activity, gaps] {
            if (activity != m_activity)
                return;
            m_gaps = gaps;
            Q_EMIT gapsKnown();
        };
    });
}

void ActivityView::setColorBy(SliceColors by)
{
    m_picture.setColorBy(by);
    viewport()->update();
}

void ActivityView::relayout()
{
    const int shown = viewport()->height();
    verticalScrollBar()->setRange(0, std::max(0, m_rows.height() - shown));
    verticalScrollBar()->setPageStep(shown);
    verticalScrollBar()->setSingleStep(ActivityRows::levelHeight * 2);
    repaintRows();
}

void ActivityView::repaintRows()
{
    m_picture.spoil();
    viewport()->update();
}

void ActivityView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    relayout();
}

void ActivityView::changeEvent(QEvent* event)
{
    // Colours, or the letters of names.
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        repaintRows();
    LaneView::changeEvent(event);
}

void ActivityView::toggle(std::size_t key)
{
    m_rows.toggle(key);
    relayout();
}

QString ActivityView::search(const QString& words)
{
    repaintRows();
    return m_found.search(words);
}

void ActivityView::searchName(std::int32_t name)
{
    m_found.searchName(name);
    repaintRows();
}

bool ActivityView::showNext(int direction)
{
    const std::int64_t place = m_found.beside(chosen(), direction);
    if (place < 0)
        return false;
    goTo(m_found.spanAt(place));
    return true;
}

void ActivityView::goTo(const std::optional<ChosenSlice>& slice)
{
    if (!slice)
        return;
    int row = m_rows.openLane(slice->lane);
    if (row < 0) {
        setRanks({{}, m_ranks.groups});
        row = m_rows.openLane(slice->lane);
        Q_EMIT allRanksShown();
    }
    choose(slice);
    m_range.reveal(static_cast<double>(slice->slice.start), static_cast<double>(slice->slice.end));
    relayout();
    if (row < 0)
        return;
    const LaneRows::Row& shown = m_rows.rows()[static_cast<std::size_t>(row)];
    const int top = verticalScrollBar()->value();
    if (shown.top < top || shown.top + shown.height > top + viewport()->height())
        verticalScrollBar()->setValue(shown.top - viewport()->height() / 3);
}

void ActivityView::goTo(std::int32_t span)
{
    if (span >= 0)
        goTo(sliceWalk().ofSpan(span));
}

void ActivityView::choose(std::optional<ChosenSlice> slice, std::optional<ChosenGap> gap)
{
    if (!m_selection.choose(slice, std::move(gap)))
        return;
    viewport()->update();
    Q_EMIT selectionChanged();
}

std::optional<ChosenGap> ActivityView::gapAt(QPointF point) const
{
    const int lane = point.x() < margin() || m_gaps == nullptr ? -1 : laneAt(point);
    if (lane < 0)
        return std::nullopt;
    std::optional<IdleGap> gap =
        m_gaps->ofStream(static_cast<std::size_t>(lane), std::llround(timeAt(point.x())));
    return gap ? std::optional(ChosenGap{lane, *std::move(gap)}) : std::nullopt;
}

ActivityPicture::Frame ActivityView::frame() const
{
    return {viewport()->size(),           room(),
            devicePixelRatioF(),          PixelScale(scale(), devicePixelRatioF()),
            verticalScrollBar()->value(), font()};
}

void ActivityView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    if (m_activity == nullptr) {
        painter.fillRect(viewport()->rect(), color(Role::Paper));
        return;
    }
    const SliceGeometry geometry = this->geometry();
    painter.drawPixmap(0, 0, m_picture.paint(frame(), m_rows, m_found));
    painter.setClipRect(room());
    SliceSelectionPainter(geometry).paint(painter, m_selection);
    MarkPainter(scale(), room(), font()).paint(painter, marks());
}

// Mouse and keys

bool ActivityView::pressLanes(QMouseEvent&)
{
    // Also over slices time is measured: nothing is dragged there.
    hideCard();
    return false;
}

void ActivityView::moveLanes(QMouseEvent& event)
{
    if (event.buttons() == Qt::NoButton)
        hover(event.position().toPoint());
}

bool ActivityView::pressTitle(QPointF point)
{
    hideCard();
    const LaneRows::Row* row = geometry().rowAt(point);
    if (row == nullptr || row->counter >= 0)
        return false;
    toggle(row->key);
    return true;
}

void ActivityView::clickLanes(QPointF point)
{
    // The title of a heading reaches over the lanes.
    if (const LaneRows::Row* row = geometry().rowAt(point); row != nullptr && row->lane < 0) {
        if (row->counter < 0)
            toggle(row->key);
        return;
    }
    const std::optional<ChosenSlice> slice = sliceAt(point.toPoint());
    choose(slice, slice ? std::nullopt : gapAt(point));
    if (!slice)
        setStretch(std::nullopt);
}

void ActivityView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const std::optional<ChosenSlice> at = sliceAt(event->position().toPoint())) {
        choose(at);
        open();
    } else if (event->position().x() >= margin()) {
        m_range.fit();
    }
}

void ActivityView::open()
{
    const std::optional<TimeStretch> times = currentTimes();
    const auto from = static_cast<double>(times->start), to = static_cast<double>(times->end);
    const double room = (to - from) * 0.1;
    m_range.show(from - room, to + room);
}

void ActivityView::stepAlong(int direction)
{
    if (m_activity == nullptr)
        return;
    const SliceWalk walk = sliceWalk();
    const std::optional<ChosenGap>& gap = chosenGap();
    if (chosen())
        goTo(walk.along(*chosen(), direction));
    else
        goTo(gap ? walk.at(gap->lane, 0, direction > 0 ? gap->gap.end : gap->gap.start - 1)
                 : walk.first());
}

void ActivityView::stepAcross(int direction)
{
    if (chosen())
        goTo(sliceWalk().across(*chosen(), direction));
    else if (chosenGap())
        goTo(sliceWalk().beside(chosenGap()->lane, chosenGap()->gap.start, direction));
}

double ActivityView::snapped(double time, QPointF at) const
{
    return std::clamp(geometry().snapped(time, at), static_cast<double>(m_range.wholeBegin()),
                      static_cast<double>(m_range.wholeEnd()));
}

// Hover

void ActivityView::leaveEvent(QEvent* event)
{
    hideCard();
    QAbstractScrollArea::leaveEvent(event);
}

bool ActivityView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        hideCard();
    return QAbstractScrollArea::viewportEvent(event);
}

void ActivityView::hideCard()
{
    m_card->hide();
    Q_EMIT told({});
}

void ActivityView::hover(QPoint point)
{
    const LaneRows::Row* row = geometry().rowAt(point);
    if (point.x() < margin() && row != nullptr) {
        m_card->showAt(SliceWords::of(*row), point);
        return;
    }
    std::optional<SliceWords::Said> said;
    if (const std::optional<ChosenSlice> slice = sliceAt(point))
        said = words().of(*slice, [this](const QString& name) {
            return fontMetrics().elidedText(name, Qt::ElideMiddle, std::max(200, width() / 2));
        });
    else if (const std::optional<ChosenGap> gap = gapAt(point))
        said = SliceWords::of(*gap);
    if (!said) {
        hideCard();
        return;
    }
    m_card->showAt(said->card, point);
    Q_EMIT told(said->line);
}

} // namespace pw::ui
