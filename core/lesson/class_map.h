// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/results.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pw {

/// What one person has done in one level.
enum class ClassMark : std::uint8_t
{
    None,   ///< nothing is known
    Tried,  ///< not solved
    Helped, ///< solved after hints
    Solved
};

/// A level of a class: a row of its map.
struct ClassLevel
{
    std::string lesson;
    int level = 0;                ///< from 0
    std::vector<ClassMark> marks; ///< by person
    int solved = 0;
    int reached = 0;        ///< persons who tried or solved it
    double medianTries = 0; ///< of those who solved it
    int hints = 0;          ///< of all together

    /// Persons who tried and did not solve it.
    int stuck() const { return reached - solved; }

    friend bool operator==(const ClassLevel&, const ClassLevel&) = default;
};

/// A question of a class.
struct ClassQuestion
{
    std::string lesson;
    int step = 0, question = 0; ///< from 0
    int asked = 0, right = 0;   ///< persons
    int commonest = -1;         ///< the wrong answer that most gave, from 0; −1: none
    int times = 0;              ///< how many gave it

    friend bool operator==(const ClassQuestion&, const ClassQuestion&) = default;
};

/// Where a class stands.
struct ClassMap
{
    std::vector<std::string> people;
    std::vector<ClassLevel> levels;       ///< by lesson and level; those that somebody reached
    std::vector<ClassQuestion> questions; ///< by lesson, step and question

    /// The levels that most are stuck in, the worst first; those of nobody are left out.
    std::vector<ClassLevel> worst(std::size_t most) const;
};

/// @param all  one for each person; who has no name is shown by the number
ClassMap classMapOf(std::span<const LessonResults> all);

} // namespace pw
