// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/stop.h"

#include <chrono>
#include <functional>

namespace pw {

/// When a search ends: at a time, or when somebody asks.
class SearchClock
{
public:
    using Time = std::chrono::steady_clock::time_point;

    SearchClock(Time deadline, std::function<bool()> stopped)
        : m_deadline(deadline)
        , m_stopped(std::move(stopped))
    {
    }

    /// Whether the search is to end; once true it stays true. Looks at the clock at each call.
    bool spent()
    {
        m_spent = m_spent || stopAsked() || (m_stopped && m_stopped()) ||
                  std::chrono::steady_clock::now() >= m_deadline;
        return m_spent;
    }

    /// A clock for a part of the time that is left, 0 … 1.
    SearchClock part(double share) const
    {
        const auto now = std::chrono::steady_clock::now();
        const auto left = std::chrono::duration<double>(m_deadline - now) * share;
        return {
            std::min(m_deadline, now + std::chrono::duration_cast<std::chrono::nanoseconds>(left)),
            m_stopped};
    }

private:
    Time m_deadline;
    std::function<bool()> m_stopped;
    bool m_spent = false;
};

} // namespace pw
