// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/run/run_news.h"

#include <mutex>

namespace pw::ui {

/// News of a run, gathered in one thread and taken in another.
class NewsBoard
{
public:
    /// @param change  called with the news as they are; short
    template<typename Change>
    void change(const Change& change)
    {
        const std::lock_guard lock(m_mutex);
        change(m_news);
    }
    /// Adds a line of the log; of too many the earliest are left out.
    void say(RunLine::Kind kind, const QString& text);
    /// What has come since the last call; state and sums stay.
    RunNews take();
    /// @return  false: it was said already that there is something to take
    bool announce();

private:
    std::mutex m_mutex; ///< of what follows
    RunNews m_news;
    bool m_announced = false;
};

} // namespace pw::ui
