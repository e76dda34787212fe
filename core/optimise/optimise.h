// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/family_starts.h"
#include "core/optimise/order_forms.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pw {

/// Which forms of the backward a better order may have.
enum class BackwardChoice : std::uint8_t
{
    Any,     ///< as given, or split, or fused
    AsGiven, ///< each cell as it is
    Split,
    Fused
};

/// How far a search has come.
struct OptimiseProgress
{
    double seconds = 0;
    Ticks best = 0;
    Ticks bound = 0;
    const Schedule* schedule = nullptr;           ///< the best so far; valid during the call
    const std::vector<Pass>* offloaded = nullptr; ///< what goes to the host's memory in it
};

struct OptimiseOptions
{
    OrderAim aim = OrderAim::Makespan;
    BackwardChoice backward = BackwardChoice::Any;
    double seconds = 10; ///< wall time; a proven optimum ends the search sooner
    std::uint64_t seed = 1;
    bool exact = true;    ///< small cases are searched to the end
    bool families = true; ///< orders of families of the same shape are starts, too
    /// Which activations go to the host's memory may change, too: those of the costs are a start.
    bool chooseOffload = false;
    /// Asked often; true ends the search with the best so far.
    std::function<bool()> stopped{};
    /// Called whenever something better was found.
    std::function<void(const OptimiseProgress&)> improved{};
    /// Called once, before the search proper, with what is proven then; may be empty.
    std::function<void(Ticks bound)> bounded{};
};

/// A better order, and how good it can be at all.
struct OptimiseOutcome
{
    Schedule schedule;
    SimResult result;
    /// Activations that go to the host's memory: those of the costs, or those that were chosen.
    std::vector<Pass> offloaded;
    Ticks objective = 0;
    /// Proven: no order of an allowed form within the memory is better; where the activations that
    /// go to the host's memory are chosen, none with any choice of them.
    Ticks bound = 0;
    bool proven = false; ///< the objective is the bound, or every order was looked at
    Ticks given = 0;     ///< objective of the order that was given; 0: it never ends
    bool givenFits = true;
    std::string bestFamily; ///< that fits; empty: none of this shape
    Ticks bestFamilyObjective = 0;
    Sentence story; ///< what the order does in another way, without full stop
    double seconds = 0;
    std::int64_t steps = 0; ///< orders that were looked at

    /// How much longer than the bound, as a part of it.
    double gap() const
    {
        return bound > 0 ? static_cast<double>(objective - bound) / static_cast<double>(bound) : 0;
    }
};

/// Costs with the caps of a schedule's own peak on every device, in bytes where activations have
/// sizes and in micro-batches else. What is capped already stays.
Costs withOwnPeak(const Schedule& schedule, const Costs& costs, const SimResult& result);

/// What a better order does in another way than the one given, a sentence without full stop; empty
/// where they are equal. Told from the order given where that has the same passes, else from the
/// nearest form of it.
Sentence orderStory(const Schedule& given, const Schedule& better);

/// Looks for a better order of the same passes on the same devices, within the caps of the costs.
/// What goes to the host's memory does so in every order, with its copies in time and memory.
///
/// Never worse than the order given, if that fits, nor than any family of the same shape that fits.
/// Anytime: the best so far is there whenever the clock or somebody stops it. With one seed and
/// enough time the same result. Where devices wait for each other in the order given, others are
/// looked for.
///
/// @error BadValue     a form of the backward that the order cannot have
/// @error MemoryLimit  nothing was found that stays within the caps
Result<OptimiseOutcome> optimiseOrder(const Schedule& schedule, const Costs& costs,
                                      const OptimiseOptions& options = {});

} // namespace pw
