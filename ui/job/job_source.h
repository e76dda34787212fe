// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/job/shown_step.h"
#include "ui/workspace/timeline_source.h"

namespace pw::ui {

/// A step of a job in a timeline workspace.
class JobSource : public TimelineSource
{
    Q_OBJECT

public:
    using TimelineSource::TimelineSource;

    /// Null until a step is there.
    const ShownStepPtr& step() const { return m_step; }
    void setStep(const ShownStepPtr& step);

    LanesPtr lanes() const override;
    Ticks room() const override;
    const PipelineSpec& spec() const override;
    /// All workers by what they are busy with: a column is as high as their part of all.
    void paintOverview(QPainter& painter, QSize pixels, const TimeScale& scale) const override;
    HoverNews describe(SpanRef span, int lane, double time) const override;
    std::optional<IdleStretch> idle(int lane, Ticks time) const override;
    std::vector<SpanRef> linked(SpanRef span, int direction) const override;
    std::vector<Arrow> arrows(SpanRef span) const override;
    std::vector<SpanRef> strand(SpanRef span) const override;
    /// Of the first replica that is shown: the chain of passes that decided when it ended.
    std::vector<SpanRef> critical() const override;

private:
    HoverNews passNews(SpanRef span) const;
    HoverNews gapNews(const Gap& gap, int lane) const;

    ShownStepPtr m_step;
};

} // namespace pw::ui
