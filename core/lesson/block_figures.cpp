// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/block_figures.h"

#include "core/base/try.h"
#include "core/block/check.h"
#include "core/block/collisions.h"
#include "core/block/lifespan.h"
#include "core/block/reorder.h"
#include "core/edit/compose.h"

#include <algorithm>
#include <array>

namespace pw {

bool isOfRepeated(const LessonGoal& goal)
{
    return goal.kind == GoalKind::Makespan || goal.kind == GoalKind::Peak ||
           goal.kind == GoalKind::SpanBubble || goal.kind == GoalKind::WallBubble;
}

Result<LessonFigures> repeatedFigures(const LessonLevel& level, const BuildingBlock& block)
{
    const std::array<BlockRun, 1> runs = {BlockRun{block, level.start.draft.spec.microBatches}};
    PW_TRY(const auto assembly, assemble(runs));
    PW_TRY(const auto schedule, scheduleOf(assembly.reordered.arrangement));
    PW_TRY(const auto result, simulate(schedule, costsOf(level.start)));
    return lessonFigures(schedule, result);
}

BlockFigures blockFigures(const LessonLevel& level, const Project& project)
{
    BlockFigures figures;
    if (project.blocks.size() != 1) {
        figures.why = LevelTrouble::BlockGone;
        figures.trouble = said("The block of this level is gone.");
        return figures;
    }
    const BuildingBlock& block = project.blocks.front();
    const BuildingBlock& start = level.start.blocks.front();
    bool same = block.devices == start.devices && block.routes == start.routes &&
                block.passes.size() == start.passes.size();
    for (const BlockPass& placed : start.passes)
        same = same &&
               std::any_of(block.passes.begin(), block.passes.end(), [&](const BlockPass& other) {
                   return other.pass == placed.pass && other.duration == placed.duration;
               });
    if (!same) {
        figures.why = LevelTrouble::BlockPasses;
        figures.trouble =
            said("Passes of the block have changed; only their places are free here.");
        return figures;
    }
    if (auto sound = check(block); !sound) {
        figures.why = LevelTrouble::Other;
        figures.trouble = sound.error().message;
        return figures;
    }
    const auto found = collisions(block);
    if (!found.empty()) {
        figures.why = LevelTrouble::Collision;
        figures.trouble = found.front().text(block);
        return figures;
    }
    figures.whole = true;
    for (const Share peak : predictedPeak(block))
        figures.peak = std::max(figures.peak, peak);
    figures.messages = blockMessages(block);
    if (level.par.repeated || std::any_of(level.goals.begin(), level.goals.end(), isOfRepeated)) {
        auto repeated = repeatedFigures(level, block);
        if (repeated) {
            figures.repeated = *repeated;
        } else {
            figures.whole = false;
            figures.why = LevelTrouble::Other;
            figures.trouble = repeated.error().message;
        }
    }
    return figures;
}

} // namespace pw
