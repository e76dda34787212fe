// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/late_ranks.h"
#include "core/base/sentence.h"
#include "core/trace/activity_lanes.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <vector>

namespace pw {

struct IdleGap;

/// Says why nothing runs, in one sentence a gap.
class IdleSentences
{
public:
    /// All outlive this.
    /// @param laneOfTrack  by track, the first lane of `lanes`; −1: none
    IdleSentences(const Trace& trace, const ActivityLanes& lanes,
                  const std::vector<std::int32_t>& laneOfTrack)
        : m_trace(trace)
        , m_lanes(lanes)
        , m_laneOfTrack(laneOfTrack)
    {
    }

    Sentence explain(const IdleGap& gap) const;
    /// What a span of communication waits for.
    Sentence wait(const PeerWait& wait) const;

private:
    Sentence explainHost(const IdleGap& gap) const;
    static Sentence explainThread(const IdleGap& gap, const Sentence& text);
    Sentence explainLaunch(const IdleGap& gap) const;
    Sentence named(std::int32_t index) const;
    Sentence streamOf(std::int32_t index) const;
    Sentence rankOf(std::int32_t index) const;
    const TraceSpan& span(std::int32_t index) const
    {
        return m_trace.spans[static_cast<std::size_t>(index)];
    }

    const Trace& m_trace;
    const ActivityLanes& m_lanes;
    const std::vector<std::int32_t>& m_laneOfTrack;
};

} // namespace pw
