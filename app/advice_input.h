// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "core/advise/advice_source.h"

#include <optional>
#include <string>
#include <vector>

namespace pw::app {

/// The name of the option for the layers of the stages when they were measured.
constexpr const char* measuredLayersName = "measured-layers";

/// --measured-layers, --split, --peaks, --global-batch, --fixed and --fixed-from.
std::vector<Option> layerOptions();

/// The step that words name: traces of ranks, a folder of them, a stored run, a project with costs.
tl::expected<AdviceSource, Failure> adviceInput(const std::vector<std::string>& words,
                                                const Arguments& arguments, Console& console);

/// Gives a source the layers that --measured-layers says: of every stage, or of the model, spread
/// evenly.
tl::expected<void, Failure> takeLayers(AdviceSource& source, const Arguments& arguments);

/// Gives a source the peaks of its ranks that --peaks says: a fixed part of a rank, and so much for
/// each micro-batch in flight.
tl::expected<void, Failure> takePeaks(AdviceSource& source, const Arguments& arguments);

/// The stages of --recomputed.
tl::expected<void, Failure> takeRecomputed(AdviceSource& source, const Arguments& arguments);

/// The split of --split; empty where there is none or it is best.
/// @error Failure  layers that are not known, a split that is none for these stages
tl::expected<std::vector<int>, Failure> splitAskedFor(const AdviceSource& source,
                                                      const Arguments& arguments);

/// What of a pass does not depend on its micro-batch: as --fixed says, or from the trace of
/// --fixed-from, the same model and batch with another number of micro-batches.
tl::expected<std::optional<Ticks>, Failure>
fixedTimeOf(const AdviceSource& source, const Arguments& arguments, Console& console);

} // namespace pw::app
