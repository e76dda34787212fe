// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/annotation.h"
#include "ui/timeline/timeline_view.h"

#include <QPointF>

namespace pw::ui {

// Between places on a timeline and what annotations hold on to.

/// A place over the lanes of a schedule.
struct AnnotationSpot
{
    double time = 0; ///< in ticks
    int lane = 0;
    double down = 0.5; ///< of the lane's height
};

/// The place at a point, on the nearest lane. @pre the timeline has lanes
AnnotationSpot spotAt(const TimelineView& timeline, QPointF point);

/// Where an annotation's end stands.
AnnotationSpot spotOf(const AnnotationPoint& point);

/// On the pass at a place, where there is one.
AnnotationAnchor anchorAt(const TimelineView& timeline, const AnnotationSpot& spot);

/// Gives an annotation its ends. What spans time takes in passes as a whole, and begins or ends
/// with a pass whose edge is within a few pixels; a region takes in lanes as a whole.
void layBetween(const TimelineView& timeline, Annotation& annotation, const AnnotationSpot& from,
                const AnnotationSpot& to);

/// The same around the pass at a place, or around the stretch in which the lane is idle there.
void layAround(const TimelineView& timeline, Annotation& annotation, const AnnotationSpot& spot);

/// The same around spans, of which the last one is the current one. @return  whether that is
/// possible: an arrow needs two, all others one
bool layAround(const TimelineView& timeline, Annotation& annotation,
               const std::vector<SpanRef>& spans);

/// Ticks that a key moves an annotation by: what spans time goes to the next edge of a pass, all
/// else by a hundredth of what is seen. @param direction  −1 or 1
double stepOf(const TimelineView& timeline, const PlacedAnnotation& placed, int direction);

/// Moves a whole annotation. @param placed  as it stands now
void moveBy(const TimelineView& timeline, Annotation& annotation, const PlacedAnnotation& placed,
            double ticks, int lanes, double down);

} // namespace pw::ui
