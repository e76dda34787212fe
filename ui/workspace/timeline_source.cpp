// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/workspace/timeline_source.h"

#include "ui/core_words.h"
#include "ui/text.h"
#include "ui/timeline/lane_painter.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/timeline_view.h"

#include <QPainter>

#include <algorithm>

namespace pw::ui {

const LanesPtr& TimelineSource::noLanes()
{
    static const LanesPtr none = std::make_shared<const Lanes>();
    return none;
}

LaneView* TimelineSource::makeView(ViewRange& range, QWidget* parent)
{
    return new TimelineView(range, parent);
}

void TimelineSource::paintOverview(QPainter& painter, QSize pixels, const TimeScale& scale) const
{
    const LanesPtr all = lanes();
    const LanePainter lanes(*all, scale, ColorBy::Kind);
    QFont none = painter.font();
    none.setPixelSize(40); // no label fits
    painter.setFont(none);
    const auto count = static_cast<int>(std::max<std::size_t>(1, all->lanes().size()));
    for (int lane = 0; lane < static_cast<int>(all->lanes().size()); ++lane) {
        const OverviewLane place = overviewLane(lane, count, pixels.height());
        painter.setOpacity(place.opacity);
        lanes.paint(painter, static_cast<std::size_t>(lane),
                    QRectF(0, place.top, pixels.width(), place.height));
    }
    painter.setOpacity(1);
}

const PipelineSpec& TimelineSource::spec() const
{
    static const PipelineSpec none;
    return none;
}

HoverNews TimelineSource::describe(SpanRef, int, double) const
{
    return {};
}

QString TimelineSource::passWords(const Pass& pass) const
{
    // Where a device has one stage, the lane says it.
    const PipelineSpec& shape = spec();
    if (pass.kind != PassKind::U && shape.routeCount() == 1 && shape.segments() == 1 &&
        shape.stages() == shape.devices)
        return tr("%1 of micro-batch %2").arg(text(name(pass.kind))).arg(pass.microBatch);
    return passText(pass, shape);
}

std::optional<IdleStretch> TimelineSource::idle(int, Ticks) const
{
    return std::nullopt;
}

std::vector<SpanRef> TimelineSource::linked(SpanRef, int) const
{
    return {};
}

std::vector<Arrow> TimelineSource::arrows(SpanRef) const
{
    return {};
}

std::vector<SpanRef> TimelineSource::strand(SpanRef) const
{
    return {};
}

std::vector<SpanRef> TimelineSource::critical() const
{
    return {};
}

WrongLayer TimelineSource::wrong() const
{
    return {};
}

std::optional<PhasesOf> TimelineSource::phases() const
{
    return std::nullopt;
}

Curves TimelineSource::curves(Chart, int) const
{
    return {};
}

std::vector<BubbleRow> TimelineSource::bubbles() const
{
    return {};
}

std::optional<std::vector<BubbleRow>> TimelineSource::plannedBubbles() const
{
    return std::nullopt;
}

HeatShown TimelineSource::heat() const
{
    return {};
}

} // namespace pw::ui
