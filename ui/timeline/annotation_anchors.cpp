// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/annotation_anchors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace pw::ui {

namespace {

/// Parts of lanes and passes that files have: a thousandth.
double inThousandths(double part)
{
    return std::round(std::clamp(part, 0.0, 1.0) * 1000) / 1000;
}

const Lane& laneOf(const TimelineView& timeline, int lane)
{
    return timeline.lanes()->lanes()[static_cast<std::size_t>(lane)];
}

int laneCount(const TimelineView& timeline)
{
    return static_cast<int>(timeline.lanes()->lanes().size());
}

Ticks ticksOf(double time)
{
    return std::max<Ticks>(0, std::llround(time));
}

AnnotationAnchor onPass(const TimelineView& timeline, DeviceId lane, std::int64_t index,
                        double across, double down)
{
    const Lane& spans = laneOf(timeline, lane);
    const auto at = static_cast<std::size_t>(index);
    const auto start = static_cast<double>(spans.start[at]);
    const auto end = static_cast<double>(spans.end[at]);
    AnnotationAnchor anchor;
    anchor.down = inThousandths(down);
    anchor.across = inThousandths(across);
    anchor.device = lane;
    anchor.time = ticksOf(start + anchor.across * (end - start));
    // The halves of a pair lie one below the other.
    const bool partner = spans.look[at].paired && down >= 0.5;
    anchor.pass = timeline.lanes()->pass({lane, index}, partner);
    return anchor;
}

AnnotationAnchor onTime(double time, DeviceId lane, double down)
{
    AnnotationAnchor anchor;
    anchor.time = ticksOf(time);
    anchor.device = lane;
    anchor.down = inThousandths(down);
    return anchor;
}

/// The end of a stretch of time. @param first  its beginning, else its end
AnnotationAnchor edgeAt(const TimelineView& timeline, const AnnotationSpot& spot, bool first,
                        double down)
{
    const double time = timeline.snapped(spot.time, spot.lane);
    const Lane& spans = laneOf(timeline, spot.lane);
    // The passes that end there, or are cut, and that begin there.
    const std::int64_t before = spans.at(static_cast<Ticks>(std::ceil(time)) - 1);
    const std::int64_t behind = spans.at(static_cast<Ticks>(std::floor(time)));
    const std::int64_t within = first ? behind : before;
    if (within >= 0)
        return onPass(timeline, DeviceId(spot.lane), within, first ? 0 : 1, down);
    const std::int64_t beside = first ? before : behind;
    if (beside >= 0)
        return onPass(timeline, DeviceId(spot.lane), beside, first ? 1 : 0, down);
    return onTime(time, DeviceId(spot.lane), down);
}

} // namespace

AnnotationSpot spotAt(const TimelineView& timeline, QPointF point)
{
    const LaneGeometry geometry = timeline.laneGeometry();
    AnnotationSpot spot;
    spot.time = std::max(0.0, geometry.scale().time(point.x()));
    double nearest = std::numeric_limits<double>::max();
    for (int lane = 0; lane < laneCount(timeline); ++lane) {
        const QRectF area = geometry.laneArea(lane);
        if (area.isEmpty())
            continue;
        const double off = std::max({area.top() - point.y(), point.y() - area.bottom(), 0.0});
        if (off >= nearest)
            continue;
        nearest = off;
        spot.lane = lane;
        spot.down = std::clamp((point.y() - area.top()) / area.height(), 0.0, 1.0);
    }
    return spot;
}

AnnotationSpot spotOf(const AnnotationPoint& point)
{
    return {point.time, point.device, point.down};
}

AnnotationAnchor anchorAt(const TimelineView& timeline, const AnnotationSpot& spot)
{
    const Lane& spans = laneOf(timeline, spot.lane);
    const std::int64_t index = spans.at(static_cast<Ticks>(std::floor(spot.time)));
    if (index < 0)
        return onTime(spot.time, DeviceId(spot.lane), spot.down);
    const auto at = static_cast<std::size_t>(index);
    const auto start = static_cast<double>(spans.start[at]);
    const auto length = static_cast<double>(spans.end[at]) - start;
    return onPass(timeline, DeviceId(spot.lane), index,
                  length > 0 ? (spot.time - start) / length : 0, spot.down);
}

void layBetween(const TimelineView& timeline, Annotation& annotation, const AnnotationSpot& from,
                const AnnotationSpot& to)
{
    const bool forward = from.time <= to.time;
    switch (annotation.kind) {
    case AnnotationKind::Text:
        annotation.from = anchorAt(timeline, to);
        break;
    case AnnotationKind::Arrow:
        annotation.from = anchorAt(timeline, from);
        annotation.to = anchorAt(timeline, to);
        break;
    case AnnotationKind::Bracket: {
        const double down = from.down < 0.5 ? 0 : 1;
        AnnotationSpot end = to;
        end.lane = from.lane;
        annotation.from = edgeAt(timeline, from, forward, down);
        annotation.to = edgeAt(timeline, end, !forward, down);
        break;
    }
    case AnnotationKind::Region: {
        const bool downwards = from.lane <= to.lane;
        annotation.from = edgeAt(timeline, from, forward, downwards ? 0 : 1);
        annotation.to = edgeAt(timeline, to, !forward, downwards ? 1 : 0);
        break;
    }
    }
}

void layAround(const TimelineView& timeline, Annotation& annotation, const AnnotationSpot& spot)
{
    const Lane& spans = laneOf(timeline, spot.lane);
    const auto time = static_cast<Ticks>(std::floor(spot.time));
    const std::size_t next = spans.firstEndingAfter(time);
    Ticks begin = next > 0 ? spans.end[next - 1] : timeline.lanes()->begin();
    Ticks end = next < spans.size() ? spans.start[next] : timeline.lanes()->end();
    if (next < spans.size() && spans.start[next] <= time) {
        begin = spans.start[next];
        end = spans.end[next];
    }
    AnnotationSpot from = spot, to = spot;
    from.time = static_cast<double>(begin);
    to.time = static_cast<double>(end);
    layBetween(timeline, annotation, from, to);
}

bool layAround(const TimelineView& timeline, Annotation& annotation,
               const std::vector<SpanRef>& spans)
{
    const bool arrow = annotation.kind == AnnotationKind::Arrow;
    if (spans.size() < (arrow ? 2U : 1U))
        return false;
    const auto middle = [&](SpanRef span) {
        const Lane& lane = laneOf(timeline, span.lane);
        const auto at = static_cast<std::size_t>(span.index);
        return AnnotationSpot{static_cast<double>(lane.start[at] + lane.end[at]) / 2, span.lane,
                              0.5};
    };
    if (arrow || annotation.kind == AnnotationKind::Text) {
        layBetween(timeline, annotation, middle(spans.front()), middle(spans.back()));
        return true;
    }
    // From the first beginning to the last end, each on the lane of its pass.
    const bool oneLane = annotation.kind == AnnotationKind::Bracket;
    std::optional<AnnotationSpot> from, to;
    int upper = spans.back().lane, lower = upper;
    for (const SpanRef span : spans) {
        if (oneLane && span.lane != spans.back().lane)
            continue;
        const Lane& lane = laneOf(timeline, span.lane);
        const auto at = static_cast<std::size_t>(span.index);
        const auto start = static_cast<double>(lane.start[at]);
        const auto end = static_cast<double>(lane.end[at]);
        if (!from || start < from->time)
            from = AnnotationSpot{start, span.lane, 0};
        if (!to || end > to->time)
            to = AnnotationSpot{end, span.lane, 0};
        upper = std::min(upper, span.lane);
        lower = std::max(lower, span.lane);
    }
    if (!oneLane &&
        (std::min(from->lane, to->lane) != upper || std::max(from->lane, to->lane) != lower)) {
        // Ends on other lanes than the outermost: times hold it there.
        annotation.from = onTime(from->time, DeviceId(upper), 0);
        annotation.to = onTime(to->time, DeviceId(lower), 1);
        return true;
    }
    layBetween(timeline, annotation, *from, *to);
    return true;
}

double stepOf(const TimelineView& timeline, const PlacedAnnotation& placed, int direction)
{
    const TimeScale scale = timeline.scale();
    const double hundredth = direction * 0.01 * timeline.room().width() * scale.ticksPerPixel;
    if (placed.kind != AnnotationKind::Bracket && placed.kind != AnnotationKind::Region)
        return hundredth;
    const double from = placed.begin();
    const Lane& spans = laneOf(timeline, placed.from.time <= placed.to.time ? placed.from.device
                                                                            : placed.to.device);
    const auto at = static_cast<std::int64_t>(spans.firstEndingAfter(ticksOf(from)));
    double step = 0;
    for (std::int64_t i = std::max<std::int64_t>(0, at - 1); i <= at + 1; ++i) {
        if (i >= static_cast<std::int64_t>(spans.size()))
            break;
        const auto index = static_cast<std::size_t>(i);
        for (const Ticks edge : {spans.start[index], spans.end[index]}) {
            const double way = static_cast<double>(edge) - from;
            if (way * direction > 0 && (step == 0 || std::abs(way) < std::abs(step)))
                step = way;
        }
    }
    return step != 0 ? step : hundredth;
}

void moveBy(const TimelineView& timeline, Annotation& annotation, const PlacedAnnotation& placed,
            double ticks, int lanes, double down)
{
    const int last = laneCount(timeline) - 1;
    const int upper = std::min(placed.from.device, placed.to.device);
    const int lower = std::max(placed.from.device, placed.to.device);
    lanes = std::clamp(lanes, -upper, std::max(-upper, last - lower));
    ticks = std::max(ticks, -placed.begin());
    const auto moved = [&](const AnnotationPoint& point) {
        AnnotationSpot spot = spotOf(point);
        spot.time += ticks;
        spot.lane += lanes;
        spot.down = std::clamp(spot.down + down, 0.0, 1.0);
        return spot;
    };
    AnnotationSpot from = moved(placed.from), to = moved(placed.to);
    if (annotation.kind == AnnotationKind::Bracket || annotation.kind == AnnotationKind::Region)
        from.down = placed.from.down;
    layBetween(timeline, annotation, from, to);
}

} // namespace pw::ui
