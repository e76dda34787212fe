// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/lane_painter.h"

#include "ui/models/lane_pyramid.h"
#include "ui/picture_painter.h"
#include "ui/presentation.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <vector>

namespace pw::ui {

namespace {

constexpr int hatchPeriod = 8; ///< pixels after which a brush of lines comes again

/// Pixels that a span has on average where spans are painted one by one; below they are mixed.
constexpr double narrowest = 1.5;

/// A place on the grid that shapes are drawn on, a sixty-fourth of a pixel: what is worked out at
/// another place a whole number of pixels away comes to the same one, so that a picture that is
/// moved is as one that is painted there.
double settled(double place)
{
    constexpr double grid = 64, little = 1e-4;
    return std::floor(place * grid + 0.5 + little) / grid;
}

} // namespace

QString numberOf(const Pass& pass, BlockNumber number, bool segmented)
{
    if (number == BlockNumber::Stage)
        return QStringLiteral("s%1").arg(pass.stage);
    // An update is of a whole stage.
    return segmented && pass.kind != PassKind::U
               ? QStringLiteral("%1/%2").arg(pass.microBatch).arg(pass.segment)
               : QString::number(pass.microBatch);
}

QColor spanColor(ColorBy colorBy, PassKind kind, int tint, int microBatch)
{
    return qtColor(pw::spanColor(colorBy, kind, tint, microBatch, ground()));
}

QBrush hatchBrush()
{
    QBrush brush(color(Role::Hatch), Qt::BDiagPattern);
    return brush;
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
    return first < last && static_cast<double>(last - first) * narrowest >= area.width();
}

void LanePainter::paint(QPainter& painter, std::size_t index, const QRectF& area,
                        const QRectF& exposed) const
{
    const Lane& lane = m_lanes.lanes()[index];
    painter.fillRect(exposed, color(Role::Lane));
    if (lane.size() == 0)
        return;
    const double begin = settled(m_scale.x(m_lanes.begin()));
    const QRectF whole(begin, area.top(), settled(m_scale.x(m_lanes.end())) - begin, area.height());
    // The lines go with the lanes when these are moved.
    const double origin = settled(std::fmod(m_scale.x(0.0), hatchPeriod));
    painter.setBrushOrigin(static_cast<int>(std::floor(origin)), 0);
    const bool mixed = mixes(index, area);
    constexpr double edge = 2; // of what stands just outside
    const auto [first, last] = mixed ? spansIn(lane, exposed.left(), exposed.right())
                                     : spansIn(lane, exposed.left() - edge, exposed.right() + edge);
    const QRectF idle = whole.intersected(exposed);
    if (painter.opacity() < 1 || first >= last)
        painter.fillRect(idle, hatchBrush()); // seen through what is painted
    else if (!mixed)
        paintIdle(painter, lane, idle, first, last);
    if (first < last && mixed)
        paintMixed(painter, index, exposed, first, last);
    else if (first < last)
        paintBlocks(painter, index, area, first, last);
    if (!mixed)
        paintCopies(painter, lane, area, exposed);
}

/// Hatches what is idle. Under the middle of wide blocks nothing of it would be seen, and lines
/// cost more than they do.
void LanePainter::paintIdle(QPainter& painter, const Lane& lane, const QRectF& box,
                            std::size_t first, std::size_t last) const
{
    constexpr double wide = 64;
    constexpr double rim = 6; // corners are round, and edges between pixels
    double from = box.left();
    for (std::size_t i = first; i < last; ++i) {
        const double left = std::max(m_scale.x(lane.start[i]), box.left() - rim);
        const double right = std::min(m_scale.x(lane.end[i]), box.right() + rim);
        if (right - left < wide || lane.look[i].paired)
            continue;
        const double begin = std::ceil(left) + rim;
        const double end = std::floor(right) - rim;
        if (begin > from)
            painter.fillRect(QRectF(from, box.top(), begin - from, box.height()), hatchBrush());
        from = std::max(from, end);
    }
    if (from < box.right())
        painter.fillRect(QRectF(from, box.top(), box.right() - from, box.height()), hatchBrush());
}

void LanePainter::paintBlocks(QPainter& painter, std::size_t index, const QRectF& area,
                              std::size_t first, std::size_t last) const
{
    const Lane& lane = m_lanes.lanes()[index];
    for (std::size_t i = first; i < last; ++i) {
        const double left = settled(std::max(m_scale.x(lane.start[i]), area.left() - 4));
        const double right = settled(std::min(m_scale.x(lane.end[i]), area.right() + 4));
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
    m_hatched = look.guessed != 0;
    m_segmented = look.segmented != 0;
    constexpr double leastOfTwo = 3; // lower, there is no room for two halves
    if (look.paired && box.height() >= leastOfTwo) {
        QRectF half(box.left(), box.top(), box.width(), box.height() / 2 - 0.5);
        paintHalf(painter, half, look.kind, look.tint, pass);
        half.moveBottom(box.bottom());
        paintHalf(painter, half, look.partner, look.partnerTint, partner);
    } else {
        paintHalf(painter, box, look.kind, look.tint, pass);
    }
    if (look.leaves || look.returns)
        paintMarks(painter, box, look, spanColor(m_colorBy, look.kind, look.tint, pass.microBatch));
}

void LanePainter::paintHalf(QPainter& painter, const QRectF& box, PassKind kind, int tint,
                            const Pass& pass) const
{
    const Ink ink = inkOf(kind, tint, pass.microBatch);
    QRectF block = box;
    if (box.width() > 4)
        block.setWidth(box.width() - 1); // a hairline between neighbours
    const bool soft = isSoft(box);
    const bool rounded = soft && box.width() >= 40;
    if (soft && !rounded) {
        // Of narrow blocks there are thousands: without their corners they look round enough.
        // On whole pixels, with the same hairline behind each.
        const int left = static_cast<int>(std::lround(box.left()));
        const int top = static_cast<int>(std::lround(box.top()));
        const QRect whole(left, top, static_cast<int>(std::lround(box.right())) - left - 1,
                          static_cast<int>(std::lround(box.bottom())) - top);
        painter.fillRect(whole.adjusted(1, 0, -1, 0), ink.block);
        painter.fillRect(whole.adjusted(0, 1, 0, -1), ink.block);
    } else if (rounded) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink.block);
        painter.drawRoundedRect(block, 2.5, 2.5);
    } else {
        painter.fillRect(block, ink.block);
    }
    if (kind == PassKind::BW && box.height() >= 8) {
        QRectF stripe = block;
        stripe.setTop(block.bottom() - std::max(2.0, 0.16 * block.height()));
        painter.fillRect(stripe, inkOf(PassKind::W, tint, pass.microBatch).block);
    }
    if (rounded)
        painter.setRenderHint(QPainter::Antialiasing, false);
    if (m_hatched)
        painter.fillRect(block, QBrush(color(Role::Lane), Qt::BDiagPattern));
    paintLabel(painter, block, kind, pass, ink);
}

void LanePainter::paintText(QPainter& painter, const QRectF& box, Qt::Alignment where,
                            const QString& text, const Ink& ink) const
{
    painter.setPen(ink.letters);
    const LabelWords::Word& laid = word(painter, text);
    const double y = (where & Qt::AlignTop) != 0      ? box.top()
                     : (where & Qt::AlignBottom) != 0 ? box.bottom() - laid.size.height()
                                                      : box.center().y() - laid.size.height() / 2;
    const QPointF at(std::round(box.center().x() - laid.size.width() / 2), std::round(y));
    // Lines between letters would take their contrast away.
    if (m_hatched)
        painter.fillRect(QRectF(at, laid.size).adjusted(-2, 0, 2, 0).intersected(box), ink.block);
    painter.drawStaticText(at, laid.text);
}

LanePainter::Ink LanePainter::newInk(PassKind kind, int tint, int microBatch) const
{
    const QColor own = spanColor(m_colorBy, kind, tint, microBatch);
    const QColor letters = wantsWhiteText(rgbOf(own)) ? QColor(Qt::white)
                                                      : qtColor(colorOf(Role::Text, Ground::Light));
    if (m_opacity == 1)
        return {own, letters};
    const QColor seen = mixedColor(color(Role::Lane), own, m_opacity);
    return {seen, mixedColor(seen, letters, m_opacity)};
}

LanePainter::Ink LanePainter::inkOf(PassKind kind, int tint, int microBatch) const
{
    if (m_colorBy != ColorBy::Kind)
        return newInk(kind, tint, microBatch);
    const int key = tint * 8 + static_cast<int>(kind);
    auto& known = m_inks[static_cast<std::size_t>(key) % m_inks.size()];
    if (!known || known->first != key)
        known.emplace(key, newInk(kind, tint, microBatch));
    return known->second;
}

const LabelWords::Word& LanePainter::word(QPainter& painter, const QString& letters) const
{
    return (m_words != nullptr ? *m_words : m_own).word(painter, letters);
}

void LanePainter::paintLabel(QPainter& painter, const QRectF& block, PassKind kind,
                             const Pass& pass, const Ink& ink) const
{
    constexpr double narrowestLabel = 5;
    if (block.width() < narrowestLabel || block.height() < narrowestLabel)
        return;
    const QFontMetricsF metrics(painter.font());
    QString number = numberOf(pass, m_number);
    double numberWidth = word(painter, number).size.width();
    if (block.width() < numberWidth + 2 || block.height() < metrics.height() * 0.8)
        return;
    const std::string_view kindName = name(kind);
    const QString letter =
        QString::fromLatin1(kindName.data(), static_cast<qsizetype>(kindName.size()));
    const double letterWidth = word(painter, letter).size.width();
    const bool twoLines = block.height() >= 2 * metrics.height();
    if (m_segmented && m_number == BlockNumber::MicroBatch) {
        // The segment, where the letter keeps its place.
        const QString both = numberOf(pass, m_number, true);
        const double width = word(painter, both).size.width();
        if (block.width() >= (twoLines ? width + 2 : letterWidth + width + 6)) {
            number = both;
            numberWidth = width;
        }
    }
    // A word of its own does not run into the letter.
    const bool apart = m_number == BlockNumber::Stage;
    const double gap = apart ? metrics.horizontalAdvance(QLatin1Char(' ')) : 0;
    if (block.width() >= letterWidth + gap + numberWidth + 6) {
        paintText(painter, block, Qt::AlignCenter,
                  apart ? letter + QLatin1Char(' ') + number : letter + number, ink);
    } else if (twoLines && block.width() >= letterWidth + 1) {
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
    const FillMixer mixer(ground());
    QImage line(columns, 1, QImage::Format_RGB32);
    auto* pixels = reinterpret_cast<QRgb*>(line.scanLine(0));
    for (const Fill& fill : fills) {
        const Rgb mixed = mixer.color(fill);
        *pixels++ = qRgb(mixed.red, mixed.green, mixed.blue);
    }
    painter.drawImage(QRectF(area.left(), area.top(), columns, area.height()), line);
}

} // namespace pw::ui
