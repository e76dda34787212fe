// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"

#include <cstdint>
#include <optional>
#include <string_view>
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

/// The order that the answers of a question are shown in: a permutation of 0 … count−1, the same
/// as in the web page, so that the right one has no place of its own.
/// @param seed      of a person
/// @param question  which one: lesson, step and number, in ASCII
std::vector<int> answerOrder(int count, std::uint32_t seed, std::string_view question);

} // namespace pw
