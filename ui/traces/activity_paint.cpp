// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/presentation.h"
#include "ui/timeline/time_axis.h"
#include "ui/traces/activity_view.h"

#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

// How a trace is painted: the rows into a picture that is kept, what is over them afresh.

namespace pw::ui {

namespace {

/// Of a picture that moves further than this part of it nothing worth mentioning is left.
constexpr double furthestMove = 0.75;

QRect devicePixels(const QRectF& area, double ratio)
{
    return QRectF(area.topLeft() * ratio, area.size() * ratio).toRect();
}

} // namespace

int ActivityView::columns() const
{
    return static_cast<int>(TimeAxis::length(*this) * devicePixelRatioF());
}

QRectF ActivityView::areaOf(const ActivityRows::Row& row) const
{
    return {static_cast<double>(TimeAxis::margin()),
            static_cast<double>(row.top - verticalScrollBar()->value()), TimeAxis::length(*this),
            static_cast<double>(row.height - ActivityRows::laneGap + 1)};
}

SlicePainter ActivityView::slicePainter(const SliceInks& inks) const
{
    SlicePainter::Picture picture{*m_activity,        inks, m_names, {}, m_painted, columns(),
                                  devicePixelRatioF()};
    if (m_found.isSearching())
        picture.matches = [this](std::int32_t name) { return m_found.matches(name); };
    return SlicePainter(std::move(picture));
}

void ActivityView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    if (m_activity == nullptr) {
        painter.fillRect(viewport()->rect(), color(Role::Paper));
        return;
    }
    paintBase();
    painter.drawPixmap(0, 0, m_base);
    painter.setClipRect(TimeAxis::room(*this));
    paintChosen(painter);
    paintArrows(painter);
    MarkPainter(scale(), room(), font()).paint(painter, marks());
}

void ActivityView::paintBase()
{
    const double ratio = devicePixelRatioF();
    const QSize pixels = viewport()->size() * ratio;
    const PixelScale now = pixelScale();
    const int top = verticalScrollBar()->value();
    QFont small = font();
    small.setPixelSize(11);
    m_names.setFont(small);
    if (!m_stale && m_base.size() == pixels && m_base.devicePixelRatio() == ratio &&
        moveBase(now, top))
        return;
    if (m_base.size() != pixels)
        m_base = QPixmap(pixels);
    m_base.setDevicePixelRatio(ratio);
    m_painted = now;
    m_paintedTop = top;
    m_stale = false;
    QPainter painter(&m_base);
    paintRows(painter, 0, viewport()->height());
}

/// Moves the picture by whole pixels and paints what has come into it. @return  false: what it
/// shows is of no use any more
bool ActivityView::moveBase(const PixelScale& scale, int top)
{
    if (scale.ticksPerPixel() != m_painted.ticksPerPixel())
        return false;
    const std::int64_t by = m_painted.origin() - scale.origin();
    const int down = m_paintedTop - top;
    // Rows and margin lie between pixels of the device where one of the view is not whole ones.
    const double ratio = devicePixelRatioF();
    const bool whole = ratio == std::floor(ratio);
    if ((by != 0 || down != 0) &&
        (!whole || std::abs(static_cast<double>(by)) > furthestMove * columns() ||
         std::abs(down) > furthestMove * viewport()->height()))
        return false;
    if (down != 0)
        scrollBase(down);
    if (by != 0) {
        m_painted.setOrigin(scale.origin());
        moveAlong(by);
    }
    return true;
}

/// Scrolls the picture and paints the rows that are new in it.
void ActivityView::scrollBase(int by)
{
    const int height = viewport()->height();
    const auto ratio = static_cast<int>(devicePixelRatioF());
    m_base.scroll(0, by * ratio, m_base.rect());
    m_paintedTop -= by;
    QPainter painter(&m_base);
    const int from = by > 0 ? 0 : height + by;
    const int to = by > 0 ? by : height;
    painter.setClipRect(QRect(0, from, viewport()->width(), to - from));
    paintRows(painter, from, to);
}

/// Moves lanes and counters along the axis and paints the strip that is new in each, and the slices
/// at both edges: their names stand in what is seen of them.
void ActivityView::moveAlong(std::int64_t by)
{
    const int end = columns(), top = m_paintedTop, bottom = top + viewport()->height();
    const PixelStretch left{0, std::max<std::int64_t>(by, 0) + 1};
    const PixelStretch right{end + std::min<std::int64_t>(by, 0) - 1, end};
    const double ratio = devicePixelRatioF();
    const std::vector<ActivityRows::Row>& rows = m_rows.rows();
    for (auto i = static_cast<std::size_t>(std::max(0, m_rows.rowAt(top)));
         i < rows.size() && rows[i].top < bottom; ++i)
        if (rows[i].lane >= 0 || rows[i].counter >= 0)
            m_base.scroll(static_cast<int>(by), 0, devicePixels(areaOf(rows[i]), ratio));
    const SliceInks inks(*m_activity, m_colorBy);
    SlicePainter slices = slicePainter(inks);
    QPainter painter(&m_base);
    painter.setClipRect(TimeAxis::room(*this));
    for (auto i = static_cast<std::size_t>(std::max(0, m_rows.rowAt(top)));
         i < rows.size() && rows[i].top < bottom; ++i) {
        paintRow(painter, slices, rows[i], left);
        paintRow(painter, slices, rows[i], right);
    }
}

void ActivityView::paintRows(QPainter& painter, int from, int to)
{
    painter.fillRect(QRect(0, from, viewport()->width(), to - from), color(Role::Paper));
    const SliceInks inks(*m_activity, m_colorBy);
    SlicePainter slices = slicePainter(inks);
    const PixelStretch all{0, columns()};
    const std::vector<ActivityRows::Row>& rows = m_rows.rows();
    for (auto i = static_cast<std::size_t>(std::max(0, m_rows.rowAt(m_paintedTop + from)));
         i < rows.size() && rows[i].top < m_paintedTop + to; ++i) {
        painter.save();
        painter.setClipRect(TimeAxis::room(*this), Qt::IntersectClip);
        paintRow(painter, slices, rows[i], all);
        painter.restore();
        paintTitle(painter, rows[i]);
    }
}

void ActivityView::paintRow(QPainter& painter, SlicePainter& slices, const ActivityRows::Row& row,
                            PixelStretch stretch) const
{
    if (row.counter >= 0) {
        paintCounter(painter, row, stretch);
        return;
    }
    if (row.lane < 0)
        return;
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    slices.paint(painter, row.lane, areaOf(row), row.levels, stretch);
}

void ActivityView::paintTitle(QPainter& painter, const ActivityRows::Row& row) const
{
    const int y = row.top - m_paintedTop;
    const int indent = 6 + 10 * row.depth;
    QFont plain = font(), bold = font(), small = font(), lane = font();
    bold.setWeight(QFont::DemiBold);
    small.setPixelSize(10);
    lane.setPixelSize(11);
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
    const int width = head ? viewport()->width() : TimeAxis::margin() - indent - 11;
    const QString title = painter.fontMetrics().elidedText(row.title, Qt::ElideMiddle, width);
    painter.drawText(QRect(indent + 8, y, width, ActivityRows::levelHeight + 4),
                     Qt::AlignVCenter | Qt::AlignLeft, title);
    if (row.note.isEmpty() || (row.levels < 2 && row.counter < 0))
        return;
    painter.setFont(small);
    painter.setPen(color(Role::Secondary));
    painter.drawText(
        QRect(indent + 8, y + ActivityRows::levelHeight, width, ActivityRows::levelHeight),
        Qt::AlignVCenter | Qt::AlignLeft, row.note);
}

void ActivityView::paintChosen(QPainter& painter) const
{
    if (!m_chosen)
        return;
    const ActivityRows::Row* row = m_rows.rowOf(m_chosen->lane);
    if (row == nullptr || m_chosen->slice.depth >= row->levels)
        return;
    painter.setPen(QPen(color(Role::Accent), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(boxOf(*m_chosen).adjusted(-1, 0, 1, 0));
}

} // namespace pw::ui
