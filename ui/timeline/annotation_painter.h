// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/annotation_shape.h"
#include "ui/timeline/lane_geometry.h"

#include <QFont>
#include <QPointF>
#include <QRectF>

#include <functional>
#include <optional>
#include <vector>

class QPainter;

namespace pw::ui {

/// What of an annotation is under a point.
enum class AnnotationPart
{
    None,
    Body, ///< words, line or frame; the ground of a region belongs to the passes below
    From, ///< an end by which a selected one is drawn longer
    To
};

struct AnnotationHit
{
    int index = -1;
    AnnotationPart part = AnnotationPart::None;
};

/// Paints annotations over lanes, wherever the lanes are, and knows what is at a point of them.
class AnnotationPainter
{
public:
    /// @param scale   where times are
    /// @param lane    where a device's lane is; empty: it is not shown
    /// @param room    of all lanes; words stay in it
    AnnotationPainter(const TimeScale& scale, std::function<QRectF(DeviceId device)> lane,
                      QRectF room, const QFont& font);
    /// Over the lanes of a timeline, which outlive this.
    AnnotationPainter(const LaneGeometry& geometry, const QFont& font);

    /// @param selected  has handles; −1: none
    /// @param now       what begins later is pale; none: nothing is
    void paint(QPainter& painter, const std::vector<PlacedAnnotation>& annotations,
               int selected = -1, std::optional<double> now = std::nullopt) const;

    /// The topmost one at a point; handles of the selected one come first.
    AnnotationHit hit(const std::vector<PlacedAnnotation>& annotations, int selected,
                      QPointF point) const;
    /// Where its words are, or would be.
    QRectF labelOf(const PlacedAnnotation& annotation) const;

private:
    void paintHandles(QPainter& painter, const PlacedAnnotation& annotation,
                      const AnnotationShape& shape) const;

    AnnotationFrame m_frame;
    QFont m_font;
};

} // namespace pw::ui
