// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/document/gap_reasons.h"
#include "ui/workspace/timeline_source.h"

namespace pw::ui {

/// The span of an entry of a document, which counts through the devices' lists.
SpanRef spanOf(const ScheduleDocument& document, EntryId entry);

/// Spans that a span of a document waits for, or that wait for it.
std::vector<SpanRef> linkedSpans(const ScheduleDocument& document, SpanRef span, bool after);

/// An open schedule in a timeline workspace, finished or not.
class ScheduleSource : public TimelineSource
{
    Q_OBJECT

public:
    /// @param document  outlives the source
    explicit ScheduleSource(const ScheduleDocument& document, QObject* parent = nullptr);

    LanesPtr lanes() const override { return m_document.lanes(); }
    Ticks room() const override { return m_room; }
    const PipelineSpec& spec() const override { return m_document.draft().spec; }
    HoverNews describe(SpanRef span, int lane, double time) const override;
    std::optional<IdleStretch> idle(int lane, Ticks time) const override;
    std::vector<SpanRef> linked(SpanRef span, int direction) const override;
    std::vector<Arrow> arrows(SpanRef span) const override;
    std::vector<SpanRef> strand(SpanRef span) const override;
    std::vector<SpanRef> critical() const override;
    /// The passes that break a rule or stand in a ring, and, from what should have come first, an
    /// arrow to each of them.
    WrongLayer wrong() const override;
    std::optional<PhasesOf> phases() const override;
    Curves curves(Chart chart, int lane) const override;
    std::vector<BubbleRow> bubbles() const override;

    /// The most activation that a level allows: a line in the chart of the memory; none: no level.
    void setPeakGoal(std::optional<Share> most);

private:
    HoverNews passNews(SpanRef span) const;
    HoverNews gapNews(int lane, const Gap& gap) const;
    HoverNews draftGapNews(int lane, Ticks time) const;
    QString whyIdle(const Gap& gap) const;

    const ScheduleDocument& m_document;
    std::optional<Share> m_peakGoal;
    mutable GapReasons m_gaps; ///< worked out when they are asked for
    Ticks m_room = 0; ///< that the time axis reaches to while an order is composed; 0: it is not
};

} // namespace pw::ui
