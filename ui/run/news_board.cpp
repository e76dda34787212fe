// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/news_board.h"

#include <utility>

namespace pw::ui {

namespace {

/// Lines of the log that are shown between two news; more of them nobody reads.
constexpr std::size_t mostLines = 200;
/// Of a line that is shown; the store has more of it.
constexpr qsizetype longestShown = 4000;

} // namespace

void NewsBoard::say(RunLine::Kind kind, const QString& text)
{
    change([&](RunNews& news) {
        if (news.lines.size() >= mostLines) {
            news.lines.erase(news.lines.begin());
            ++news.linesLeftOut;
        }
        news.lines.push_back({kind, text.size() > longestShown
                                        ? text.left(longestShown) + QStringLiteral(" …")
                                        : text});
    });
}

RunNews NewsBoard::take()
{
    const std::lock_guard lock(m_mutex);
    RunNews taken = std::move(m_news);
    m_news = {};
    m_news.state = taken.state;
    m_news.trouble = taken.trouble;
    m_news.iteration = taken.iteration;
    m_news.passes = taken.passes;
    m_news.broken = taken.broken;
    m_news.stored = taken.stored;
    m_announced = false;
    return taken;
}

bool NewsBoard::announce()
{
    const std::lock_guard lock(m_mutex);
    return !std::exchange(m_announced, true);
}

} // namespace pw::ui
