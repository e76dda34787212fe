// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/standing.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// What somebody has done in a level.
struct LevelResult
{
    std::string lesson; ///< id
    int level = 0;      ///< counted from 0
    bool solved = false;
    bool time = false, memory = false, messages = false; ///< medals
    int tries = 0;     ///< whole orders, or blocks that repeat, that were looked at
    int hints = 0;     ///< that were asked for
    std::string trick; ///< the family whose order it is; empty: an order of its own

    friend bool operator==(const LevelResult&, const LevelResult&) = default;
};

/// What somebody predicted first, when a question was asked.
struct AnswerResult
{
    std::string lesson;
    int step = 0, question = 0, chosen = 0; ///< from 0
    bool right = false;

    friend bool operator==(const AnswerResult&, const AnswerResult&) = default;
};

/// The results of one person; a file that a teacher collects.
struct LessonResults
{
    std::string who;
    std::vector<LevelResult> levels;
    std::vector<AnswerResult> answers;

    friend bool operator==(const LessonResults&, const LessonResults&) = default;

    /// The result of a level; null: there is none.
    const LevelResult* find(std::string_view lesson, int level) const;
    /// Keeps the better of what there is and a new result: medals add up, tries too.
    void note(const LevelResult& result);
    /// Keeps an answer, if it is the first one to its question.
    void note(const AnswerResult& answer);
};

/// The longest results file that is read.
constexpr std::int64_t maxResultsBytes = std::int64_t{1} << 20;

std::string writeResults(const LessonResults& results);
/// @error Syntax, Version  as of `readLesson`
Result<LessonResults> readResults(std::string_view text);

/// The family that makes exactly this order, or "".
std::string trickOf(const Schedule& schedule, const Costs& costs);

} // namespace pw
