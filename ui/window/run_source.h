// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/explain.h"
#include "ui/runs/run_timeline.h"
#include "ui/workspace/timeline_source.h"

namespace pw::ui {

/// An iteration of a stored run in a timeline workspace: first its timeline, then its records.
class RunSource : public TimelineSource
{
    Q_OBJECT

public:
    using TimelineSource::TimelineSource;

    /// Null until an iteration is loaded.
    const RunTimelinePtr& run() const { return m_run; }
    /// Samples and messages; null until they are there too.
    const RunRecordsPtr& records() const { return m_records; }
    /// Another iteration, without its records.
    void setRun(const RunTimelinePtr& run);
    void setRecords(const RunRecordsPtr& records);
    /// Why a lane idles at a time; nothing where it does not, or nothing is shown.
    std::optional<Gap> gapAt(int lane, Ticks time) const;

    LanesPtr lanes() const override;
    const PipelineSpec& spec() const override;
    HoverNews describe(SpanRef span, int lane, double time) const override;
    std::optional<IdleStretch> idle(int lane, Ticks time) const override;
    std::vector<SpanRef> linked(SpanRef span, int direction) const override;
    std::vector<Arrow> arrows(SpanRef span) const override;
    std::vector<SpanRef> strand(SpanRef span) const override;
    /// The chain of passes that decided when the iteration ended.
    std::vector<SpanRef> critical() const override;
    std::optional<PhasesOf> phases() const override;
    Curves curves(const TimelineChart& chart, int lane) const override;
    std::vector<BubbleRow> bubbles() const override;
    std::optional<std::vector<BubbleRow>> plannedBubbles() const override;

private:
    /// Recorded messages; none before they are read.
    const RecordedArrivals& arrivals() const;

    RunTimelinePtr m_run;
    RunRecordsPtr m_records;
};

} // namespace pw::ui
