// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"

#include <optional>
#include <vector>

namespace pw {

/// What the answers of a question say in numbers, so that a guess can be laid over what comes out.
struct LessonGuess
{
    /// By answer; ms, micro-batches, rates or counts, all of the question alike.
    std::vector<double> answers;
    /// The right one is the makespan of the step's level, which its lanes show.
    bool ofLevel = false;

    /// A time in the lanes of the level that an answer says; none: it says none.
    std::optional<Ticks> timeOf(int answer) const;
};

/// What a question asks for in numbers: the first that each answer says. None: an answer says none.
std::optional<LessonGuess> guessOf(const LessonStep& step, const LessonQuestion& question);

} // namespace pw
