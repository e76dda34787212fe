// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/chrome/backward_links.h"
#include "core/reading/events/chrome_event.h"
#include "core/reading/events/event_file.h"
#include "core/reading/events/launch_join.h"
#include "core/trace/activity_kind.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pw {

/// Gives the passes that a file of Kineto times on the host the time of their kernels.
///
/// A kernel belongs to the pass around its launch on the launching thread. Autograd runs backwards
/// on a thread of its own, which has no passes: there it belongs to the pass that `BackwardLinks`
/// tells, else to the one pass that is around the launch in time on another thread. What several
/// threads could have launched belongs to none.
class KernelPasses
{
public:
    /// A span that was made of an event.
    void take(const ChromeEvent& event, const CategoryMeaning& meaning, std::int32_t span);
    /// Either end of an arrow.
    void arrow(const ChromeEvent& event, std::int32_t track);

    /// After the last event: tells which backward is of which operator.
    void link(Trace& trace, std::size_t firstSpan) const;

    /// After the last event: says when kernels were launched.
    void findLaunches(Trace& trace);

    /// Where the call stands that launched a span of a device; none: not in the file.
    /// @pre `findLaunches`  @complexity O(log n)
    std::optional<LaunchPlace> launchOf(const Trace& trace, std::int32_t span) const;

    /// Appends a span for every pass that
    /// has kernels, from the first start to the last end, by containment. Kernels that send or
    /// receive, or work between replicas as their group says, count for no pass; a message in which
    /// one was launched lasts as long as they do. A pass without kernels between others stands at
    /// the end of the one before, guessed.
    /// @pre `findLaunches`, and what is said of collectives is in the trace
    /// @return whether there were such passes
    bool label(Trace& trace, EventFile& file);

private:
    /// A span that has a correlation number.
    struct Numbered
    {
        std::uint32_t correlation = 0;
        std::int32_t span = 0;
    };

    void sortLaunches(const Trace& trace);
    const Numbered* launchOf(const Trace& trace, const Numbered& kernel) const;
    void noteQueued(Trace& trace) const;
    void findWork(const Trace& trace);
    std::vector<LabelledRange> rangesOf(const Trace& trace, std::size_t firstSpan) const;
    void appendPasses(Trace& trace, EventFile& file, const std::vector<LabelledRange>& ranges);
    void labelMessages(Trace& trace, const std::vector<LabelledRange>& ranges);
    void warn(Trace& trace, std::int64_t count, const char* what) const;

    std::vector<Numbered> m_kernels;
    std::vector<Numbered> m_launches;
    mutable std::size_t m_near = 0; ///< the launch that was found last
    BackwardLinks m_links;
    std::vector<LaunchedWork> m_work;
    bool m_anyLaunched = false;
    std::int64_t m_withoutLaunch = 0;
    std::int64_t m_withoutWork = 0;
};

} // namespace pw
