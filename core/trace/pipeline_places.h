// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <vector>

namespace pw {

/// Where a rank stands in its pipeline, by the process group that they are.
struct PipelinePlace
{
    std::int32_t pipeline = 0; ///< counted by the lowest rank
    std::int32_t stage = 0;    ///< place in the group as it is listed
    std::int32_t stages = 0;   ///< ranks of the group, at least 2

    friend bool operator==(const PipelinePlace&, const PipelinePlace&) = default;
};

/// The pipelines of a trace, by the numbers of their ranks.
class PipelinePlaces
{
public:
    /// Groups whose descriptions say a pipeline ("pp_group", "mesh_pp"); where none does, those in
    /// which sends or receives ran and whose descriptions say nothing else. None where their ranks
    /// are not listed, where they have several sizes, or where a rank is in two of them.
    explicit PipelinePlaces(const Trace& trace);

    bool any() const { return !m_places.empty(); }
    /// @return null: the rank is of no pipeline that is told
    const PipelinePlace* of(std::int32_t number) const;
    /// The ranks of a pipeline, by stage.
    const std::vector<std::int32_t>& ranks(std::int32_t pipeline) const
    {
        return m_pipelines[static_cast<std::size_t>(pipeline)];
    }

private:
    std::vector<std::vector<std::int32_t>> m_pipelines;
    std::map<std::int32_t, PipelinePlace> m_places;
};

} // namespace pw
