// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/dragged_body.h"
#include "core/edit/present.h"

#include <vector>

namespace pw {

/// What a body that is dragged to the right pushes along: all that depends on it, over passes and
/// over the orders of devices, in the order at the beginning.
class PushedEntries
{
public:
    /// Collects who waits for whom.
    PushedEntries(const Draft& draft, const Present& present);

    /// Marks what depends on the body at its places and on what that pushes, as far as it starts by
    /// a time. When less is overtaken, more is pushed, so marks stay until `forget`.
    void mark(const DraggedBody& body, Ticks until);
    void forget();
    /// By entry: whether it is pushed.
    const std::vector<std::uint8_t>& marks() const { return m_reached; }

private:
    void reach(const DraggedBody& body, EntryId entry, Ticks until);
    void reachFrom(const DraggedBody& body, EntryId entry, Ticks until);

    std::vector<std::int32_t> m_arrowsFrom;   ///< by entry, and one more: its first arrow
    std::vector<EntryId> m_arrows;            ///< entries that wait for it
    std::vector<std::uint8_t> m_lastOfDevice; ///< by entry
    std::vector<std::uint8_t> m_reached;      ///< by entry
    std::vector<EntryId> m_found;             ///< what is marked
    std::vector<EntryId> m_queue;
};

} // namespace pw
