// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/activity_view.h"

#include "core/trace/short_name.h"
#include "ui/document/background.h"
#include "ui/text.h"
#include "ui/timeline/time_axis.h"

#include <QEvent>
#include <QScrollBar>
#include <QSettings>

#include <algorithm>
#include <cmath>

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
    m_chosen.reset();
    m_gap.reset();
    m_gaps.reset();
    m_walkedTo.clear();
    setStretch(std::nullopt);
    makeRows();
    m_links.clear();
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

QString ActivityView::nameOf(const ActivitySlice& slice) const
{
    const Result<std::string> read = m_activity->source.name(slice.name);
    const QString name = read ? text(*read) : QString();
    return slice.count > 1 ? tr("%1 and %2 more").arg(name).arg(slice.count - 1) : name;
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
    const std::int64_t place = m_found.beside(m_chosen, direction);
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

void ActivityView::choose(std::optional<ChosenSlice> chosen, std::optional<ChosenGap> gap)
{
    if (chosen == m_chosen && !gap && !m_gap)
        return;
    m_chosen = chosen;
    m_gap = std::move(gap);
    m_links.clear();
    if (!m_chosen ||
        std::find(m_walkedTo.begin(), m_walkedTo.end(), m_chosen->slice.id) == m_walkedTo.end())
        m_walkedTo.clear();
    if (m_chosen && m_chosen->slice.id >= 0)
        m_links = linksAt(m_activity->trace, m_activity->source.order(), m_activity->pairs,
                          static_cast<std::int32_t>(m_chosen->slice.id));
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

std::optional<PeerShare> ActivityView::waitOf(const ActivitySlice& slice) const
{
    return m_gaps == nullptr || slice.id < 0 || slice.count > 1
               ? std::nullopt
               : m_gaps->waitOf(static_cast<std::int32_t>(slice.id));
}

QRectF ActivityView::boxOf(const ChosenSlice& one) const
{
    const ActivityRows::Row* row = m_rows.rowOf(one.lane);
    if (row == nullptr)
        return {};
    const PixelScale now = pixelScale();
    const double ratio = devicePixelRatioF();
    const auto left = static_cast<double>(now.pixel(one.slice.start)) / ratio;
    const auto right = static_cast<double>(now.pixel(one.slice.end)) / ratio;
    return {margin() + left,
            static_cast<double>(row->top - verticalScrollBar()->value() +
                                one.slice.depth * ActivityRows::levelHeight),
            std::max(right - left, 1.0), static_cast<double>(ActivityRows::levelHeight - 1)};
}

std::optional<ChosenSlice> ActivityView::sliceAt(QPoint point) const
{
    if (m_activity == nullptr || point.x() < margin())
        return std::nullopt;
    const int y = point.y() + verticalScrollBar()->value();
    const int place = m_rows.rowAt(y);
    if (place < 0)
        return std::nullopt;
    const ActivityRows::Row& row = m_rows.rows()[static_cast<std::size_t>(place)];
    const int depth = (y - row.top) / ActivityRows::levelHeight;
    if (row.lane < 0 || depth >= row.levels)
        return std::nullopt;
    const TimeScale now = scale();
    const double time = now.time(point.x() + 0.5), reach = now.ticksPerPixel;
    const PixelScale pixels = pixelScale();
    const auto column = static_cast<std::int64_t>((point.x() - margin()) * devicePixelRatioF());
    const auto [from, to] = pixels.window(column, column + 1);
    std::vector<std::vector<ActivitySlice>> levels(static_cast<std::size_t>(depth) + 1);
    m_activity->source.levels(static_cast<std::size_t>(row.lane), from, to, pixels.grain(), levels);
    std::optional<ChosenSlice> nearest;
    for (const ActivitySlice& slice : levels.back()) {
        if (static_cast<double>(slice.start) > time + reach ||
            static_cast<double>(slice.end) < time - reach)
            continue;
        nearest = ChosenSlice{row.lane, slice};
        if (static_cast<double>(slice.start) <= time && time < static_cast<double>(slice.end))
            break;
    }
    return nearest;
}

} // namespace pw::ui
