// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/lane_painter.h"

#include "ui/models/lane_pyramid.h"
#include "ui/presentation.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace pw::ui {

namespace {

constexpr double narrowest =
    1.5; ///< pixels a span has on average where spans are painted one by one

QString numberOf(const Pass& pass)
{
    return QString::number(pass.microBatch);
}

/// What spans from `first` to `last` fill of each column; the direct way for a lane without levels.
void fillOf(const Lane& lane, std::size_t first, std::size_t last, const TimeScale& scale,
            double left, std::vector<Fill>& columns)
{
    std::vector<std::array<float, Fill::looks>> sums(columns.size());
    const auto count = static_cast<double>(columns.size());
    for (std::size_t i = first; i < last; ++i) {
        const double from = std::max(0.0, scale.x(lane.start[i]) - left);
        const double to = std::min(count, scale.x(lane.end[i]) - left);
        const SpanLook look = lane.look[i];
        const auto one = static_cast<std::size_t>(Fill::indexOf(look.kind, look.tint));
        const auto two =
            look.paired ? static_cast<std::size_t>(Fill::indexOf(look.partner, look.partnerTint))
                        : one;
        for (auto column = static_cast<std::size_t>(from); static_cast<double>(column) < to;
             ++column) {
            const auto part = static_cast<float>(std::min(to, static_cast<double>(column) + 1) -
                                                 std::max(from, static_cast<double>(column))) /
                              2;
            sums[column][one] += part;
            sums[column][two] += part;
        }
    }
    for (std::size_t column = 0; column < columns.size(); ++column)
        for (std::size_t look = 0; look < Fill::looks; ++look)
            columns[column].part[look] = static_cast<std::uint8_t>(
                std::clamp(std::lround(255.0F * sums[column][look]), 0L, 255L));
}

QRgb mixed(const Fill& fill, const std::array<QColor, Fill::looks>& inks, const QColor& idle)
{
    int red = 0, green = 0, blue = 0, busy = 0;
    for (std::size_t look = 0; look < Fill::looks; ++look) {
        const int part = fill.part[look];
        busy += part;
        red += part * inks[look].red();
        green += part * inks[look].green();
        blue += part * inks[look].blue();
    }
    const int rest = std::max(0, 255 - busy);
    const int whole = busy + rest;
    return qRgb((red + rest * idle.red()) / whole, (green + rest * idle.green()) / whole,
                (blue + rest * idle.blue()) / whole);
}

} // namespace

QColor spanColor(ColorBy colorBy, PassKind kind, bool tint, int microBatch)
{
    if (colorBy == ColorBy::Kind)
        return color(roleOf(kind, tint));
    // Steps of the golden angle: neighbours differ, and so do any few in a row.
    const double hue = std::fmod(0.58 + 0.381966 * microBatch, 1.0);
    const bool forward = kind == PassKind::F;
    return QColor::fromHslF(static_cast<float>(hue), forward ? 0.45F : 0.35F,
                            (ground() == Ground::Light ? 0.62F : 0.55F) + (forward ? 0.0F : 0.14F));
}

QBrush hatchBrush()
{
    QBrush brush(color(Role::Hatch), Qt::BDiagPattern);
    return brush;
}

void LanePainter::paint(QPainter& painter, std::size_t index, const QRectF& area) const
{
    const Lane& lane = m_lanes.lanes()[index];
    painter.fillRect(area, color(Role::Lane));
    if (lane.size() == 0)
        return;
    const QRectF whole(m_scale.x(m_lanes.begin()), area.top(),
                       m_scale.x(m_lanes.end()) - m_scale.x(m_lanes.begin()), area.height());
    painter.fillRect(whole.intersected(area), hatchBrush());

    const auto from = static_cast<Ticks>(std::floor(m_scale.time(area.left())));
    const auto to = static_cast<Ticks>(std::ceil(m_scale.time(area.right())));
    const std::size_t first = lane.firstEndingAfter(from);
    const auto last = static_cast<std::size_t>(
        std::lower_bound(lane.start.begin(), lane.start.end(), to) - lane.start.begin());
    if (first >= last)
        return;
    if (static_cast<double>(last - first) * narrowest < area.width())
        paintBlocks(painter, index, area, first, last);
    else
        paintMixed(painter, index, area, first, last);
}

void LanePainter::paintBlocks(QPainter& painter, std::size_t index, const QRectF& area,
                              std::size_t first, std::size_t last) const
{
    const Lane& lane = m_lanes.lanes()[index];
    for (std::size_t i = first; i < last; ++i) {
        const double left = std::max(m_scale.x(lane.start[i]), area.left() - 4);
        const double right = std::min(m_scale.x(lane.end[i]), area.right() + 4);
        if (right - left < 0.1)
            continue;
        const SpanRef ref{static_cast<std::int32_t>(index), static_cast<std::int64_t>(i)};
        const SpanLook look = lane.look[i];
        const bool named = right - left >= 7 || m_colorBy == ColorBy::MicroBatch;
        paintSpan(painter, QRectF(left, area.top(), right - left, area.height()), look,
                  named ? m_lanes.pass(ref) : Pass{},
                  named && look.paired ? m_lanes.pass(ref, true) : Pass{});
    }
}

void LanePainter::paintSpan(QPainter& painter, const QRectF& box, SpanLook look, const Pass& pass,
                            const Pass& partner) const
{
    if (!look.paired) {
        paintHalf(painter, box, look.kind, look.tint, pass);
        return;
    }
    QRectF half(box.left(), box.top(), box.width(), box.height() / 2 - 0.5);
    paintHalf(painter, half, look.kind, look.tint, pass);
    half.moveBottom(box.bottom());
    paintHalf(painter, half, look.partner, look.partnerTint, partner);
}

void LanePainter::paintHalf(QPainter& painter, const QRectF& box, PassKind kind, bool tint,
                            const Pass& pass) const
{
    const QColor ink = spanColor(m_colorBy, kind, tint, pass.microBatch);
    QRectF block = box;
    if (box.width() > 4)
        block.setWidth(box.width() - 1); // a hairline between neighbours
    const bool rounded = box.width() >= 9 && box.height() >= 14;
    if (rounded) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink);
        painter.drawRoundedRect(block, 2.5, 2.5);
    } else {
        painter.fillRect(block, ink);
    }
    if (kind == PassKind::BW && box.height() >= 8) {
        QRectF stripe = block;
        stripe.setTop(block.bottom() - std::max(2.0, 0.16 * block.height()));
        painter.fillRect(stripe, spanColor(m_colorBy, PassKind::W, tint, pass.microBatch));
    }
    if (rounded)
        painter.setRenderHint(QPainter::Antialiasing, false);

    const QString number = numberOf(pass);
    const QFontMetricsF metrics(painter.font());
    const double numberWidth = metrics.horizontalAdvance(number);
    if (block.width() < numberWidth + 2 || block.height() < metrics.height() * 0.8)
        return;
    painter.setPen(wantsWhiteText({static_cast<std::uint8_t>(ink.red()),
                                   static_cast<std::uint8_t>(ink.green()),
                                   static_cast<std::uint8_t>(ink.blue())})
                       ? QColor(Qt::white)
                       : QColor(31, 41, 51));
    const std::string_view kindName = name(kind);
    const QString letter =
        QString::fromLatin1(kindName.data(), static_cast<qsizetype>(kindName.size()));
    const double letterWidth = metrics.horizontalAdvance(letter);
    if (block.width() >= letterWidth + numberWidth + 6) {
        painter.drawText(block, Qt::AlignCenter, letter + number);
    } else if (block.height() >= 2 * metrics.height() && block.width() >= letterWidth + 1) {
        painter.drawText(block.adjusted(0, 0, 0, -block.height() / 2 + 2),
                         Qt::AlignHCenter | Qt::AlignBottom, letter);
        painter.drawText(block.adjusted(0, block.height() / 2, 0, 0),
                         Qt::AlignHCenter | Qt::AlignTop, number);
    } else {
        painter.drawText(block, Qt::AlignCenter, number);
    }
}

void LanePainter::paintMixed(QPainter& painter, std::size_t index, const QRectF& area,
                             std::size_t first, std::size_t last) const
{
    const int columns = std::max(1, static_cast<int>(std::ceil(area.width())));
    std::vector<Fill> fills(static_cast<std::size_t>(columns));
    const LanePyramid* pyramid = m_lanes.pyramid(index);
    if (pyramid == nullptr ||
        !pyramid->sample(m_scale.time(area.left()), m_scale.ticksPerPixel, columns, fills.data()))
        fillOf(m_lanes.lanes()[index], first, last, m_scale, area.left(), fills);
    std::array<QColor, Fill::looks> inks;
    for (const PassKind kind : allPassKinds)
        for (const bool tint : {false, true})
            inks[static_cast<std::size_t>(Fill::indexOf(kind, tint))] = color(roleOf(kind, tint));
    const QColor idle = color(Role::Lane);
    QImage line(columns, 1, QImage::Format_RGB32);
    auto* pixels = reinterpret_cast<QRgb*>(line.scanLine(0));
    for (int column = 0; column < columns; ++column)
        pixels[column] = mixed(fills[static_cast<std::size_t>(column)], inks, idle);
    painter.drawImage(QRectF(area.left(), area.top(), columns, area.height()), line);
}

} // namespace pw::ui
