// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/annotation_painter.h"

#include "ui/picture_painter.h"
#include "ui/presentation.h"
#include "ui/text.h"

#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

constexpr double annotationReach = 5; ///< pixels around a line that are still the line
constexpr double handleRadius = 6;
constexpr double handleReach = 8;
constexpr double futureOpacity = 0.3;

PictureBox boxOf(const QRectF& rect)
{
    return {rect.left(), rect.top(), rect.width(), rect.height()};
}

QRectF rectOf(const PictureBox& box)
{
    return {box.left, box.top, box.width, box.height};
}

QPointF pointOf(PicturePoint point)
{
    return {point.x, point.y};
}

/// Pixels between a point and the nearest one of a stretch.
double distanceTo(QPointF from, QPointF to, QPointF point)
{
    const QPointF way = to - from;
    const double length = QPointF::dotProduct(way, way);
    const double part =
        length > 0 ? std::clamp(QPointF::dotProduct(point - from, way) / length, 0.0, 1.0) : 0;
    return QLineF(from + part * way, point).length();
}

bool onLine(const std::vector<PicturePoint>& points, QPointF point)
{
    for (std::size_t i = 1; i < points.size(); ++i)
        if (distanceTo(pointOf(points[i - 1]), pointOf(points[i]), point) <= annotationReach)
            return true;
    return false;
}

bool onFrame(const PictureBox& box, QPointF point)
{
    if (box.empty())
        return false;
    const QRectF outer =
        rectOf(box).adjusted(-annotationReach, -annotationReach, annotationReach, annotationReach);
    const QRectF inner =
        rectOf(box).adjusted(annotationReach, annotationReach, -annotationReach, -annotationReach);
    return outer.contains(point) && !(inner.isValid() && inner.contains(point));
}

/// An arrow's words are its beginning, and are moved as such.
bool heldByWords(const PlacedAnnotation& annotation, const AnnotationShape& shape)
{
    return annotation.kind == AnnotationKind::Arrow && !shape.label.empty();
}

} // namespace

AnnotationPainter::AnnotationPainter(const TimeScale& scale,
                                     std::function<QRectF(DeviceId device)> lane, QRectF room,
                                     const QFont& font)
    : m_font(font)
{
    m_frame.x = [scale](double time) { return scale.x(time); };
    m_frame.lane = [lane = std::move(lane)](DeviceId device) { return boxOf(lane(device)); };
    m_frame.room = boxOf(room);
    const QFontMetricsF metrics(font);
    m_frame.line = metrics.height();
    m_frame.width = [metrics](const std::string& line) {
        return metrics.horizontalAdvance(text(line));
    };
}

AnnotationPainter::AnnotationPainter(const LaneGeometry& geometry, const QFont& font)
    : AnnotationPainter(
          geometry.scale(),
          [&geometry](DeviceId device) {
              const bool known = device < static_cast<int>(geometry.lanes().lanes().size());
              return known ? geometry.laneArea(device) : QRectF();
          },
          geometry.room(), font)
{
}

void AnnotationPainter::paint(QPainter& painter, const std::vector<PlacedAnnotation>& annotations,
                              int selected, std::optional<double> now) const
{
    painter.save();
    painter.setClipRect(rectOf(m_frame.room), Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(m_font);
    const double opacity = painter.opacity();
    for (std::size_t i = 0; i < annotations.size(); ++i) {
        const PlacedAnnotation& one = annotations[i];
        const AnnotationShape shape = shapeOf(one, m_frame);
        if (!shape.shown)
            continue;
        painter.setOpacity(now && one.begin() > *now ? opacity * futureOpacity : opacity);
        PictureItems items;
        layAnnotation(items, shape, colorOf(roleOf(one.tint), ground()), m_frame.line, 0, ground());
        paintPicture(painter, items, m_font);
        if (static_cast<int>(i) == selected)
            paintHandles(painter, one, shape);
    }
    painter.restore();
}

void AnnotationPainter::paintHandles(QPainter& painter, const PlacedAnnotation& annotation,
                                     const AnnotationShape& shape) const
{
    painter.setPen(QPen(color(Role::Accent), 1.6));
    painter.setBrush(Qt::NoBrush);
    if (!shape.label.empty())
        painter.drawRoundedRect(rectOf(shape.label).adjusted(-2, -2, 2, 2), 4, 4);
    if (!hasEnd(annotation.kind))
        return;
    painter.drawEllipse(pointOf(shape.to), handleRadius, handleRadius);
    if (!heldByWords(annotation, shape))
        painter.drawEllipse(pointOf(shape.from), handleRadius, handleRadius);
}

AnnotationHit AnnotationPainter::hit(const std::vector<PlacedAnnotation>& annotations, int selected,
                                     QPointF point) const
{
    if (!rectOf(m_frame.room).contains(point))
        return {};
    if (selected >= 0 && selected < static_cast<int>(annotations.size())) {
        const PlacedAnnotation& one = annotations[static_cast<std::size_t>(selected)];
        const AnnotationShape shape = shapeOf(one, m_frame);
        const bool ends = shape.shown && hasEnd(one.kind);
        if (ends && QLineF(pointOf(shape.to), point).length() <= handleReach)
            return {selected, AnnotationPart::To};
        if (ends && !heldByWords(one, shape) &&
            QLineF(pointOf(shape.from), point).length() <= handleReach)
            return {selected, AnnotationPart::From};
    }
    for (std::size_t i = annotations.size(); i-- > 0;) {
        const AnnotationShape shape = shapeOf(annotations[i], m_frame);
        if (!shape.shown)
            continue;
        const bool onHead =
            !shape.head.empty() && QLineF(pointOf(shape.to), point).length() <= annotationReach;
        const bool onWords = !shape.label.empty() && rectOf(shape.label).contains(point);
        if (onWords && heldByWords(annotations[i], shape))
            return {static_cast<int>(i), AnnotationPart::From};
        if (onHead || onWords || onLine(shape.line, point) || onFrame(shape.area, point))
            return {static_cast<int>(i), AnnotationPart::Body};
    }
    return {};
}

QRectF AnnotationPainter::labelOf(const PlacedAnnotation& annotation) const
{
    PlacedAnnotation worded = annotation;
    if (annotationLines(worded.text).empty())
        worded.text = "…";
    const AnnotationShape shape = shapeOf(worded, m_frame);
    return rectOf(shape.label);
}

} // namespace pw::ui
