// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/heat_painter.h"

#include "ui/presentation.h"
#include "ui/timeline/lane_painter.h"
#include "ui/timeline/value_text.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr double narrowest = 1.5; ///< pixels a span has on average where blocks are painted
constexpr int samples = 4;        ///< a column, where they are not

QColor mixed(const QColor& from, const QColor& to, double part)
{
    const auto channel = [part](int a, int b) {
        return static_cast<int>(std::lround(a + part * (b - a)));
    };
    return {channel(from.red(), to.red()), channel(from.green(), to.green()),
            channel(from.blue(), to.blue())};
}

} // namespace

QColor inkOn(const QColor& ground)
{
    return wantsWhiteText({static_cast<std::uint8_t>(ground.red()),
                           static_cast<std::uint8_t>(ground.green()),
                           static_cast<std::uint8_t>(ground.blue())})
               ? QColor(Qt::white)
               : QColor(31, 41, 51);
}

QColor heatColor(double part)
{
    // The root shows small differences that a straight scale would hide.
    const double size = std::sqrt(std::min(1.0, std::abs(part)));
    return mixed(color(Role::Same), color(part < 0 ? Role::Sooner : Role::Later), size);
}

void HeatPainter::paint(QPainter& painter, std::size_t index, const QRectF& area) const
{
    const Lane& lane = m_lanes.lanes()[index];
    if (index >= m_heat.values.size() || m_heat.values[index].size() != lane.size())
        return;
    const auto from = static_cast<Ticks>(std::floor(m_scale.time(area.left())));
    const auto to = static_cast<Ticks>(std::ceil(m_scale.time(area.right())));
    const std::size_t first = lane.firstEndingAfter(from);
    const auto last = static_cast<std::size_t>(
        std::lower_bound(lane.start.begin(), lane.start.end(), to) - lane.start.begin());
    if (first >= last)
        return;
    if (static_cast<double>(last - first) * narrowest >= area.width()) {
        paintColumns(painter, index, area);
        return;
    }
    for (std::size_t i = first; i < last; ++i) {
        const double left = std::max(m_scale.x(lane.start[i]), area.left() - 4);
        const double right = std::min(m_scale.x(lane.end[i]), area.right() + 4);
        if (right - left >= 0.1)
            paintBlock(painter, QRectF(left, area.top(), right - left, area.height()), index, i);
    }
}

void HeatPainter::paintBlock(QPainter& painter, const QRectF& box, std::size_t lane,
                             std::size_t span) const
{
    const Ticks value = m_heat.values[lane][span];
    QRectF block = box;
    if (box.width() > 4) {
        // A hairline between neighbours, in which nothing of the pass below is seen.
        painter.fillRect(box.toAlignedRect(), color(Role::Lane));
        block.setWidth(box.width() - 1);
    }
    const bool known = value != Heat::none;
    const QColor ink = known ? heatColor(static_cast<double>(value) / m_most) : color(Role::Paper);
    painter.fillRect(block, ink);
    if (!known) {
        painter.setPen(QPen(color(Role::Secondary), 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(block.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (block.width() < 7)
        return;
    const Pass pass =
        m_lanes.pass({static_cast<std::int32_t>(lane), static_cast<std::int64_t>(span)});
    const std::string_view kind = name(pass.kind);
    const QString letter = QString::fromLatin1(kind.data(), static_cast<qsizetype>(kind.size()));
    const QFontMetricsF metrics(painter.font());
    painter.setPen(known ? inkOn(ink) : color(Role::Secondary));
    const auto fits = [&](const QString& text) {
        return metrics.horizontalAdvance(text) + 2 <= block.width();
    };
    QString label = letter + numberOf(pass);
    if (m_lanes.lanes()[lane].look[span].segmented != 0)
        if (const QString whole = letter + numberOf(pass, BlockNumber::MicroBatch, true);
            fits(whole))
            label = whole;
    const QString difference = known && value != 0 ? shiftText(value) : QString();
    const bool both =
        !difference.isEmpty() && fits(difference) && block.height() >= 2 * metrics.height();
    if (both)
        painter.drawText(block.adjusted(0, block.height() / 2, 0, 0),
                         Qt::AlignHCenter | Qt::AlignTop, difference);
    if (fits(label) && block.height() >= 0.8 * metrics.height())
        painter.drawText(
            both ? block.adjusted(0, 0, 0, -block.height() / 2) : block,
            static_cast<int>(both ? Qt::AlignHCenter | Qt::AlignBottom : Qt::AlignCenter), label);
}

/// From afar a column has the mean of what its time is filled with.
void HeatPainter::paintColumns(QPainter& painter, std::size_t index, const QRectF& area) const
{
    const Lane& lane = m_lanes.lanes()[index];
    const int columns = std::max(1, static_cast<int>(std::ceil(area.width())));
    QImage line(columns, 1, QImage::Format_RGB32);
    auto* pixels = reinterpret_cast<QRgb*>(line.scanLine(0));
    const QColor idle = color(Role::Lane);
    for (int column = 0; column < columns; ++column) {
        int busy = 0;
        double sum = 0;
        for (int sample = 0; sample < samples; ++sample) {
            const double x = area.left() + column + (sample + 0.5) / samples;
            const std::int64_t at = lane.at(static_cast<Ticks>(m_scale.time(x)));
            if (at < 0)
                continue;
            ++busy;
            const Ticks value = m_heat.values[index][static_cast<std::size_t>(at)];
            if (value != Heat::none)
                sum += static_cast<double>(value) / m_most;
        }
        const QColor heat = heatColor(busy > 0 ? sum / busy : 0);
        pixels[column] = mixed(idle, heat, static_cast<double>(busy) / samples).rgb();
    }
    painter.drawImage(QRectF(area.left(), area.top(), columns, area.height()), line);
}

} // namespace pw::ui
