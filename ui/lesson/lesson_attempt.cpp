// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/lesson_attempt.h"

#include <utility>

namespace pw::ui {

std::optional<LessonAttempt::Submission> LessonAttempt::submissionOf(const Standing& standing)
{
    if (!standing.complete)
        return std::nullopt;
    return Submission{standing.makespan, standing.repeated, standing.peak, standing.solved()};
}

LevelResult LessonAttempt::take()
{
    LevelResult result;
    result.tries = std::exchange(m_tries, 0);
    result.hints = std::exchange(m_hints, 0);
    return result;
}

std::optional<LevelResult> LessonAttempt::judge(const Standing& standing, bool playing)
{
    const auto now = submissionOf(standing);
    const bool own = !playing && !m_shown;
    if (now && now != m_last && own)
        ++m_tries;
    m_last = now;
    if (!own || !standing.solved() || standing.medals() <= m_best)
        return std::nullopt;
    m_best = standing.medals();
    LevelResult result = take();
    result.solved = true;
    result.time = standing.time.won;
    result.memory = standing.memory.won;
    result.messages = standing.letters.won;
    return result;
}

std::optional<LevelResult> LessonAttempt::leave()
{
    if (m_tries == 0 && m_hints == 0)
        return std::nullopt;
    return take();
}

} // namespace pw::ui
