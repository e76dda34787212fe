// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QElapsedTimer>
#include <QString>
#include <QTimer>

#include <algorithm>
#include <functional>

/// Measures how long the thread of the window stays away from its event loops, nested ones too.
class LoopWatch
{
public:
    /// @param doing  says what is being done, for the longest time
    explicit LoopWatch(std::function<QString()> doing)
        : m_doing(std::move(doing))
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(every);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { tick(); });
    }

    void start()
    {
        m_clock.start();
        m_timer.start();
    }
    void stop() { m_timer.stop(); }

    /// Of all times between `start` and `stop`, in milliseconds.
    qint64 longest() const { return m_longest; }
    const QString& during() const { return m_during; }

private:
    static constexpr int every = 5;

    void tick()
    {
        const qint64 away = std::max<qint64>(0, m_clock.restart() - every);
        if (away <= m_longest)
            return;
        m_longest = away;
        m_during = m_doing();
    }

    std::function<QString()> m_doing;
    QTimer m_timer;
    QElapsedTimer m_clock;
    qint64 m_longest = 0;
    QString m_during;
};
