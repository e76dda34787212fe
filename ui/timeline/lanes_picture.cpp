// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/lanes_picture.h"

#include "ui/presentation.h"
#include "ui/timeline/time_axis.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw::ui {

namespace {

constexpr double previewOpacity = 0.55;
/// Pixels that a scroll may be off a whole number and still count as one.
constexpr double wholeEnough = 1e-4;
/// Of a picture that moves further than this nothing worth mentioning is left.
constexpr double furthestScroll = 0.75;

/// Pixels around a box, as device pixels have it, inside of an area.
QRectF outwards(double left, double right, const QRectF& area)
{
    return QRectF(QPointF(std::max(std::floor(left) - 2, area.left()), area.top()),
                  QPointF(std::min(std::ceil(right) + 2, area.right()), area.bottom()));
}

/// Pixels that a title needs.
int leastTitle()
{
    return TimeAxis::letters(11);
}

/// Of low lanes every so many has a title: they would lie over each other.
int titleEvery(const LaneGeometry& geometry)
{
    const int pitch = geometry.laneHeight() + LaneGeometry::gapBehind(geometry.laneHeight());
    return (leastTitle() + pitch - 1) / pitch;
}

/// The heading of what is pinned, or of a group of lanes.
/// @param place  of the row; of a group all of it, since no lane stands beside
void paintHeading(QPainter& painter, const LaneRows::Row& row, const QRectF& place)
{
    QFont small = painter.font();
    small.setPixelSize(TimeAxis::letters(11));
    small.setWeight(row.inner ? QFont::DemiBold : QFont::Normal);
    painter.setFont(small);
    painter.setPen(color(row.inner ? Role::Text : Role::Secondary));
    const QString fold = !row.inner   ? QString()
                         : row.folded ? QStringLiteral("▸ ")
                                      : QStringLiteral("▾ ");
    painter.drawText(place.adjusted(row.inner ? 3 : 14, 0, -10, -4),
                     Qt::AlignVCenter | Qt::AlignLeft, fold + row.title);
}

double busyPart(const Lane& lane)
{
    if (lane.size() == 0)
        return 0;
    Ticks busy = 0;
    for (std::size_t i = 0; i < lane.size(); ++i)
        busy += lane.end[i] - lane.start[i];
    return static_cast<double>(busy) /
           static_cast<double>(std::max<Ticks>(1, lane.end.back() - lane.start.front()));
}

} // namespace

void LanesPicture::setLanes(LanesPtr lanes)
{
    m_lanes = std::move(lanes);
    m_busy.clear();
    for (const Lane& lane : m_lanes->lanes())
        m_busy.push_back(busyPart(lane));
    spoil();
}

void LanesPicture::setPreview(LanesPtr lanes)
{
    m_preview = std::move(lanes);
    spoil();
}

void LanesPicture::setColorBy(ColorBy colorBy)
{
    m_colorBy = colorBy;
    spoil();
}

void LanesPicture::setHeat(HeatPtr heat, Ticks most)
{
    m_heat = std::move(heat);
    m_mostHeat = most;
    spoil();
}

const QPixmap& LanesPicture::paint(const Frame& frame, const LaneGeometry& geometry)
{
    m_frame = frame;
    const int letters = geometry.labelPixels();
    const QSize pixels = frame.viewport * frame.ratio;
    if (!m_stale && m_base.size() == pixels && scroll(geometry, letters))
        return m_base;
    if (m_base.size() != pixels)
        m_base = QPixmap(pixels);
    m_base.setDevicePixelRatio(frame.ratio);
    paintAll(geometry, letters);
    return m_base;
}

void LanesPicture::paintAll(const LaneGeometry& geometry, int letters)
{
    QPainter painter(&m_base);
    painter.setFont(m_frame.font);
    // Lanes have a ground of their own, unless one sees through them.
    QRegion paper(QRect(QPoint(), m_frame.viewport));
    for (int lane = 0; m_preview == nullptr && lane < laneCount(); ++lane) {
        const QRectF area = geometry.laneArea(lane);
        if (area == QRectF(area.toRect()))
            paper -= area.toRect();
    }
    for (const QRect& part : paper)
        painter.fillRect(part, color(Role::Paper));
    m_painted = geometry.scale();
    m_letters = letters;
    m_shift = 0;
    LanePainter lanes(m_preview ? *m_preview : *m_lanes, geometry.scale(), m_colorBy);
    lanes.setWords(m_words);
    for (int lane = 0; lane < laneCount(); ++lane) {
        const QRectF area = geometry.laneArea(lane);
        if (!isSeen(area))
            continue;
        paintLane(painter, lanes, geometry, lane, area);
        if (lane % titleEvery(geometry) == 0)
            paintTitle(painter, geometry, lane);
    }
    if (const LaneRows* shown = geometry.rows(); shown != nullptr)
        for (const LaneRows::Row& row : shown->rows())
            if (row.lane < 0)
                paintHeading(painter, row,
                             QRectF(0, geometry.rowTop(row),
                                    row.inner ? m_frame.viewport.width() : geometry.scale().left,
                                    row.height));
    m_stale = false;
}

/// Moves the picture by whole pixels and paints what has come into it. @return  false: what it
/// shows is of no use any more
bool LanesPicture::scroll(const LaneGeometry& geometry, int letters)
{
    const TimeScale now = geometry.scale();
    const TimeScale& then = m_painted;
    const QRectF room = geometry.room();
    const double off = std::abs(now.ticksPerPixel / then.ticksPerPixel - 1) * room.width();
    const double moved = (then.begin - now.begin) / now.ticksPerPixel;
    const double whole = std::round(moved);
    const double by = whole - m_shift;
    if (letters != m_letters || off > wholeEnough || std::abs(moved - whole) > wholeEnough)
        return false;
    if (by == 0)
        return true;
    // Where a pixel is several the lines of idle time do not move with the rest.
    if (std::abs(by) > furthestScroll * room.width() || m_frame.ratio != 1 || m_heat != nullptr ||
        m_preview != nullptr)
        return false;
    const LanePainter before(
        *m_lanes, {now.begin + by * now.ticksPerPixel, now.ticksPerPixel, now.left}, m_colorBy);
    LanePainter after(*m_lanes, now, m_colorBy);
    after.setWords(m_words);
    for (int lane = 0; lane < laneCount(); ++lane) {
        const QRectF area = geometry.laneArea(lane);
        const auto index = static_cast<std::size_t>(lane);
        if (!area.isEmpty() && before.mixes(index, area) != after.mixes(index, area))
            return false;
    }
    m_base.scroll(static_cast<int>(by), 0, room.toRect());
    QPainter painter(&m_base);
    painter.setFont(m_frame.font);
    for (int lane = 0; lane < laneCount(); ++lane) {
        const QRectF area = geometry.laneArea(lane);
        if (isSeen(area))
            paintExposed(painter, after, geometry, lane, by);
    }
    m_shift = whole;
    return true;
}

/// The strip that is new in a lane, and the passes at both edges: their letters stand in the middle
/// of what is seen of them.
void LanesPicture::paintExposed(QPainter& painter, const LanePainter& lanes,
                                const LaneGeometry& geometry, int lane, double by) const
{
    const QRectF area = geometry.laneArea(lane);
    const TimeScale& to = geometry.scale();
    const auto index = static_cast<std::size_t>(lane);
    const Lane& spans = m_lanes->lanes()[index];
    const double left = area.left() + std::max(by, 0.0);
    const double right = area.right() + std::min(by, 0.0);
    double leftEnd = left, rightBegin = right;
    if (!lanes.mixes(index, area)) {
        constexpr double around = 6;
        const auto firstBehind = [&](double x) {
            return spans.firstEndingAfter(static_cast<Ticks>(std::floor(to.time(x))));
        };
        for (std::size_t i = firstBehind(left - around);
             i < spans.size() && to.x(spans.start[i]) <= left + around; ++i)
            leftEnd = std::max(leftEnd, to.x(spans.end[i]));
        for (std::size_t i = firstBehind(right - around);
             i < spans.size() && to.x(spans.start[i]) <= right + around; ++i)
            rightBegin = std::min(rightBegin, to.x(spans.start[i]));
    }
    // A block's rounded edge reaches into the pixels beside it.
    constexpr double edge = 2;
    const QRectF first = outwards(area.left(), leftEnd + edge, area);
    const QRectF last = outwards(rightBegin - edge, area.right(), area);
    if (first.right() >= last.left()) {
        paintLane(painter, lanes, geometry, lane, area);
        return;
    }
    paintLane(painter, lanes, geometry, lane, first);
    paintLane(painter, lanes, geometry, lane, last);
}

/// @param exposed  part of the lane's area that is painted
void LanesPicture::paintLane(QPainter& painter, const LanePainter& lanes,
                             const LaneGeometry& geometry, int lane, const QRectF& exposed) const
{
    const auto index = static_cast<std::size_t>(lane);
    const QRectF area = geometry.laneArea(lane);
    QFont small = m_frame.font;
    small.setPixelSize(m_letters);
    painter.save();
    painter.setClipRect(exposed);
    painter.setFont(small);
    painter.setOpacity(m_preview ? previewOpacity : 1);
    if (index < (m_preview ? *m_preview : *m_lanes).lanes().size())
        lanes.paint(painter, index, area, exposed);
    if (m_heat != nullptr && m_preview == nullptr)
        HeatPainter(*m_lanes, *m_heat, m_mostHeat, geometry.scale()).paint(painter, index, area);
    painter.restore();
}

void LanesPicture::paintTitle(QPainter& painter, const LaneGeometry& geometry, int lane) const
{
    const QRectF area = geometry.laneArea(lane);
    const Lane& spans = m_lanes->lanes()[static_cast<std::size_t>(lane)];
    const LaneRows::Row* row = geometry.rows() != nullptr ? geometry.rows()->rowOf(lane) : nullptr;
    const int indent = row != nullptr && !row->pinned ? 10 * spans.depth : 0;
    QRectF room(14 + indent, area.top(), geometry.scale().left - 24 - indent, area.height());
    if (const int least = leastTitle(); room.height() < least)
        room.adjust(0, std::max(-room.top(), (room.height() - least) / 2), 0,
                    least - room.height());
    QFont bold = m_frame.font;
    bold.setWeight(spans.depth == 0 ? QFont::DemiBold : QFont::Normal);
    bold.setPixelSize(std::clamp(static_cast<int>(area.height()) - 4, 8, TimeAxis::letters(12)));
    painter.setFont(bold);
    if (row != nullptr && row->inner && !row->pinned) {
        painter.setPen(color(Role::Secondary));
        painter.drawText(QRectF(room.left() - 11, room.top(), 10, std::min(18.0, room.height())),
                         Qt::AlignVCenter | Qt::AlignLeft,
                         row->folded ? QStringLiteral("▸") : QStringLiteral("▾"));
    }
    painter.setPen(color(Role::Text));
    if (area.height() < TimeAxis::letters(40)) {
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, spans.title);
        return;
    }
    painter.drawText(room.adjusted(0, 2, 0, 0), Qt::AlignTop | Qt::AlignLeft, spans.title);
    QFont small = m_frame.font;
    small.setPixelSize(TimeAxis::letters(11));
    painter.setFont(small);
    painter.setPen(color(Role::Secondary));
    painter.drawText(room.adjusted(0, TimeAxis::letters(17), 0, 0), Qt::AlignTop | Qt::AlignLeft,
                     spans.detail);
    const QRectF bar(room.left(), room.bottom() - 7, room.width() - 6, 4);
    painter.fillRect(bar, color(Role::Line));
    painter.fillRect(
        QRectF(bar.topLeft(), QSizeF(bar.width() * m_busy[static_cast<std::size_t>(lane)], 4)),
        color(Role::Accent));
}

} // namespace pw::ui
