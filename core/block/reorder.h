// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/block/arrangement.h"

#include <optional>

namespace pw {

/// Squeezes an arrangement and moves passes of warm-up and cool-down into free time.
///
/// Warm-up of a run is what starts before the first backward of stage 0, cool-down of a device what
/// starts with its last F or later. A pass moves earlier into the first free stretch that it fits
/// into; in the cool-down the W passes also step back and fill what the backwards leave. A move
/// stays only where no device's activation rises above its peak in `arrangement`, and the whole
/// stays only where makespan and longest span do not grow. Works for any block; published
/// reorderings for one placement are in core/search.
///
/// @param limit  activation that every device may use although its own peak is lower; none: its own
/// peak
/// @return       squeezed; never longer than `squeeze(arrangement)`, which it is where no move
/// helps
/// @error        as `squeeze`
/// @source       arXiv:2405.15362, generalised
Result<Arrangement> reorder(const Arrangement& arrangement, const Retention& keep = {},
                            std::optional<Share> limit = std::nullopt);

/// An arrangement on its way, with its figures.
struct AssemblyStage
{
    Arrangement arrangement;
    ArrangementFigures figures;

    friend bool operator==(const AssemblyStage&, const AssemblyStage&) = default;
};

/// What becomes of blocks: repeated, then squeezed, then reordered.
struct Assembly
{
    AssemblyStage repeated;
    AssemblyStage squeezed;
    AssemblyStage reordered;

    friend bool operator==(const Assembly&, const Assembly&) = default;
};

/// All of the way from blocks to an order. @error as `repeat`
Result<Assembly> assemble(std::span<const BlockRun> runs, const Retention& keep = {});

} // namespace pw
