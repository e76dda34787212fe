// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/activity_view.h"

#include "ui/text.h"
#include "ui/timeline/time_axis.h"

#include <QEvent>
#include <QLabel>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace pw::ui {

ActivityView::ActivityView(ViewRange& range, QWidget* parent)
    : LaneView(range, parent)
    , m_card(new QLabel(this))
    , m_names([this](std::int32_t name) {
        const Result<std::string> read = m_activity->source.name(name);
        return read ? text(*read) : QString();
    })
{
    setAccessibleName(tr("Activities"));
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    m_card->setTextFormat(Qt::PlainText);
    m_card->setAutoFillBackground(true);
    m_card->setBackgroundRole(QPalette::ToolTipBase);
    m_card->setForegroundRole(QPalette::ToolTipText);
    m_card->setFrameShape(QFrame::StyledPanel);
    m_card->setMargin(6);
    m_card->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_card->setObjectName(QStringLiteral("card"));
    m_card->hide();
    connect(&m_range, &ViewRange::changed, this, [this] {
        hideCard();
        viewport()->update();
    });
}

ActivityView::~ActivityView() = default;

void ActivityView::setActivity(ShownActivityPtr activity)
{
    m_activity = std::move(activity);
    m_names.clear();
    m_matches.assign(m_activity == nullptr ? 0 : m_activity->trace.names.size(), -1);
    m_chosen.reset();
    m_stretch.reset();
    m_rows = m_activity == nullptr ? ActivityRows()
                                   : ActivityRows(m_activity->source.lanes(), counterRows());
    m_links.clear();
    m_range.setWhole(0, m_activity == nullptr ? 1 : m_activity->end);
    m_range.fit();
    relayout();
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
    m_stale = true;
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
    const QString& name = m_names.text(slice.name);
    return slice.count > 1 ? tr("%1 and %2 more").arg(name).arg(slice.count - 1) : name;
}

bool ActivityView::matches(std::int32_t name) const
{
    if (m_part.isEmpty() && !m_pattern)
        return false;
    if (name < 0 || static_cast<std::size_t>(name) >= m_matches.size())
        return false;
    signed char& known = m_matches[static_cast<std::size_t>(name)];
    if (known < 0) {
        const QString& text = m_names.text(name);
        known = (m_pattern ? m_pattern->match(text).hasMatch()
                           : text.contains(m_part, Qt::CaseInsensitive))
                    ? 1
                    : 0;
    }
    return known > 0;
}

QString ActivityView::search(const QString& words)
{
    m_matches.assign(m_activity == nullptr ? 0 : m_activity->trace.names.size(), -1);
    m_pattern.reset();
    m_part = words;
    repaintRows();
    constexpr QChar slash = QLatin1Char('/');
    if (words.size() < 2 || !words.startsWith(slash) || !words.endsWith(slash))
        return {};
    const QRegularExpression pattern(words.mid(1, words.size() - 2));
    m_part.clear();
    if (!pattern.isValid())
        return tr("The pattern cannot be read: %1.").arg(pattern.errorString());
    m_pattern = pattern;
    return {};
}

std::int64_t ActivityView::namesFound() const
{
    std::int64_t found = 0;
    for (std::size_t name = 0; name < m_matches.size(); ++name)
        found += matches(static_cast<std::int32_t>(name)) ? 1 : 0;
    return found;
}

bool ActivityView::showNext()
{
    if (m_activity == nullptr)
        return false;
    const std::vector<ActivityLane>& lanes = m_activity->source.lanes();
    const int count = static_cast<int>(lanes.size());
    const int first = m_chosen ? m_chosen->lane : 0;
    // The lane of the selected slice comes again at the end, for what lies before.
    for (int step = 0; step <= count; ++step) {
        const int lane = (first + step) % std::max(count, 1);
        std::vector<ActivitySlice> slices;
        if (lane >= count || !m_activity->source.slices(static_cast<std::size_t>(lane), 0,
                                                        m_activity->end + 1, 0, slices))
            return false;
        const auto found =
            std::find_if(slices.begin(), slices.end(), [&](const ActivitySlice& slice) {
                const bool behind =
                    step > 0 || !m_chosen || slice.start > m_chosen->slice.start ||
                    (slice.start == m_chosen->slice.start && slice.depth > m_chosen->slice.depth);
                return behind && matches(slice.name);
            });
        if (found == slices.end())
            continue;
        const int row = m_rows.openLane(lane);
        choose(ChosenSlice{lane, *found});
        m_range.reveal(static_cast<double>(found->start), static_cast<double>(found->end));
        relayout();
        const ActivityRows::Row& shown = m_rows.rows()[static_cast<std::size_t>(row)];
        const int top = verticalScrollBar()->value();
        if (shown.top < top || shown.top + shown.height > top + viewport()->height())
            verticalScrollBar()->setValue(shown.top - viewport()->height() / 3);
        return true;
    }
    return false;
}

void ActivityView::setStretch(std::optional<TimeStretch> stretch)
{
    if (stretch == m_stretch)
        return;
    m_stretch = stretch;
    viewport()->update();
    Q_EMIT stretchChanged();
}

void ActivityView::choose(std::optional<ChosenSlice> chosen)
{
    if (chosen == m_chosen)
        return;
    m_chosen = chosen;
    m_links.clear();
    if (m_chosen && m_chosen->slice.id >= 0)
        m_links = linksAt(m_activity->trace, m_activity->source.order(), m_activity->pairs,
                          static_cast<std::int32_t>(m_chosen->slice.id));
    viewport()->update();
    Q_EMIT selectionChanged();
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
    return {TimeAxis::margin() + left,
            static_cast<double>(row->top - verticalScrollBar()->value() +
                                one.slice.depth * ActivityRows::levelHeight),
            std::max(right - left, 1.0), static_cast<double>(ActivityRows::levelHeight - 1)};
}

std::optional<ChosenSlice> ActivityView::sliceAt(QPoint point) const
{
    if (m_activity == nullptr || point.x() < TimeAxis::margin())
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
    const auto column =
        static_cast<std::int64_t>((point.x() - TimeAxis::margin()) * devicePixelRatioF());
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
