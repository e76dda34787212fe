// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/collective_arguments.h"
#include "core/reading/events/event_file.h"
#include "core/reading/events/trace_names.h"
#include "core/trace/collective_call.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// A key of a process group in the head of a file of PyTorch's profiler: `pg_config`, in
/// `distributedInfo`.
CollectiveField headGroupField(std::string_view key);

/// The process groups that the head of a file tells: those of its rank, whether anything ran in
/// them or not.
class HeadGroups
{
public:
    /// One of them.
    void take(const CollectiveArguments& said);

    /// After the last event. Of a group that an event names without all its ranks the head tells
    /// them; a group of which no event tells is one of the trace's, too. Where both tell and
    /// differ, events count and the difference is noted, see `EventFile::groupsDiffer`.
    /// @param firstCall  of the file's, in `Trace::calls`
    void finish(Trace& trace, TraceNames& names, std::size_t firstCall, EventFile& file);

private:
    std::vector<ProcessGroup> m_groups;
    std::int64_t m_tooMany = 0;
};

} // namespace pw
