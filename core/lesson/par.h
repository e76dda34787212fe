// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pw {

/// The least that a level can be solved with, by medal; each alone, over everything that a person
/// may do in the level and that meets its goals.
struct ParProof
{
    LessonPar least;                    ///< the best that was found
    bool proven = false;                ///< all searches came to their end: nothing is less
    std::int64_t nodes = 0;             ///< that were looked at
    Sentence why;                       ///< where it is not proven
    DeviceOrders fastest;               ///< of a level of orders, one with the least time
    DeviceOrders leanest;               ///< one with the least memory
    std::optional<BuildingBlock> block; ///< of a level of blocks, the last and best one
};

constexpr std::int64_t usualParNodes = 20'000'000;

/// Finds the par of a level and proves it by search: over all orders of its passes, all its
/// choices, or all places of its block.
///
/// @param wanted    which medals; the values are where the search begins
/// @param mostNodes of each search
/// @error BadValue, BadSchedule  the level cannot be searched, or nothing meets its goals
Result<ParProof> provePar(const LessonLevel& level, const LessonPar& wanted,
                          std::int64_t mostNodes = usualParNodes);

/// What is wrong with a level; each a sentence. Empty: its demonstration solves it and its par is
/// proven.
struct LevelCheck
{
    std::vector<std::string> problems;
    ParProof proof;
    int medals = 0; ///< that the demonstration wins
};
LevelCheck checkLevel(const LessonLevel& level, std::int64_t mostNodes = usualParNodes);

/// What is wrong with the pictures of a lesson, with the step; empty: all can be drawn.
std::vector<std::string> checkPictures(const Lesson& lesson);

} // namespace pw
