// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/overlay_painter.h"

#include "ui/presentation.h"
#include "ui/timeline/annotation_painter.h"
#include "ui/timeline/overlay_marks.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace pw::ui {

Overlay::Overlay() = default;
PW_VALUE_DEFINED(Overlay);

namespace {

/// Frames of many boxes, drawn at once, their corners cut where boxes have round ones. Rounded ones
/// are stroked path by path, which took a third of the time of a frame while thousands of ghosts
/// stand.
class Frames
{
public:
    explicit Frames(int width)
        : m_width(width)
    {
    }

    void add(const QRectF& box)
    {
        const QRect r = box.toRect();
        const int w = m_width, right = r.left() + r.width(), bottom = r.top() + r.height();
        const int wide = r.width() - 2 * w, high = r.height() - 2 * w;
        if (wide < 1 || high < 1)
            return;
        // A block is a hairline wider than its frame.
        const int cut = LanePainter::isSoft(box.adjusted(0, 0, 1, 0)) ? w : 0;
        m_edges.push_back({r.left() + cut, r.top(), r.width() - 2 * cut, w});
        m_edges.push_back({r.left() + cut, bottom - w, r.width() - 2 * cut, w});
        m_edges.push_back({r.left(), r.top() + w, w, high});
        m_edges.push_back({right - w, r.top() + w, w, high});
        if (cut == 0)
            return;
        for (const int x : {r.left() + w, right - w - 1})
            for (const int y : {r.top() + w, bottom - w - 1})
                m_edges.push_back({x, y, 1, 1});
    }

    void paint(QPainter& painter, const QColor& colour) const
    {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawRects(m_edges.data(), static_cast<int>(m_edges.size()));
        painter.setBrush(Qt::NoBrush);
    }

private:
    int m_width;
    std::vector<QRect> m_edges;
};

} // namespace

void OverlayPainter::paint(QPainter& painter, const Overlay& overlay) const
{
    painter.save();
    painter.setClipRect(m_geometry.room());
    if (overlay.futurePale && overlay.cursor)
        paintFuture(painter, overlay, *overlay.cursor);
    paintCritical(painter, overlay);
    paintStrand(painter, overlay);
    paintWrong(painter, overlay);
    if (overlay.found)
        paintFound(painter, *overlay.found);
    paintReady(painter, overlay);
    paintGhosts(painter, overlay);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Arrow& arrow : overlay.arrows)
        paintArrow(painter, arrow, Role::Accent);
    for (const Arrow& arrow : overlay.broken)
        paintArrow(painter, arrow, Role::Refusal, Qt::DashLine);
    paintLit(painter, overlay);
    paintGathers(painter, overlay);
    paintSelected(painter, overlay);
    AnnotationPainter(m_geometry, m_font)
        .paint(painter, overlay.annotations, overlay.annotation,
               overlay.futurePale ? overlay.cursor : std::nullopt);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const TimeScale& to = m_geometry.scale();
    const double height = m_geometry.viewport().height();
    paintGuess(painter, overlay);
    if (overlay.pointer)
        paintTimeLine(painter, to.x(*overlay.pointer), height, color(Role::Secondary));
    if (overlay.cursor)
        paintTimeLine(painter, to.x(*overlay.cursor), height, color(Role::Refusal));
    if (overlay.band)
        paintBand(painter, *overlay.band);
    painter.restore();
}

void OverlayPainter::paintTrial(QPainter& painter, const Overlay& overlay) const
{
    painter.save();
    painter.setClipRect(m_geometry.room());
    paintGhosts(painter, overlay);
    painter.restore();
}

void OverlayPainter::paintCritical(QPainter& painter, const Overlay& overlay) const
{
    // While it is played it comes with the cursor, and is seen from the last row.
    const bool grows = overlay.futurePale && overlay.cursor;
    const double end = grows ? m_geometry.scale().x(*overlay.cursor) : 0;
    painter.setPen(QPen(color(Role::Refusal), grows ? 4 : 2, Qt::SolidLine, Qt::FlatCap));
    painter.setBrush(Qt::NoBrush);
    for (const SpanRef span : overlay.critical) {
        if (!m_geometry.lanes().holds(span))
            continue;
        const QRectF box = m_geometry.rectangleOf(span);
        const double right = grows ? std::min(box.right() - 1, end) : box.right() - 1;
        if (right > box.left())
            painter.drawLine(QPointF(box.left(), box.bottom() + 2),
                             QPointF(right, box.bottom() + 2));
    }
}

void OverlayPainter::paintGhosts(QPainter& painter, const Overlay& overlay) const
{
    LanePainter lanes(m_geometry.lanes(), m_geometry.scale(), m_colorBy);
    if (m_words != nullptr)
        lanes.setWords(*m_words);
    lanes.setOpacity(0.75);
    const TimeScale& to = m_geometry.scale();
    QFont small = m_font;
    small.setPixelSize(m_geometry.labelPixels());
    painter.setFont(small);
    constexpr double leastOutlined = 5;
    const QRectF room = m_geometry.room();
    const QColor ground = color(Role::Lane);
    Frames frames(1);
    const auto boxOf = [&](const Ghost& ghost) {
        QRectF box = m_geometry.laneArea(ghost.lane);
        box.setLeft(to.x(ghost.start));
        box.setRight(to.x(ghost.end));
        return box;
    };
    // Letters of what lies below would mix with their own. There are thousands, most of them one
    // directly behind the other.
    const auto apart = [](const Ghost& one, const Ghost& other) {
        return other.lane != one.lane || other.start != one.end;
    };
    const std::vector<Ghost>& ghosts = overlay.ghosts;
    for (auto first = ghosts.begin(); first != ghosts.end();) {
        auto last = std::adjacent_find(first, ghosts.end(), apart);
        last += last == ghosts.end() ? 0 : 1;
        const QRectF all = boxOf(*first) | boxOf(*std::prev(last));
        if (!all.intersects(room)) {
            first = last;
            continue;
        }
        painter.fillRect(all & room, ground);
        for (; first != last; ++first) {
            const QRectF box = boxOf(*first);
            if (box.right() < room.left() || box.left() > room.right())
                continue;
            lanes.paintSpan(painter, box, first->look, first->pass, first->partner);
            if (box.width() >= leastOutlined)
                frames.add(box.adjusted(0, 0, -1, 0));
        }
    }
    frames.paint(painter, color(Role::Accent));
}

/// A veil over everything later than a time.
/// What runs at the cursor is seen through the veil to its end.
void OverlayPainter::paintFuture(QPainter& painter, const Overlay& overlay, double now) const
{
    QRectF veil = m_geometry.room();
    veil.setLeft(std::max(veil.left(), m_geometry.scale().x(now)));
    QColor ground = color(Role::Paper);
    if (veil.width() <= 0)
        return;
    QPainterPath dark, dim;
    dark.addRect(veil);
    for (const SpanRef span : overlay.lit)
        if (m_geometry.lanes().holds(span))
            dim.addRect(m_geometry.rectangleOf(span) & veil);
    ground.setAlphaF(0.78F);
    painter.fillPath(dark.subtracted(dim), ground);
    ground.setAlphaF(0.30F);
    painter.fillPath(dim, ground);
}

QRectF readyBox(const LaneGeometry& geometry, const Overlay& overlay, std::size_t place)
{
    const Ghost& ghost = overlay.ready[place];
    int before = 0, all = 0;
    for (std::size_t i = 0; i < overlay.ready.size(); ++i) {
        if (overlay.ready[i].lane != ghost.lane)
            continue;
        ++all;
        before += i < place ? 1 : 0;
    }
    QRectF box = geometry.laneArea(ghost.lane);
    const double high = box.height() / all;
    box.setTop(box.top() + before * high);
    box.setHeight(high);
    box.setLeft(geometry.scale().x(ghost.start));
    box.setRight(geometry.scale().x(ghost.end));
    return box;
}

/// Pale blocks with a frame that glows, so that they are seen on an empty lane.
void OverlayPainter::paintReady(QPainter& painter, const Overlay& overlay) const
{
    if (overlay.ready.empty())
        return;
    const LanePainter lanes(m_geometry.lanes(), m_geometry.scale(), m_colorBy);
    painter.save();
    QFont small = m_font;
    small.setPixelSize(m_geometry.labelPixels());
    painter.setFont(small);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < overlay.ready.size(); ++i) {
        const QRectF box = readyBox(m_geometry, overlay, i);
        if (!box.intersects(m_geometry.room()))
            continue;
        const Ghost& ghost = overlay.ready[i];
        painter.setOpacity(0.45);
        lanes.paintSpan(painter, box.adjusted(2, 2, -2, -2), ghost.look, ghost.pass, ghost.partner);
        painter.setBrush(Qt::NoBrush);
        for (const double wide : {5.0, 1.5}) {
            painter.setOpacity(wide > 2 ? 0.25 : 0.9);
            painter.setPen(QPen(color(Role::Accent), wide));
            painter.drawRoundedRect(box.adjusted(2.5, 2.5, -2.5, -2.5), 3, 3);
        }
    }
    painter.restore();
}

/// A line at a predicted time with its words in front of it; at the edge where the time is not in
/// view.
void OverlayPainter::paintGuess(QPainter& painter, const Overlay& overlay) const
{
    if (!overlay.guess)
        return;
    const QRectF room = m_geometry.room();
    const double at = m_geometry.scale().x(*overlay.guess);
    if (at < room.left())
        return;
    const bool seen = at <= room.right();
    const double x = seen ? at : room.right();
    QFont bold = m_font;
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    const QString words = overlay.guessWords + (seen ? QString() : QStringLiteral(" ›"));
    const QFontMetricsF letters(bold);
    const double wide = letters.horizontalAdvance(words) + 8;
    // In front of the line, or behind it where that is outside.
    const double left = x - wide >= room.left() ? x - wide : x;
    QRectF box(left, room.bottom() - letters.height() - 4, wide, letters.height() + 2);
    painter.fillRect(box, color(Role::Paper));
    painter.setPen(QPen(color(Role::Accent), 2, Qt::DashLine));
    if (seen)
        painter.drawLine(QPointF(x, room.top()), QPointF(x, room.bottom()));
    painter.drawText(box, Qt::AlignCenter, words);
}

/// The mark ▼ of the goal, drawn on whole pixels: not every font has it.
void OverlayPainter::paintGathers(QPainter& painter, const Overlay& overlay) const
{
    const QRectF room = m_geometry.room();
    QPainterPath marks;
    for (const SpanRef span : overlay.gathers) {
        if (!m_geometry.lanes().holds(span))
            continue;
        const QRectF box = m_geometry.rectangleOf(span);
        if (box.isEmpty() || !box.intersects(room))
            continue;
        const double half = std::min(5.0, std::floor(box.height() / 3));
        const QPointF tip(std::round(box.left()) + half, box.top() + half);
        marks.addPolygon(
            QPolygonF({tip, tip + QPointF(-half, -2 * half), tip + QPointF(half, -2 * half), tip}));
    }
    painter.setPen(QPen(color(Role::Paper), 2));
    painter.drawPath(marks);
    painter.fillPath(marks, color(Role::Text));
}

/// A frame and a corner in the colour of refusals, which also tells where no colour is seen.
void OverlayPainter::paintWrong(QPainter& painter, const Overlay& overlay) const
{
    const QRectF room = m_geometry.room();
    Frames frames(2);
    QColor veil = color(Role::Refusal);
    veil.setAlphaF(0.30F);
    QPainterPath corners;
    for (const SpanRef span : overlay.wrong) {
        QRectF box = m_geometry.rectangleOf(span);
        if (box.isEmpty() || !box.intersects(room))
            continue;
        box.setWidth(std::max(box.width(), 3.0)); // seen also where passes are finer than pixels
        painter.fillRect(box, veil);
        frames.add(box.adjusted(0, 0, -1, 0));
        const double side = std::min({9.0, box.width() - 1, box.height()});
        corners.addPolygon(QPolygonF({box.topLeft(), box.topLeft() + QPointF(side, 0),
                                      box.topLeft() + QPointF(0, side), box.topLeft()}));
    }
    frames.paint(painter, color(Role::Refusal));
    painter.fillPath(corners, color(Role::Refusal));
}

void OverlayPainter::paintLit(QPainter& painter, const Overlay& overlay) const
{
    for (const Arrow& arrow : overlay.litArrows)
        paintArrow(painter, arrow, Role::Accent);
    QColor glow = color(Role::Accent);
    for (const SpanRef span : overlay.lit) {
        if (!m_geometry.lanes().holds(span))
            continue;
        const QRectF box = m_geometry.rectangleOf(span).adjusted(-1, -1, 0, 1);
        glow.setAlphaF(0.35F);
        painter.setPen(QPen(glow, 7));
        painter.drawRoundedRect(box, 4, 4);
        painter.setPen(QPen(color(Role::Accent), 2));
        painter.drawRoundedRect(box, 3, 3);
    }
}

void OverlayPainter::paintArrow(QPainter& painter, const Arrow& arrow, Role role,
                                Qt::PenStyle line) const
{
    if (!m_geometry.lanes().holds(arrow.from) || !m_geometry.lanes().holds(arrow.to))
        return;
    const QRectF from = m_geometry.rectangleOf(arrow.from);
    const QRectF to = m_geometry.rectangleOf(arrow.to);
    if (from.isNull() || to.isNull())
        return; // folded away
    const QPointF start(from.right() - 1, from.center().y());
    const QPointF end(to.left() + 1, to.center().y());
    const double bend = std::clamp((end.x() - start.x()) / 2, 12.0, 60.0);
    QPainterPath path(start);
    if (arrow.from.lane == arrow.to.lane) {
        // Along its lane it would lie under the passes: it goes over them.
        const QPointF up(0, -std::min(0.75 * from.height(), 30.0));
        path.cubicTo(start + QPointF(bend, 0) + up, end - QPointF(bend, 0) + up, end);
    } else {
        path.cubicTo(start + QPointF(bend, 0), end - QPointF(bend, 0), end);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color(Role::Paper), 4));
    painter.drawPath(path);
    painter.setPen(QPen(color(role), role == Role::Refusal ? 2 : 1.6, line));
    painter.drawPath(path);
    painter.setBrush(color(role));
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(QPolygonF({end, end + QPointF(-7, -3.5), end + QPointF(-7, 3.5)}));
    painter.setBrush(Qt::NoBrush);
}

void OverlayPainter::paintSelected(QPainter& painter, const Overlay& overlay) const
{
    // Of a whole micro-batch there are hundreds: they are framed at once, and without curves.
    constexpr std::size_t few = 24;
    const bool many = overlay.selected.size() > few;
    const QRectF room = m_geometry.room();
    Frames halo(1), frames(2);
    for (const SpanRef span : overlay.selected) {
        if (!m_geometry.lanes().holds(span))
            continue;
        const QRectF box = m_geometry.rectangleOf(span).adjusted(-1, -1, 0, 1);
        if (!box.intersects(room))
            continue;
        if (many) {
            halo.add(box.adjusted(-2, -2, 2, 2));
            frames.add(box.adjusted(-1, -1, 1, 1));
            continue;
        }
        paintFrame(painter, box, Role::Text);
    }
    if (!many)
        return;
    const bool smooth = painter.testRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::Antialiasing, false);
    halo.paint(painter, color(Role::Paper));
    frames.paint(painter, color(Role::Text));
    painter.setRenderHint(QPainter::Antialiasing, smooth);
}

void OverlayPainter::paintStrand(QPainter& painter, const Overlay& overlay) const
{
    const QRectF room = m_geometry.room();
    Frames frames(2);
    for (const SpanRef span : overlay.strand) {
        const QRectF box = m_geometry.rectangleOf(span);
        if (!box.isEmpty() && box.intersects(room))
            frames.add(box.adjusted(0, 0, -1, 0));
    }
    frames.paint(painter, color(Role::Accent));
}

/// A mark under and over every hit; of many in one pixel the first.
void OverlayPainter::paintFound(QPainter& painter, const FoundSpans& found) const
{
    const std::vector<Lane>& lanes = m_geometry.lanes().lanes();
    const TimeScale& to = m_geometry.scale();
    const QRectF room = m_geometry.room();
    QColor veil = color(Role::Accent);
    veil.setAlphaF(0.28F);
    for (std::size_t lane = 0; lane < std::min(found.size(), lanes.size()); ++lane) {
        const Lane& spans = lanes[lane];
        const QRectF area = m_geometry.laneArea(static_cast<int>(lane));
        if (!area.intersects(room))
            continue;
        const std::vector<std::int64_t>& hits = found[lane];
        const auto begin = static_cast<std::int64_t>(
            spans.firstEndingAfter(static_cast<Ticks>(to.time(room.left()))));
        auto hit = std::lower_bound(hits.begin(), hits.end(), begin);
        while (hit != hits.end() && *hit < static_cast<std::int64_t>(spans.size())) {
            const auto at = static_cast<std::size_t>(*hit);
            const double left = to.x(spans.start[at]);
            if (left > room.right())
                break;
            const double right = std::max(to.x(spans.end[at]), left + 1.5);
            painter.fillRect(QRectF(left, area.top() - 3, right - left, 3), color(Role::Accent));
            painter.fillRect(QRectF(left, area.top(), right - left, area.height()), veil);
            if (right - left >= 2) {
                ++hit;
                continue;
            }
            // The next one that is a pixel further on.
            const auto next = static_cast<std::int64_t>(
                spans.firstEndingAfter(static_cast<Ticks>(to.time(left + 1.5))));
            hit = std::lower_bound(hit + 1, hits.end(), next);
        }
    }
}

} // namespace pw::ui
