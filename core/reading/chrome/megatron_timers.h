// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/event_file.h"
#include "core/reading/events/trace_names.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace pw {

/// The pipeline timers of Megatron (`ENABLE_PP_TIMER`): a file a rank, an object of marks as
/// "forward-3-start", with chunks "forward-1-3-start", and milliseconds by events of the device
/// since all ranks met. The rank is in the file's name: event_times_PP4_VPP2_TPxCPxDP_rank_0_…
/// pp_rank_1_rank_1.json.
class MegatronTimers
{
public:
    MegatronTimers(Trace& trace, TraceNames& names)
        : m_trace(trace)
        , m_names(names)
    {
    }

    /// A member of the object; others than marks are ignored.
    void take(std::string_view key, std::string_view value);
    bool any() const { return !m_passes.empty(); }
    /// The marks as spans of the trace, in the order of their starts.
    EventFile finish();

private:
    struct Marks
    {
        std::optional<Ticks> start;
        std::optional<Ticks> end;
    };
    /// Backward or not, chunk (−1: none), micro-batch.
    using Key = std::tuple<bool, std::int32_t, std::int32_t>;

    Trace& m_trace;
    TraceNames& m_names;
    std::map<Key, Marks> m_passes;
};

/// What the name of such a file says. −1: not told.
struct TimerFileName
{
    std::int32_t pipelineRank = -1;
    std::int32_t replica = -1; ///< number over tensor, context and data parallelism
};

TimerFileName readTimerFileName(std::string_view name);

} // namespace pw
