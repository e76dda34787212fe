// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/run_store.h"

#include <optional>
#include <string>
#include <vector>

namespace pw {

/// A stretch of iterations with one k, of a training whose k follows the network; a run of its own.
struct AdaptedStretch
{
    RunNumber run = 0;
    int firstIteration = 0; ///< of the training
    int iterations = 0;     ///< that were kept
    Ticks start = 0;        ///< of all time that iterations took before
    Ticks time = 0;         ///< of its iterations
    int group = 1;          ///< k
    int microBatch = 1;     ///< samples
    int microBatches = 1;   ///< of a step
    std::string reason;     ///< why it began; empty for the first
};

/// An iteration of such a training.
struct AdaptedPoint
{
    std::size_t stretch = 0;
    int iteration = 0;   ///< of the training
    Ticks start = 0;     ///< of all time that iterations took before
    Ticks time = 0;      ///< first start to last end
    double slowdown = 1; ///< of its messages, over what they take on links that nothing slows down
};

/// A training whose k follows the network, as its stretches were kept.
struct StoredAdaptive
{
    int every = 0;                         ///< iterations between two choices of k
    std::vector<AdaptedStretch> stretches; ///< as they followed each other
    std::vector<AdaptedPoint> iterations;

    /// How often k changed: stretches that follow one of another k.
    int switches() const;
};

/// The training that a run is a stretch of, with all of its stretches that are still kept; none
/// where the run is of another kind, or was kept before stretches said so.
///
/// @error  as of `RunStore`; BadValue where the settings of a stretch say what none has
Result<std::optional<StoredAdaptive>> storedAdaptive(RunStore& store, RunNumber run);

} // namespace pw
