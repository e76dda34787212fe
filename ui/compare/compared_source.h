// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/compare/compared.h"
#include "ui/workspace/timeline_source.h"

namespace pw::ui {

/// A row of a comparison in a timeline workspace: its passes are coloured by how they differ from
/// those of the row above.
class ComparedSource : public TimelineSource
{
    Q_OBJECT

public:
    using TimelineSource::TimelineSource;

    /// @param timeline  not null
    void set(ComparedPtr timeline);
    /// @param difference  to the row above; null: none, or not yet
    void setDifference(DifferencePtr difference, HeatShown heat);

    LanesPtr lanes() const override;
    const PipelineSpec& spec() const override;
    HoverNews describe(SpanRef span, int lane, double time) const override;
    std::vector<SpanRef> linked(SpanRef span, int direction) const override;
    HeatShown heat() const override { return m_heat; }

private:
    ComparedPtr m_timeline; ///< null while it is awaited
    DifferencePtr m_difference;
    HeatShown m_heat;
};

} // namespace pw::ui
