// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/workspace/timeline_source.h"

#include "ui/core_words.h"

namespace pw::ui {

const LanesPtr& TimelineSource::noLanes()
{
    static const LanesPtr none = std::make_shared<const Lanes>();
    return none;
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
    return passText(pass, spec());
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

void TimelineSource::markWrong(Overlay&) const {}

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
