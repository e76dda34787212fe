// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <cstdint>
#include <vector>

namespace pw {

/// Stretches on tracks that are apart or one inside the other, as calls on a thread are.
class NestedSpans
{
public:
    struct Item
    {
        std::int32_t track = 0;
        Ticks start = 0;
        Ticks end = 0;
        std::int32_t id = 0;
    };

    NestedSpans() = default;
    explicit NestedSpans(std::vector<Item> items);

    bool empty() const { return m_items.empty(); }

    /// Calls `take` with the id of each stretch of a track that is around a moment, the innermost
    /// first, until it returns true. @return whether it has
    template<typename Take>
    bool around(std::int32_t track, Ticks time, const Take& take) const
    {
        for (std::int32_t i = lastBegun(track, time); i >= 0;
             i = m_parents[static_cast<std::size_t>(i)]) {
            const Item& item = m_items[static_cast<std::size_t>(i)];
            if (item.end >= time && take(item.id))
                return true;
        }
        return false;
    }

private:
    /// The last item of a track that begins not behind a moment; −1: none.
    std::int32_t lastBegun(std::int32_t track, Ticks time) const;

    std::vector<Item> m_items;           // by track and start, the longer first
    std::vector<std::int32_t> m_parents; // the item around each; −1: none
};

} // namespace pw
