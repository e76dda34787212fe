// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/collective_arguments.h"
#include "core/reading/events/launch_join.h"
#include "core/reading/events/trace_names.h"
#include "core/trace/collective_call.h"
#include "core/trace/trace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace pw {

/// Finds what a file says of its communication on devices: a kernel by its own arguments, else by
/// the calls of the host around its launch, as `record_param_comms` and `nccl:all_to_all` are, the
/// innermost first.
class CollectiveNotes
{
public:
    /// The launch of a span of a device; none: not in the file.
    using LaunchOf = std::function<std::optional<LaunchPlace>(std::int32_t span)>;

    /// A span whose event has such arguments.
    void take(const CollectiveArguments& said, std::int32_t span, TraceNames& names);
    /// What is said of a span otherwise. Spans come in their order.
    void take(const CollectiveCall& said) { m_said.push_back(said); }

    /// After the last event: fills in `Trace::calls` for every span of communication on a device.
    void finish(Trace& trace, std::size_t firstSpan, const LaunchOf& launchOf);

private:
    std::int32_t groupOf(const CollectiveArguments& said, TraceNames& names);

    struct KnownGroup
    {
        ProcessGroup group;
        std::int32_t number = -1; ///< −1: none is known
    };
    std::vector<CollectiveCall> m_said; // by span
    std::array<KnownGroup, 4> m_groups; // that were met last
    std::size_t m_nextGroup = 0;        // that is known no longer when another one comes
};

} // namespace pw
