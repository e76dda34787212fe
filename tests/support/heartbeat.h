// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QTimer>

#include <algorithm>
#include <chrono>

namespace pw::test {

/// Listens how long a thread's event loop is away: whatever a person does meanwhile waits as long.
class Heartbeat
{
public:
    Heartbeat()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.callOnTimeout([this] { beat(); });
        m_timer.start(1);
    }

    /// Forgets what was.
    void start()
    {
        m_longest = {};
        m_last = Clock::now();
    }

    /// Milliseconds of the longest time between two turns of the loop since `start`.
    double longest()
    {
        beat();
        return std::chrono::duration<double, std::milli>(m_longest).count();
    }

private:
    using Clock = std::chrono::steady_clock;

    void beat()
    {
        const Clock::time_point now = Clock::now();
        m_longest = std::max(m_longest, now - m_last);
        m_last = now;
    }

    QTimer m_timer;
    Clock::time_point m_last = Clock::now();
    Clock::duration m_longest{};
};

} // namespace pw::test
