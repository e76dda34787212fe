// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/advise/advice.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pw {

/// How a stage comes to hold less.
enum class HoldBy : std::uint8_t
{
    Recomputing,
    Offloading
};

/// The change with as few stages that hold less as a cap needs: of every device that would be above
/// it, its first stages, which wait longest for their backward. A stage that was computed again
/// when it was measured, and would not be, stays so.
///
/// @pre memory is known
/// @error MemoryLimit  it would not do
/// @error              as of `predictChange`
Result<PlannedChange> heldBelow(const AdviceSource& source, PlannedChange change, Bytes cap,
                                HoldBy by);

/// Changes that are above a cap, below it: each in the way that makes its step shorter.
///
/// @param over      those above it
/// @param hostRate  byte/s to the host; none: not told
std::vector<CandidateChange> changesBelow(const AdviceSource& source,
                                          std::span<const CandidateChange> over, Bytes cap,
                                          std::optional<double> hostRate);

/// What doing without recomputation gives, alone and with the best of other changes of the same
/// stages; within the cap, if one is known. Empty where nothing is computed again.
std::vector<CandidateChange> changesThatKeep(const AdviceSource& source, const PlannedChange& plain,
                                             std::span<const CandidateChange> others, Bytes cap);

/// Where backwards take so much longer than forwards that they may compute these again, and nobody
/// said so: a sentence without full stop; else empty.
std::optional<AdviceNote> recomputationNote(const AdviceSource& source);

} // namespace pw
