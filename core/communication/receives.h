// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/communication/lowering.h"

namespace pw::communication {

/// Moves the receives of a listing from where its ranks have come to when they leave to where the
/// lowering wants them.
void placeReceives(Listing& listing, const Schedule& schedule, const Lowering& lowering);

/// Posts a receive later where its rank has no buffer for it; a buffer is in use from the receive
/// to the pass that needs it, and activations and gradients have their own.
///
/// @param buffers  of each kind; 0: enough
/// @error BadValue  a pass needs two messages of a kind at once, or one before a buffer is free
Result<void> limitReceives(Listing& listing, const Schedule& schedule, int buffers);

/// Puts in the waits that are not at their usual places.
void addWaits(Listing& listing, const Schedule& schedule, const Lowering& lowering);

/// Messages that every entry waits for; those of the pass that is named first come first.
class MessagesOfEntries
{
public:
    MessagesOfEntries(const Listing& listing, const Schedule& schedule);

    /// Calls `use(message)` for every message that an entry needs.
    template<typename Use>
    void each(EntryId entry, Use use) const
    {
        for (std::int32_t i = m_first[static_cast<std::size_t>(entry)]; i >= 0;
             i = m_nextOf[static_cast<std::size_t>(i)])
            use(i);
    }

private:
    std::vector<std::int32_t> m_first;  // by entry
    std::vector<std::int32_t> m_nextOf; // by message
};

} // namespace pw::communication
