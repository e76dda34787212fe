// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/search/zero_bubble_partial.h"

#include <vector>

namespace pw {

/// Looks from a partial schedule ahead over every pass that is left.
class ZeroBubbleLookAhead
{
public:
    /// Both must outlive this.
    ZeroBubbleLookAhead(const ZeroBubbleShape& shape, const ZeroBubbleBound& bound);

    /// Forgets of what use it was.
    void reset() { m_asked = m_looked = m_ruledOut = 0; }
    /// Whether it pays for so many passes: only where a search can become exhaustive.
    bool pays() const;
    /// False if some device must end at `below` or later; it does not look where that was of little
    /// use so far.
    /// @param work  grows by what was looked at
    bool mayStayBelow(const ZeroBubblePartial& state, Ticks below, std::int64_t& work);

private:
    bool staysBelow(const ZeroBubblePartial& state, Ticks below, std::int64_t& work);
    Ticks forwardAfterMemory(const ZeroBubblePartial& state, int j, int i) const;

    const ZeroBubbleShape& m_shape;
    const ZeroBubbleBound& m_bound;
    std::int64_t m_asked = 0; ///< partial schedules that it could rule out
    std::int64_t m_looked = 0;
    std::int64_t m_ruledOut = 0;
    std::vector<Ticks> m_headF; ///< ends in the look ahead, p × m
    std::vector<Ticks> m_headB;
};

} // namespace pw
