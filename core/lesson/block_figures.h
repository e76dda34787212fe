// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/standing.h"

#include <optional>

namespace pw {

/// What the block of a level comes to.
struct BlockFigures
{
    bool whole = false; ///< runs, and repeats without collision
    LevelTrouble why = LevelTrouble::None;
    Sentence trouble;
    Share peak = 0; ///< repeated for ever
    std::int64_t messages = 0;
    std::optional<LessonFigures> repeated; ///< where the level asks for it and the block is whole
};

/// Whether a goal of a level of blocks is about the order that the repeated block becomes.
bool isOfRepeated(const LessonGoal& goal);

/// The block repeated for the level's micro-batches, squeezed and reordered as the bench does it,
/// with the level's times. @error as of `assemble`
Result<LessonFigures> repeatedFigures(const LessonLevel& level, const BuildingBlock& block);

BlockFigures blockFigures(const LessonLevel& level, const Project& project);

} // namespace pw
