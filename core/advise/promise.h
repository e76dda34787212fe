// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/advise/advice_source.h"
#include "core/advise/layer_costs.h"

#include <memory>
#include <optional>
#include <vector>

namespace pw {

/// What is changed at once.
struct PlannedChange
{
    WhatIf what;            ///< family, order, placement, links, weight part
    std::vector<int> split; ///< layers of every stage of the new order; empty: as they are
    /// Micro-batches of this many times the samples, in the place of those measured. How many
    /// there are is the family's.
    double microBatchSize = 1;
    /// Of a pass, what does not depend on the size of its micro-batch; not known: none of it, and
    /// up to a fifth in the interval.
    std::optional<Ticks> fixedTime{};
    bool noGaps = false;    ///< nothing lies between passes
    StageHolding holding{}; ///< of the stages of the new order
};

/// Where the next measurement will lie, nine times in ten, and what is known of it.
struct Promise
{
    Prediction prediction;
    double step = 0;          ///< ticks, of the whole step
    double gain = 0;          ///< part of the step that is saved; below 0: lost
    double low = 0;           ///< of the gain
    double high = 0;          ///< likewise
    std::vector<Bytes> peaks; ///< by device; empty: not known
};

/// Predicts a change as `predict` does, no other way, and how far a measurement may be off.
///
/// The interval is of 90 %. It holds what passes and steps differ by among each other, drawn anew
/// for the order as it is and for the changed one; what is not known of a backward: its weight part
/// (.3 to .55 where only whole ones were measured) and what cutting it costs; whether layers or
/// devices are unlike; what of a pass is fixed where passes are cut or grow; where sequences are
/// cut, what of a pass each segment has (0 to .1), what later ones take more for attention (0 to .3
/// of a pass), and whether all of a message or nothing of it is shorter by that; what a forward
/// that is computed again takes (.78 to 1.12 of it, embedding and head with it or not), and a link
/// to the host that nobody told (half of its rate); what a profiler adds; and how far the order as
/// it is is predicted off. These are taken as independent.
///
/// @error as of `predict` and `LayerCosts`
/// @source the bootstrap, Efron 1979; independent errors add up by their squares
Result<Promise> promiseOf(const AdviceSource& source, const PlannedChange& change);

/// Peaks of memory with a change: layers that move take their part of what a usual device holds and
/// of each micro-batch's activations with them. By device; empty where nothing is known.
std::vector<Bytes> peaksOf(const AdviceSource& source, const PlannedChange& change,
                           const Prediction& made);

/// Peaks of the step as it is.
/// @error as of `predictChange`
Result<std::vector<Bytes>> peaksNow(const AdviceSource& source);

/// The prediction alone: what a search looks at.
/// @error likewise
Result<Prediction> predictChange(const AdviceSource& source, const PlannedChange& change);

} // namespace pw
