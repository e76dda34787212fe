// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/search/zero_bubble_partial.h"

#include <cstdint>
#include <vector>

namespace pw {

/// The partial schedules of one depth that a beam keeps, found by the passes that they have.
class ZeroBubbleSeen
{
public:
    explicit ZeroBubbleSeen(const ZeroBubbleShape& shape)
        : m_shape(shape)
    {
    }

    /// Forgets all. @param most  that will be added
    void clear(std::size_t most);
    /// Adds a partial schedule as the next one, unless one with the same passes is nowhere later.
    /// @param all  words of those that were added, one behind the other
    /// @return whether it was added
    bool add(const ZeroBubblePartial& state, const Ticks* all);

private:
    bool dominated(const ZeroBubblePartial& state, std::uint64_t key, const Ticks* all) const;
    bool sooner(const ZeroBubblePartial& other, const ZeroBubblePartial& state) const;

    const ZeroBubbleShape& m_shape;
    std::vector<std::int32_t> m_table; ///< hash of the counts → number of the schedule
    std::vector<std::uint64_t> m_keys;
};

} // namespace pw
