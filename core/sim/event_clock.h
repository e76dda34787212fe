// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/assert.h"
#include "core/base/types.h"

#include <map>
#include <vector>

namespace pw {

/// What happens when, for whoever makes an order by playing it: an instant at a time, never back.
///
/// Kept by time, not one by one: where stages take equal times, few instants hold many events.
/// @complexity  O(log t) for an event, t instants ahead
template<typename Event>
class EventClock
{
public:
    /// @pre  not before `now()`
    void add(Ticks time, const Event& event)
    {
        PW_ASSERT(time >= m_now);
        m_ahead[time].push_back(event);
    }

    bool empty() const { return m_ahead.empty(); }

    /// The instant that `next` last gave; 0 before.
    Ticks now() const { return m_now; }

    /// Whether there are events of this instant that came after `next`: what takes no time.
    bool moreNow() const { return !m_ahead.empty() && m_ahead.begin()->first == m_now; }

    /// Goes on to the next events and gives all of their instant, in the order in which they came.
    /// @pre  not empty
    void next(std::vector<Event>& events)
    {
        m_now = m_ahead.begin()->first;
        events.clear();
        events.swap(m_ahead.begin()->second);
        m_ahead.erase(m_ahead.begin());
    }

private:
    std::map<Ticks, std::vector<Event>> m_ahead;
    Ticks m_now = 0;
};

} // namespace pw
