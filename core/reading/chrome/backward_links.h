// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/chrome_event.h"
#include "core/reading/events/launch_join.h"
#include "core/trace/nested_spans.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace pw {

/// Finds the passes that autograd's backwards belong to, by the forwards that they are of.
///
/// PyTorch numbers operators in their order; a backward has the number of its forward, and an arrow
/// comes from there. The forward stands in the forward pass of a stage and a micro-batch, so the
/// backward is of a backward pass of the same: the last that had begun before it.
class BackwardLinks
{
public:
    /// An operator with a sequence number.
    void op(const ChromeEvent& event, std::int32_t span);
    /// Either end of an arrow.
    void arrow(const ChromeEvent& event, std::int32_t track);

    /// Every operator with its backward, by the backward; passes do not matter here.
    std::vector<TraceLink> links(const Trace& trace, std::size_t firstSpan) const;

    /// Fills in the range of work that was launched inside a backward, where that is told.
    /// @param ranges  as `numberIterations` leaves them
    void find(const Trace& trace, const std::vector<LabelledRange>& ranges, std::size_t firstSpan,
              std::vector<LaunchedWork>& work);

private:
    struct Op
    {
        std::int64_t sequence = 0;
        std::int32_t span = 0;
        bool backward = false;
    };
    struct ArrowEnd
    {
        std::int64_t id = 0;
        Ticks time = 0;
        std::int32_t track = 0;
        bool head = false; ///< at the backward
    };
    /// Process, and a label without its kind and iteration.
    using Cell = std::tuple<std::int32_t, int, StageId, int, int, int>;
    /// A forward in a forward pass.
    struct Forward
    {
        Ticks start = 0;
        std::int32_t range = -1; ///< −1: outside of all
    };
    /// Backwards as nested spans, whose ids are places in `forwards`.
    struct Found
    {
        NestedSpans backwards;
        std::vector<Forward> forwards;
    };

    static Cell cellOf(std::int32_t process, const SpanLabel& label);
    void findRanges(const Trace& trace, const std::vector<LabelledRange>& ranges);
    Forward forwardAt(std::int32_t track, Ticks time) const;
    std::vector<TraceLink> linksOfArrows(const Trace& trace, std::size_t firstSpan) const;
    Found bySequence(const Trace& trace) const;
    Found byArrows(const Trace& trace, std::size_t firstSpan) const;
    std::int32_t rangeOf(const Found& found, const LaunchedWork& work) const;

    std::vector<Op> m_ops;
    std::vector<ArrowEnd> m_arrows;
    const std::vector<LabelledRange>* m_ranges = nullptr;
    NestedSpans m_forwards;                                // ranges
    std::vector<Cell> m_cells;                             // by range, of its forward
    std::map<Cell, std::vector<std::int32_t>> m_backwards; // ranges by start
};

} // namespace pw
