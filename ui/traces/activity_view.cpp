// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/activity_view.h"

#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/time_axis.h"

#include <QLabel>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr std::size_t mostCachedNames = 100'000;

/// Whether dark text reads on a colour.
bool isBright(const QColor& ground)
{
    return !wantsWhiteText({static_cast<std::uint8_t>(ground.red()),
                            static_cast<std::uint8_t>(ground.green()),
                            static_cast<std::uint8_t>(ground.blue())});
}

} // namespace

ActivityView::ActivityView(ViewRange& range, QWidget* parent)
    : LaneView(range, parent)
    , m_card(new QLabel(this))
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
    m_cache.clear();
    m_names.clear();
    m_matches.clear();
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
    viewport()->update();
}

void ActivityView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    relayout();
}

void ActivityView::toggle(std::size_t key)
{
    m_rows.toggle(key);
    relayout();
}

const std::vector<ActivitySlice>& ActivityView::slicesOf(int lane) const
{
    const TimeScale now = scale();
    const auto from = static_cast<Ticks>(std::floor(m_range.begin()));
    const auto to = static_cast<Ticks>(std::ceil(m_range.end()));
    const auto grain = static_cast<Ticks>(now.ticksPerPixel);
    LaneCache& cache = m_cache[lane];
    if (cache.from == from && cache.to == to && cache.grain == grain)
        return cache.slices;
    // What cannot be read shows nothing.
    if (!m_activity->source.slices(static_cast<std::size_t>(lane), from, to, grain, cache.slices))
        cache.slices.clear();
    cache.from = from;
    cache.to = to;
    cache.grain = grain;
    return cache.slices;
}

const QString& ActivityView::nameText(std::int32_t name) const
{
    if (m_names.size() > mostCachedNames)
        m_names.clear();
    const auto [found, made] = m_names.try_emplace(name);
    if (made)
        if (const Result<std::string> read = m_activity->source.name(name); read)
            found->second = text(*read);
    return found->second;
}

QString ActivityView::nameOf(const ActivitySlice& slice) const
{
    return slice.count > 1 ? tr("%1 and %2 more").arg(nameText(slice.name)).arg(slice.count - 1)
                           : nameText(slice.name);
}

bool ActivityView::matches(std::int32_t name) const
{
    if (m_part.isEmpty() && !m_pattern)
        return false;
    const auto [found, made] = m_matches.try_emplace(name, false);
    if (made)
        found->second = m_pattern ? m_pattern->match(nameText(name)).hasMatch()
                                  : nameText(name).contains(m_part, Qt::CaseInsensitive);
    return found->second;
}

QString ActivityView::search(const QString& words)
{
    m_matches.clear();
    m_pattern.reset();
    m_part = words;
    viewport()->update();
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
    m_chosen = std::move(chosen);
    m_links.clear();
    if (m_chosen && m_chosen->slice.id >= 0)
        m_links = linksAt(m_activity->trace, m_activity->source.order(), m_activity->pairs,
                          static_cast<std::int32_t>(m_chosen->slice.id));
    viewport()->update();
    Q_EMIT selectionChanged();
}

QRectF ActivityView::boxOf(const ChosenSlice& one) const
{
    const TimeScale now = scale();
    for (const ActivityRows::Row& row : m_rows.rows()) {
        if (row.lane != one.lane)
            continue;
        const double left = now.x(one.slice.start), right = now.x(one.slice.end);
        return {left,
                static_cast<double>(row.top - verticalScrollBar()->value() +
                                    one.slice.depth * ActivityRows::levelHeight),
                std::max(right - left, 1.0), static_cast<double>(ActivityRows::levelHeight - 1)};
    }
    return {};
}

std::optional<ChosenSlice> ActivityView::sliceAt(QPoint point) const
{
    if (m_activity == nullptr || point.x() < TimeAxis::margin)
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
    std::optional<ChosenSlice> nearest;
    for (const ActivitySlice& slice : slicesOf(row.lane)) {
        if (slice.depth != depth || static_cast<double>(slice.start) > time + reach ||
            static_cast<double>(slice.end) < time - reach)
            continue;
        nearest = ChosenSlice{row.lane, slice};
        if (static_cast<double>(slice.start) <= time && time < static_cast<double>(slice.end))
            break;
    }
    return nearest;
}

void ActivityView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), color(Role::Paper));
    if (m_activity == nullptr)
        return;
    const TimeScale now = scale();
    const int top = verticalScrollBar()->value(), bottom = top + viewport()->height();
    painter.save();
    painter.setClipRect(QRectF(TimeAxis::margin, 0, TimeAxis::length(*this), height()));
    for (const ActivityRows::Row& row : m_rows.rows())
        if (row.top < bottom && row.top + row.height > top) {
            if (row.lane >= 0)
                paintLane(painter, row, now);
            else if (row.counter >= 0)
                paintCounter(painter, row, now);
        }
    paintArrows(painter, now);
    paintStretch(painter, now);
    painter.restore();
    paintTitles(painter);
}

void ActivityView::paintTitles(QPainter& painter) const
{
    const int top = verticalScrollBar()->value(), bottom = top + viewport()->height();
    QFont plain = font(), bold = font(), small = font();
    bold.setWeight(QFont::DemiBold);
    small.setPixelSize(10);
    QFont lane = font();
    lane.setPixelSize(11);
    for (const ActivityRows::Row& row : m_rows.rows()) {
        if (row.top >= bottom || row.top + row.height <= top)
            continue;
        const int y = row.top - top;
        const int indent = 6 + 10 * row.depth;
        if (row.depth == 0 && row.top > 0) {
            painter.setPen(color(Role::Line));
            painter.drawLine(0, y, viewport()->width(), y);
        }
        const bool folds = (row.lane < 0 && row.counter < 0) || row.levels > 1 || row.folded;
        painter.setPen(color(Role::Secondary));
        painter.setFont(small);
        if (folds)
            painter.drawText(QRect(indent - 4, y, 12, ActivityRows::levelHeight + 2),
                             Qt::AlignVCenter | Qt::AlignLeft,
                             row.folded ? QStringLiteral("▸") : QStringLiteral("▾"));
        const bool head = row.lane < 0 && row.counter < 0;
        painter.setFont(row.depth == 0 ? bold : head ? plain : lane);
        painter.setPen(color(Role::Text));
        // Over heads there is room beside the margin.
        const int width = head ? viewport()->width() : TimeAxis::margin - indent - 11;
        const QString title = painter.fontMetrics().elidedText(row.title, Qt::ElideMiddle, width);
        painter.drawText(QRect(indent + 8, y, width, ActivityRows::levelHeight + 4),
                         Qt::AlignVCenter | Qt::AlignLeft, title);
        if (row.note.isEmpty() || (row.levels < 2 && row.counter < 0))
            continue;
        painter.setFont(small);
        painter.setPen(color(Role::Secondary));
        painter.drawText(
            QRect(indent + 8, y + ActivityRows::levelHeight, width, ActivityRows::levelHeight),
            Qt::AlignVCenter | Qt::AlignLeft, row.note);
    }
}

void ActivityView::paintLane(QPainter& painter, const ActivityRows::Row& row,
                             const TimeScale& now) const
{
    const int y = row.top - verticalScrollBar()->value();
    painter.fillRect(
        QRect(TimeAxis::margin, y, viewport()->width(), row.height - ActivityRows::laneGap + 1),
        color(Role::Lane));
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    const double left = TimeAxis::margin, right = left + TimeAxis::length(*this);
    const bool searched = !m_part.isEmpty() || m_pattern;
    const std::int32_t rank = rankOfLane(row.lane);
    for (const ActivitySlice& slice : slicesOf(row.lane)) {
        if (slice.depth >= row.levels)
            continue;
        const double from = std::max(now.x(slice.start), left - 2);
        const double to = std::min(now.x(slice.end), right + 2);
        QRectF box(from, y + slice.depth * ActivityRows::levelHeight, std::max(to - from, 1.0),
                   ActivityRows::levelHeight - 1);
        if (box.width() > 3)
            box.setWidth(box.width() - 0.5);
        QColor fill = sliceColor(*m_activity, slice, m_colorBy, rank);
        if (searched)
            fill = matches(slice.name) ? color(Role::Accent)
                                       : mixedColor(fill, color(Role::Lane), 0.6);
        else if (slice.count > 1)
            fill = mixedColor(fill, color(Role::Lane), 0.25);
        painter.fillRect(box, fill);
        constexpr double leastForText = 28;
        if (box.width() < leastForText || slice.count > 1)
            continue;
        painter.setPen(isBright(fill) ? QColor(0x1F2933) : QColor(Qt::white));
        const QRectF inner = box.adjusted(4, 0, -3, 0);
        painter.drawText(inner, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                         painter.fontMetrics().elidedText(nameText(slice.name), Qt::ElideRight,
                                                          static_cast<int>(inner.width())));
    }
    if (m_chosen && m_chosen->lane == row.lane && m_chosen->slice.depth < row.levels) {
        painter.setPen(QPen(color(Role::Accent), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(boxOf(*m_chosen).adjusted(-1, 0, 1, 0));
    }
}

void ActivityView::paintStretch(QPainter& painter, const TimeScale& now) const
{
    if (!m_stretch)
        return;
    const double from = now.x(m_stretch->first), to = now.x(m_stretch->second);
    QColor wash = color(Role::Accent);
    wash.setAlphaF(0.10F);
    painter.fillRect(QRectF(from, 0, to - from, viewport()->height()), wash);
    painter.setPen(color(Role::Accent));
    painter.drawLine(QPointF(from, 0), QPointF(from, viewport()->height()));
    painter.drawLine(QPointF(to, 0), QPointF(to, viewport()->height()));
    const QString words = durationText(static_cast<double>(m_stretch->second - m_stretch->first));
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    const double width = painter.fontMetrics().horizontalAdvance(words) + 16;
    QRectF pill((from + to - width) / 2, 3, width, 17);
    pill.moveLeft(std::clamp(pill.left(), double(TimeAxis::margin),
                             std::max<double>(TimeAxis::margin, viewport()->width() - width)));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(Role::Accent));
    painter.drawRoundedRect(pill, 8, 8);
    painter.setPen(isBright(color(Role::Accent)) ? QColor(0x1F2933) : QColor(Qt::white));
    painter.drawText(pill, Qt::AlignCenter, words);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace pw::ui
