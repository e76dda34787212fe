// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/idle_gaps.h"
#include "core/analysis/stretches.h"
#include "core/trace/activity_links.h"
#include "ui/traces/found_slices.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pw::ui {

/// Idle time of a stream.
struct ChosenGap
{
    int lane = -1;
    IdleGap gap;
};

/// The slice of a trace that is selected, or idle time in its place, and where its arrows lead.
class SliceSelection
{
public:
    /// Selects nothing. @param activity  null: there is none
    void setActivity(ShownActivityPtr activity);
    /// At most one of the two; none: nothing is selected. @return  false: that is so already
    bool choose(std::optional<ChosenSlice> slice, std::optional<ChosenGap> gap);

    const std::optional<ChosenSlice>& slice() const { return m_slice; }
    const std::optional<ChosenGap>& gap() const { return m_gap; }
    /// None: nothing is selected.
    std::optional<TimeStretch> times() const;
    /// −1: nothing is selected.
    int lane() const { return m_slice ? m_slice->lane : m_gap ? m_gap->lane : -1; }

    /// The arrows of the slice.
    const std::vector<SliceLink>& arrows() const { return m_arrows; }
    /// Along them to what waits for the slice (+1), or to what it waits for (−1); out of a gap to
    /// what it ends with, or to what it waited for. @return  a span of the trace; −1: there is none
    std::int32_t walk(int direction);
    /// The next or previous of those that the last walk could have come to; −1: there is none.
    std::int32_t walkAside(int direction) const;

private:
    std::vector<std::int32_t> endsOf(int direction) const;

    ShownActivityPtr m_activity;
    std::optional<ChosenSlice> m_slice;
    std::optional<ChosenGap> m_gap;
    std::vector<SliceLink> m_arrows;
    std::vector<std::int32_t> m_walkedTo; ///< spans at the ends of the last walk; one was taken
};

} // namespace pw::ui
