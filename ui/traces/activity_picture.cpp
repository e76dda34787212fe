// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/activity_picture.h"

#include "core/base/text.h"
#include "ui/presentation.h"
#include "ui/text.h"

#include <QImage>
#include <QObject>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

/// Of a picture that moves further than this part of it nothing worth mentioning is left.
constexpr double furthestMove = 0.75;

QRect devicePixels(const QRectF& area, double ratio)
{
    return QRectF(area.topLeft() * ratio, area.size() * ratio).toRect();
}

} // namespace

namespace {

QString counterValue(const TraceCounter& counter, double value)
{
    if (counter.kind == CounterKind::Memory)
        return text(byteText(static_cast<Bytes>(std::clamp(value, -1e18, 1e18))));
    constexpr double hundred = 100;
    if (counter.kind == CounterKind::Part)
        return QStringLiteral("%1 %").arg(text(plainNumber(value * hundred, 3)));
    return text(plainNumber(value, 4));
}

double mostOf(const TraceCounter& counter)
{
    double most = 0;
    for (const CounterSample& sample : counter.samples)
        most = std::max(most, sample.value);
    return most;
}

} // namespace

ActivityPicture::ActivityPicture(std::function<QString(std::int32_t)> name)
    : m_names(std::move(name))
{
}

void ActivityPicture::setActivity(ShownActivityPtr activity)
{
    m_activity = std::move(activity);
    m_names.clear();
    m_highest.clear();
    if (m_activity != nullptr)
        for (const TraceCounter& counter : m_activity->trace.counters)
            m_highest.push_back(mostOf(counter));
    spoil();
}

void ActivityPicture::setColorBy(SliceColors by)
{
    m_colorBy = by;
    spoil();
}

std::vector<ActivityRows::Counter> ActivityPicture::counterRows() const
{
    std::vector<ActivityRows::Counter> rows;
    const Trace& trace = m_activity->trace;
    for (const TraceCounter& counter : trace.counters) {
        ActivityRows::Counter row;
        if (counter.rank.valid() && counter.rank.index() < trace.ranks.size())
            row.rankNumber = trace.ranks[counter.rank.index()].number;
        row.title = text(counter.name);
        row.note = QObject::tr("up to %1").arg(counterValue(counter, m_highest[rows.size()]));
        rows.push_back(std::move(row));
    }
    return rows;
}

int ActivityPicture::columns() const
{
    return static_cast<int>(m_frame.room.width() * m_frame.ratio);
}

QRectF ActivityPicture::areaOf(const Frame& frame, const LaneRows::Row& row)
{
    return {frame.room.left(), static_cast<double>(row.top - frame.top), frame.room.width(),
            static_cast<double>(row.height - ActivityRows::laneGap + 1)};
}

SlicePainter ActivityPicture::slicePainter(const SliceInks& inks) const
{
    SlicePainter::Picture picture{*m_activity, inks,      m_names,      {},
                                  m_painted,   columns(), m_frame.ratio};
    if (m_found->isSearching())
        picture.matches = [this](std::int32_t name) { return m_found->matches(name); };
    return SlicePainter(std::move(picture));
}

const QPixmap& ActivityPicture::paint(const Frame& frame, const LaneRows& rows,
                                      const FoundSlices& found)
{
    m_frame = frame;
    m_rows = &rows;
    m_found = &found;
    const double ratio = m_frame.ratio;
    const QSize pixels = m_frame.viewport * ratio;
    const PixelScale now = m_frame.scale;
    const int top = m_frame.top;
    QFont small = m_frame.font;
    small.setPixelSize(11);
    m_names.setFont(small);
    if (!m_stale && m_base.size() == pixels && m_base.devicePixelRatio() == ratio &&
        moveBase(now, top))
        return m_base;
    if (m_base.size() != pixels)
        m_base = QPixmap(pixels);
    m_base.setDevicePixelRatio(ratio);
    m_painted = now;
    m_paintedTop = top;
    m_stale = false;
    QPainter painter(&m_base);
    paintRows(painter, 0, m_frame.viewport.height());
    return m_base;
}

/// Moves the picture by whole pixels and paints what has come into it. @return  false: what it
/// shows is of no use any more
bool ActivityPicture::moveBase(const PixelScale& scale, int top)
{
    if (scale.ticksPerPixel() != m_painted.ticksPerPixel())
        return false;
    const std::int64_t by = m_painted.origin() - scale.origin();
    const int down = m_paintedTop - top;
    // Rows and margin lie between pixels of the device where one of the view is not whole ones.
    const double ratio = m_frame.ratio;
    const bool whole = ratio == std::floor(ratio);
    if ((by != 0 || down != 0) &&
        (!whole || std::abs(static_cast<double>(by)) > furthestMove * columns() ||
         std::abs(down) > furthestMove * m_frame.viewport.height()))
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
void ActivityPicture::scrollBase(int by)
{
    const int height = m_frame.viewport.height();
    const auto ratio = static_cast<int>(m_frame.ratio);
    m_base.scroll(0, by * ratio, m_base.rect());
    m_paintedTop -= by;
    QPainter painter(&m_base);
    const int from = by > 0 ? 0 : height + by;
    const int to = by > 0 ? by : height;
    painter.setClipRect(QRect(0, from, m_frame.viewport.width(), to - from));
    paintRows(painter, from, to);
}

/// Moves lanes and counters along the axis and paints the strip that is new in each, and the slices
/// at both edges: their names stand in what is seen of them.
void ActivityPicture::moveAlong(std::int64_t by)
{
    const int end = columns(), top = m_paintedTop, bottom = top + m_frame.viewport.height();
    const PixelStretch left{0, std::max<std::int64_t>(by, 0) + 1};
    const PixelStretch right{end + std::min<std::int64_t>(by, 0) - 1, end};
    const double ratio = m_frame.ratio;
    const std::vector<LaneRows::Row>& rows = m_rows->rows();
    for (auto i = static_cast<std::size_t>(std::max(0, m_rows->rowAt(top)));
         i < rows.size() && rows[i].top < bottom; ++i)
        if (rows[i].lane >= 0 || rows[i].counter >= 0)
            m_base.scroll(static_cast<int>(by), 0, devicePixels(areaOf(rows[i]), ratio));
    const SliceInks inks(*m_activity, m_colorBy);
    SlicePainter slices = slicePainter(inks);
    QPainter painter(&m_base);
    painter.setClipRect(m_frame.room);
    for (auto i = static_cast<std::size_t>(std::max(0, m_rows->rowAt(top)));
         i < rows.size() && rows[i].top < bottom; ++i) {
        paintRow(painter, slices, rows[i], left);
        paintRow(painter, slices, rows[i], right);
    }
}

void ActivityPicture::paintRows(QPainter& painter, int from, int to)
{
    painter.fillRect(QRect(0, from, m_frame.viewport.width(), to - from), color(Role::Paper));
    const SliceInks inks(*m_activity, m_colorBy);
    SlicePainter slices = slicePainter(inks);
    const PixelStretch all{0, columns()};
    const std::vector<LaneRows::Row>& rows = m_rows->rows();
    for (auto i = static_cast<std::size_t>(std::max(0, m_rows->rowAt(m_paintedTop + from)));
         i < rows.size() && rows[i].top < m_paintedTop + to; ++i) {
        painter.save();
        painter.setClipRect(m_frame.room, Qt::IntersectClip);
        paintRow(painter, slices, rows[i], all);
        painter.restore();
        paintTitle(painter, rows[i]);
    }
}

void ActivityPicture::paintRow(QPainter& painter, SlicePainter& slices, const LaneRows::Row& row,
                               PixelStretch stretch) const
{
    if (row.counter >= 0) {
        paintCounter(painter, row, stretch);
        return;
    }
    if (row.lane < 0)
        return;
    QFont small = m_frame.font;
    small.setPixelSize(11);
    painter.setFont(small);
    slices.paint(painter, row.lane, areaOf(row), row.levels, stretch);
}

void ActivityPicture::paintTitle(QPainter& painter, const LaneRows::Row& row) const
{
    const int y = row.top - m_paintedTop;
    const int indent = 6 + 10 * row.depth;
    QFont plain = m_frame.font, bold = m_frame.font, small = m_frame.font, lane = m_frame.font;
    bold.setWeight(QFont::DemiBold);
    small.setPixelSize(10);
    lane.setPixelSize(11);
    if (row.depth == 0 && row.top > 0) {
        painter.setPen(color(Role::Line));
        painter.drawLine(0, y, m_frame.viewport.width(), y);
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
    const int width =
        head ? m_frame.viewport.width() : static_cast<int>(m_frame.room.left()) - indent - 11;
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

/// A filled step, a column a pixel: up to the largest of the values in it, with a line over all
/// that it goes through.
void ActivityPicture::paintCounter(QPainter& painter, const LaneRows::Row& row,
                                   PixelStretch stretch) const
{
    const auto index = static_cast<std::size_t>(row.counter);
    const TraceCounter& counter = m_activity->trace.counters[index];
    const double ratio = m_frame.ratio;
    const QRectF area = areaOf(row);
    const auto width = static_cast<int>(stretch.to - stretch.from);
    const int height = static_cast<int>(std::lround((ActivityRows::counterHeight - 4) * ratio));
    const QColor ground = color(Role::Lane), line = activityColor(ActivityKind::Compute);
    const double left = area.left() + static_cast<double>(stretch.from) / ratio;
    painter.fillRect(QRectF(left, area.top(), width / ratio, area.height()), ground);
    // A part is drawn against the whole.
    const double most =
        counter.kind == CounterKind::Part ? std::max(m_highest[index], 1.0) : m_highest[index];
    if (most <= 0 || counter.samples.empty())
        return;
    constexpr double clear = 0.55;
    const QRgb lineInk = line.rgb(), fillInk = mixedColor(line, ground, clear).rgb();
    const auto y = [&](double value) {
        return static_cast<int>(
            std::lround((height - 1) * (1 - std::clamp(value / most, 0.0, 1.0))));
    };
    const auto& samples = counter.samples;
    auto sample =
        std::partition_point(samples.begin(), samples.end(), [&](const CounterSample& one) {
            return m_painted.pixel(one.time) < stretch.from;
        });
    double value = sample == samples.begin() ? 0 : std::prev(sample)->value;
    QImage image(width, height, QImage::Format_RGB32);
    image.fill(ground);
    auto* pixels = reinterpret_cast<QRgb*>(image.bits());
    const auto stride = static_cast<std::ptrdiff_t>(image.bytesPerLine()) / 4;
    for (int column = 0; column < width; ++column) {
        double high = value, low = value;
        for (; sample != samples.end() && m_painted.pixel(sample->time) <= stretch.from + column;
             ++sample) {
            value = sample->value;
            high = std::max(high, value);
            low = std::min(low, value);
        }
        const int top = y(high), bottom = y(low);
        for (int at = top; at < height; ++at)
            pixels[at * stride + column] = at <= bottom ? lineInk : fillInk;
    }
    painter.drawImage(QRectF(left, area.top() + 2, width / ratio, height / ratio), image);
}

} // namespace pw::ui
