// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/advise/advice.h"

#include <span>
#include <string>
#include <vector>

namespace pw {

/// Numbers of micro-batches that divide a batch, up to 1024.
std::vector<int> microBatchesOf(std::int64_t globalBatch);

/// The same batch in another number of micro-batches: of the order as it is those that were asked
/// for, else the best one, and of other changes the best one, where it gains more than they do.
/// Empty where the batch is not known.
///
/// What of a pass is fixed counts as a tenth of it where it is not known: else more were always
/// better.
///
/// @param others  changes with what they gain
/// @param notes   gets why a number is none
std::vector<CandidateChange>
changesOfCount(const AdviceSource& source, const AdviceRequest& request, const PlannedChange& plain,
               std::span<const CandidateChange> others, std::vector<AdviceNote>& notes);

} // namespace pw
