// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job_figures.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace pw {

/// What the job's step would take in the order of other families, on the same ranks and with as
/// many micro-batches: those that gain anything, the largest gain first.
///
/// The costs are fitted to the slowest replica; what a family gains there against the prediction of
/// its own order is taken from the step. Families that search, that do not flush, that cut
/// sequences, or that hold the model twice are left out, and so are orders of many passes. Where
/// only whole backwards were measured, half of each counts as the weights' part. Memory is not
/// looked at.
///
/// @param most  families
std::vector<JobWhatIf> familyWhatIfs(const Trace& trace, const JobReplay& replay, std::size_t most);

/// What the step would take in the very order of the family that its order is nearly that of.
/// Nothing where it is a family's order, or like none.
std::optional<JobWhatIf> nearestFamilyWhatIf(const Trace& trace, const JobReplay& replay);

} // namespace pw
