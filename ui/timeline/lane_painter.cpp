// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/lane_painter.h"

#include "ui/models/lane_pyramid.h"
#include "ui/presentation.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace pw::ui {

namespace {

constexpr int hatchPeriod = 8; ///< pixels after which a brush of lines comes again

/// A place on the grid that shapes are drawn on, a sixty-fourth of a pixel: what is worked out at
/// another place a whole number of pixels away comes to the same one, so that a picture that is
/// moved is as one that is painted there. In files places stay as they are.
double settled(double place, LaneStyle style)
{
    constexpr double grid = 64, little = 1e-4;
    return style == LaneStyle::Screen ? std::floor(place * grid + 0.5 + little) / grid : place;
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
        for (auto column = static_cast<std::size_t>(from); static_cast<double>(column) < to;
             ++column) {
            const auto part = static_cast<float>(std::min(to, static_cast<double>(column) + 1) -
                                                 std::max(from, static_cast<double>(column))) /
                              2;
            Fill::add(sums[column], look.kind, look.tint, look.paired ? part : 2 * part);
            if (look.paired)
                Fill::add(sums[column], look.partner, look.partnerTint, part);
        }
    }
    for (std::size_t column = 0; column < columns.size(); ++column)
        for (std::size_t look = 0; look < Fill::looks; ++look)
            columns[column].part[look] = static_cast<std::uint8_t>(
                std::clamp(std::lround(255.0F * sums[column][look]), 0L, 255L));
}

/// Parts of a colour, at hand for every pixel.
struct Ink
{
    int red = 0;
    int green = 0;
    int blue = 0;

    Ink() = default;
    explicit Ink(const QColor& color)
        : red(color.red())
        , green(color.green())
        , blue(color.blue())
    {
    }
};

QRgb mixed(const Fill& fill, const std::array<Ink, Fill::looks>& inks, const Ink& idle)
{
    int red = 0, green = 0, blue = 0, busy = 0;
    for (std::size_t look = 0; look < Fill::looks; ++look) {
        const int part = fill.part[look];
        busy += part;
        red += part * inks[look].red;
        green += part * inks[look].green;
        blue += part * inks[look].blue;
    }
    const int rest = std::max(0, 255 - busy);
    const int whole = busy + rest;
    return qRgb((red + rest * idle.red) / whole, (green + rest * idle.green) / whole,
                (blue + rest * idle.blue) / whole);
}

} // namespace

QString numberOf(const Pass& pass, BlockNumber number)
{
    return number == BlockNumber::Stage ? QStringLiteral("s%1").arg(pass.stage)
                                        : QString::number(pass.microBatch);
}

QColor spanColor(ColorBy colorBy, PassKind kind, int tint, int microBatch)
{
    if (colorBy == ColorBy::Kind)
        return mixedColor(color(roleOf(kind, false)), color(roleOf(kind, true)),
                          static_cast<double>(tint) / fullTint);
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

namespace {

/// Lines at 45° through a box, as one path that keeps inside it.
/// @param rising  from the lower left to the upper right
void appendDiagonals(QPainterPath& path, const QRectF& box, double distance, bool rising)
{
    // On a grid of the page, so that the lines of neighbours go on in each other.
    const double along = rising ? box.left() + box.top() : box.left() - box.bottom();
    const double end = along + box.width() + box.height();
    for (double c = std::ceil(along / distance) * distance; c < end; c += distance) {
        // Points with x + y = c, or x − y = c.
        const auto yAt = [&](double x) { return rising ? c - x : x - c; };
        double from = box.left();
        double to = box.right();
        if (rising) {
            from = std::max(from, c - box.bottom());
            to = std::min(to, c - box.top());
        } else {
            from = std::max(from, c + box.top());
            to = std::min(to, c + box.bottom());
        }
        if (to - from < 0.3)
            continue;
        path.moveTo(from, yAt(from));
        path.lineTo(to, yAt(to));
    }
}

void appendLines(QPainterPath& path, const QRectF& box, double distance, bool level)
{
    const double begin = level ? box.top() : box.left();
    const double end = level ? box.bottom() : box.right();
    for (double at = begin + distance / 2; at < end; at += distance) {
        path.moveTo(level ? box.left() : at, level ? at : box.top());
        path.lineTo(level ? box.right() : at, level ? at : box.bottom());
    }
}

bool wantsWhite(const QColor& ink)
{
    return wantsWhiteText({static_cast<std::uint8_t>(ink.red()),
                           static_cast<std::uint8_t>(ink.green()),
                           static_cast<std::uint8_t>(ink.blue())});
}

} // namespace

void paintHatch(QPainter& painter, const QRectF& box)
{
    QPainterPath path;
    appendDiagonals(path, box, 5, true);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color(Role::Hatch), 0.7));
    painter.drawPath(path);
}

void paintPattern(QPainter& painter, const QRectF& box, PassKind kind, const QColor& ink)
{
    constexpr double distance = 3.6;
    QPainterPath path;
    switch (kind) {
    case PassKind::F:
        return;
    case PassKind::B:
    case PassKind::BW:
        appendDiagonals(path, box, distance, true);
        break;
    case PassKind::W:
        appendLines(path, box, distance, true);
        break;
    case PassKind::R:
        appendDiagonals(path, box, distance, false);
        break;
    case PassKind::U:
        appendLines(path, box, distance, true);
        appendLines(path, box, distance, false);
        break;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(
        wantsWhite(ink) ? mixedColor(ink, Qt::white, 0.5) : mixedColor(ink, Qt::black, 0.35), 0.6));
    painter.drawPath(path);
}

std::pair<std::size_t, std::size_t> LanePainter::spansIn(const Lane& lane, double left,
                                                         double right) const
{
    const auto from = static_cast<Ticks>(std::floor(m_scale.time(left)));
    const auto to = static_cast<Ticks>(std::ceil(m_scale.time(right)));
    const auto last = static_cast<std::size_t>(
        std::lower_bound(lane.start.begin(), lane.start.end(), to) - lane.start.begin());
    return {lane.firstEndingAfter(from), last};
}

bool LanePainter::mixes(std::size_t index, const QRectF& area) const
{
    const auto [first, last] = spansIn(m_lanes.lanes()[index], area.left(), area.right());
    return first < last && static_cast<double>(last - first) * m_narrowest >= area.width();
}

void LanePainter::paint(QPainter& painter, std::size_t index, const QRectF& area,
                        const QRectF& exposed) const
{
    const Lane& lane = m_lanes.lanes()[index];
    painter.fillRect(exposed, m_style == LaneStyle::Paper ? QColor(Qt::white) : color(Role::Lane));
    if (lane.size() == 0)
        return;
    const double begin = settled(m_scale.x(m_lanes.begin()), m_style);
    const QRectF whole(begin, area.top(), settled(m_scale.x(m_lanes.end()), m_style) - begin,
                       area.height());
    if (m_style == LaneStyle::Screen) {
        // The lines go with the lanes when these are moved.
        const double origin = settled(std::fmod(m_scale.x(0.0), hatchPeriod), m_style);
        painter.setBrushOrigin(static_cast<int>(std::floor(origin)), 0);
        painter.fillRect(whole.intersected(exposed), hatchBrush());
    } else {
        paintHatch(painter, whole.intersected(exposed));
    }
    const bool mixed = mixes(index, area);
    constexpr double edge = 2; // of what stands just outside
    const auto [first, last] = mixed ? spansIn(lane, exposed.left(), exposed.right())
                                     : spansIn(lane, exposed.left() - edge, exposed.right() + edge);
    if (first < last && mixed)
        paintMixed(painter, index, exposed, first, last);
    else if (first < last)
        paintBlocks(painter, index, area, first, last);
    if (!mixed)
        paintCopies(painter, lane, area, exposed);
}

void LanePainter::paintBlocks(QPainter& painter, std::size_t index, const QRectF& area,
                              std::size_t first, std::size_t last) const
{
    const Lane& lane = m_lanes.lanes()[index];
    for (std::size_t i = first; i < last; ++i) {
        const double left = settled(std::max(m_scale.x(lane.start[i]), area.left() - 4), m_style);
        const double right = settled(std::min(m_scale.x(lane.end[i]), area.right() + 4), m_style);
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
    if (look.paired) {
        QRectF half(box.left(), box.top(), box.width(), box.height() / 2 - 0.5);
        paintHalf(painter, half, look.kind, look.tint, pass);
        half.moveBottom(box.bottom());
        paintHalf(painter, half, look.partner, look.partnerTint, partner);
    } else {
        paintHalf(painter, box, look.kind, look.tint, pass);
    }
    paintMarks(painter, box, look);
    if (look.guessed)
        painter.fillRect(box, QBrush(color(Role::Lane), Qt::BDiagPattern));
}

void LanePainter::paintHalf(QPainter& painter, const QRectF& box, PassKind kind, int tint,
                            const Pass& pass) const
{
    const QColor ink = spanColor(m_colorBy, kind, tint, pass.microBatch);
    QRectF block = box;
    if (box.width() > 4)
        block.setWidth(box.width() - 1); // a hairline between neighbours
    const bool soft = m_style != LaneStyle::Paper && box.width() >= 9 && box.height() >= 14;
    const bool rounded = soft && (m_style != LaneStyle::Screen || box.width() >= 40);
    if (soft && !rounded) {
        // Of narrow blocks there are thousands: without their corners they look round enough.
        // On whole pixels, with the same hairline behind each.
        const int left = static_cast<int>(std::lround(box.left()));
        const int top = static_cast<int>(std::lround(box.top()));
        const QRect whole(left, top, static_cast<int>(std::lround(box.right())) - left - 1,
                          static_cast<int>(std::lround(box.bottom())) - top);
        painter.fillRect(whole.adjusted(1, 0, -1, 0), ink);
        painter.fillRect(whole.adjusted(0, 1, 0, -1), ink);
    } else if (rounded) {
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
        if (m_style == LaneStyle::Paper)
            paintPattern(painter, block.adjusted(0, 0, 0, -stripe.height()), kind, ink);
    } else if (m_style == LaneStyle::Paper && block.width() >= 4 && block.height() >= 8) {
        paintPattern(painter, block, kind, ink);
    }
    if (rounded && m_style == LaneStyle::Screen)
        painter.setRenderHint(QPainter::Antialiasing, false);
    paintLabel(painter, block, kind, pass, ink);
}

void LanePainter::paintText(QPainter& painter, const QRectF& box, Qt::Alignment where,
                            const QString& text, const QColor& ink) const
{
    if (m_style == LaneStyle::Paper) {
        // The pattern makes room for the text.
        const QRectF taken = QFontMetricsF(painter.font()).boundingRect(box, int(where), text);
        painter.fillRect(taken.adjusted(-0.5, 1.5, 0.5, -1.5).intersected(box), ink);
    }
    painter.setPen(wantsWhite(ink)               ? QColor(Qt::white)
                   : m_style == LaneStyle::Paper ? QColor(Qt::black)
                                                 : QColor(31, 41, 51));
    if (m_style != LaneStyle::Screen) {
        painter.drawText(box, int(where), text);
        return;
    }
    const Word& laid = word(painter, text);
    const double y = (where & Qt::AlignTop) != 0      ? box.top()
                     : (where & Qt::AlignBottom) != 0 ? box.bottom() - laid.size.height()
                                                      : box.center().y() - laid.size.height() / 2;
    painter.drawStaticText(
        QPointF(std::round(box.center().x() - laid.size.width() / 2), std::round(y)), laid.text);
}

const LanePainter::Word& LanePainter::word(QPainter& painter, const QString& letters) const
{
    if (m_wordFont != painter.font()) {
        m_words.clear();
        m_wordFont = painter.font();
    }
    const auto known = m_words.constFind(letters);
    if (known != m_words.cend())
        return *known;
    Word made;
    made.text = QStaticText(letters);
    made.text.setTextFormat(Qt::PlainText);
    made.text.setPerformanceHint(QStaticText::AggressiveCaching);
    made.text.prepare(painter.transform(), painter.font());
    made.size = made.text.size();
    return *m_words.insert(letters, made);
}

void LanePainter::paintLabel(QPainter& painter, const QRectF& block, PassKind kind,
                             const Pass& pass, const QColor& ink) const
{
    constexpr double narrowestLabel = 5;
    if (block.width() < narrowestLabel || block.height() < narrowestLabel)
        return;
    const QString number = numberOf(pass, m_number);
    const QFontMetricsF metrics(painter.font());
    const double numberWidth = m_style == LaneStyle::Screen ? word(painter, number).size.width()
                                                            : metrics.horizontalAdvance(number);
    if (block.width() < numberWidth + 2 || block.height() < metrics.height() * 0.8)
        return;
    const std::string_view kindName = name(kind);
    const QString letter =
        QString::fromLatin1(kindName.data(), static_cast<qsizetype>(kindName.size()));
    const double letterWidth = m_style == LaneStyle::Screen ? word(painter, letter).size.width()
                                                            : metrics.horizontalAdvance(letter);
    // A word of its own does not run into the letter.
    const bool apart = m_number == BlockNumber::Stage;
    const double gap = apart ? metrics.horizontalAdvance(QLatin1Char(' ')) : 0;
    if (block.width() >= letterWidth + gap + numberWidth + 6) {
        paintText(painter, block, Qt::AlignCenter,
                  apart ? letter + QLatin1Char(' ') + number : letter + number, ink);
    } else if (block.height() >= 2 * metrics.height() && block.width() >= letterWidth + 1) {
        paintText(painter, block.adjusted(0, 0, 0, -block.height() / 2 + 2),
                  Qt::AlignHCenter | Qt::AlignBottom, letter, ink);
        paintText(painter, block.adjusted(0, block.height() / 2, 0, 0),
                  Qt::AlignHCenter | Qt::AlignTop, number, ink);
    } else {
        paintText(painter, block, Qt::AlignCenter, number, ink);
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
    std::array<Ink, Fill::looks> inks;
    for (const PassKind kind : allPassKinds)
        for (const bool tint : {false, true})
            inks[static_cast<std::size_t>(Fill::indexOf(kind, tint))] =
                Ink(color(roleOf(kind, tint)));
    const Ink idle(color(Role::Lane));
    QImage line(columns, 1, QImage::Format_RGB32);
    auto* pixels = reinterpret_cast<QRgb*>(line.scanLine(0));
    for (int column = 0; column < columns; ++column)
        pixels[column] = mixed(fills[static_cast<std::size_t>(column)], inks, idle);
    painter.drawImage(QRectF(area.left(), area.top(), columns, area.height()), line);
}

} // namespace pw::ui
