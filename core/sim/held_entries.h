// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/simulator.h"

#include <algorithm>
#include <span>

namespace pw {

/// The entries that may not start before a time, sorted.
class HeldEntries
{
public:
    HeldEntries() = default;
    explicit HeldEntries(std::span<const Hold> holds)
        : m_holds(holds)
    {
    }

    /// The first held entry from one on, or `last`.
    EntryId stopFrom(EntryId entry, EntryId last) const
    {
        const auto hold = from(entry);
        return hold == m_holds.end() ? last : std::min(hold->entry, last);
    }
    /// When an entry may start: `start`, or later where it is held longer.
    Ticks startOf(EntryId entry, Ticks start) const
    {
        const auto hold = from(entry);
        return hold != m_holds.end() && hold->entry == entry ? std::max(start, hold->earliest)
                                                             : start;
    }

private:
    std::span<const Hold>::iterator from(EntryId entry) const
    {
        return std::lower_bound(m_holds.begin(), m_holds.end(), entry,
                                [](const Hold& one, EntryId wanted) { return one.entry < wanted; });
    }

    std::span<const Hold> m_holds;
};

} // namespace pw
