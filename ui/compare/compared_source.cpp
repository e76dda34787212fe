// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/compared_source.h"

#include "ui/compare/compare_hover.h"
#include "ui/timeline/schedule_links.h"

#include <utility>

namespace pw::ui {

void ComparedSource::set(ComparedPtr timeline)
{
    m_timeline = std::move(timeline);
    m_difference = nullptr;
    Q_EMIT lanesChanged();
}

void ComparedSource::setDifference(DifferencePtr difference, HeatShown heat)
{
    m_difference = std::move(difference);
    m_heat = std::move(heat);
    Q_EMIT heatChanged();
}

LanesPtr ComparedSource::lanes() const
{
    return m_timeline != nullptr ? m_timeline->lanes : noLanes();
}

const PipelineSpec& ComparedSource::spec() const
{
    return m_timeline != nullptr ? m_timeline->schedule->spec() : TimelineSource::spec();
}

HoverNews ComparedSource::describe(SpanRef span, int lane, double time) const
{
    if (m_timeline == nullptr)
        return {};
    return comparedNews(*m_timeline, m_difference.get(), span, lane, static_cast<Ticks>(time));
}

std::vector<SpanRef> ComparedSource::linked(SpanRef span, int direction) const
{
    return linkedSpans(*lanes(), *m_timeline->schedule, span, direction);
}

} // namespace pw::ui
