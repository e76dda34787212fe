// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/results.h"

#include <optional>

namespace pw::ui {

/// What a person has done in a level since it began.
///
/// A try is an order that is whole, or a block that repeats; not each of the edits on the way.
class LessonAttempt
{
public:
    void begin() { *this = {}; }
    void addHint() { ++m_hints; }
    /// The whole demonstration is played: nothing counts until the level begins anew.
    void show() { m_shown = true; }
    bool shown() const { return m_shown; }

    /// What a level begins with, which is nobody's try.
    void settle(const Standing& standing) { m_last = submissionOf(standing); }
    /// Something has changed.
    /// @param playing  by a demonstration or a hint
    /// @return  a solution that is better than those before; where it is of is the caller's to say
    std::optional<LevelResult> judge(const Standing& standing, bool playing);
    /// The level is left.
    /// @return  tries and hints that no solution was kept with
    std::optional<LevelResult> leave();

private:
    struct Submission
    {
        Ticks makespan = 0, repeated = 0;
        Share peak = 0;
        bool solved = false;

        friend bool operator==(const Submission&, const Submission&) = default;
    };
    static std::optional<Submission> submissionOf(const Standing& standing);
    LevelResult take();

    int m_tries = 0;
    int m_hints = 0;
    int m_best = -1; ///< medals of the best that was kept since the level began
    bool m_shown = false;
    std::optional<Submission> m_last; ///< that was judged; none: it was not whole
};

} // namespace pw::ui
