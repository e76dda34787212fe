// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/costs.h"
#include "core/model/schedule.h"
#include "core/sim/simulator.h"

#include <optional>

namespace pw {

/// Whether of two inputs one came after the other: it was there later, or at the same time and was
/// made later, by a pass that so had no time to spare for its message. Explanations of simulated
/// and of measured times both ask here.
/// @tparam Input  has `there` and `produced`, in ticks
template<typename Input>
bool cameLater(const Input& one, const Input& other)
{
    return one.there > other.there || (one.there == other.there && one.produced > other.produced);
}

/// An input of an entry, with the time when it was there.
struct InputArrival
{
    PassId producer;
    EntryId entry;      ///< of the producer
    Ticks produced = 0; ///< end of the producer
    Ticks there = 0;    ///< with its message
};

/// The input of an entry that came last; none where it has no inputs.
/// @param result  of `simulate` with these costs
std::optional<InputArrival> lastInput(const Schedule& schedule, const Costs& costs,
                                      const SimResult& result, EntryId entry);

} // namespace pw
