// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/reading/events/chrome_event.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pw {

/// One end of a slice whose other end is another event.
struct HeldEnd
{
    Ticks time = 0;
    std::int32_t place = 0;      ///< what both ends have in common: a track, or an identity
    std::int32_t name = -1;      ///< of the trace's names; −1: an end that says none
    std::int32_t arguments = -1; ///< of `HeldEnds::arguments`; −1: it says nothing
    bool begins = false;
    Trust trust = Trust::Host;
    ActivityKind activity = ActivityKind::Other;
};

/// Ends of slices, kept until the last event of a file: which of them belong together is known only
/// in the order of time, and files need not have it.
class HeldEnds
{
public:
    /// The most of one file: 400 MB.
    static constexpr std::size_t most = 16'000'000;

    /// @return  false: there are too many
    bool add(HeldEnd end, const EventArguments& said);
    bool empty() const { return m_ends.empty(); }

    /// By place, and there by time; what happens at once stays in its order.
    const std::vector<HeldEnd>& sorted();
    const EventArguments& argumentsOf(const HeldEnd& end) const;
    void clear();

private:
    std::vector<HeldEnd> m_ends;
    std::vector<EventArguments> m_arguments;
};

/// Ends of slices that make no slice.
struct LostEnds
{
    std::int64_t alone = 0;   ///< their begin or their end is missing
    std::int64_t tooMany = 0; ///< beyond `HeldEnds::most`
};

/// A slice that is on no thread: it may begin on one and end on another.
struct LooseSlice
{
    Ticks start = 0;
    Ticks end = 0;
    std::int32_t group = 0; ///< slices of a group stand on the same rows
    std::int32_t tree = 0;  ///< slices of a tree have an identity in common, and nest
    std::int32_t row = 0;   ///< in its group, from 0; see `layOut`
    std::int32_t name = 0;  ///< of the trace's names
    EventArguments arguments;
    Trust trust = Trust::Host;
    ActivityKind activity = ActivityKind::Other;
};

/// Gives every tree the first row of its group that is free from its first start to its last end.
/// Trees beyond `mostLooseRows` at once share the last row. Sorts the slices by group and row.
void layOut(std::vector<LooseSlice>& slices);

constexpr std::int32_t mostLooseRows = 64;

} // namespace pw
