// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/pass.h"
#include "core/store/run_store.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// What two runs have to have in common for their steps to be compared.
enum class RunTrait : std::uint8_t
{
    Model,
    MicroBatches, ///< of a step, m
    Batch,        ///< samples of a micro-batch
    Ranks,        ///< devices that the order has
    Replicas,
    Machine, ///< host and devices
    Backend,
    Profiler ///< whether a profiler recorded it, which takes time itself
};

constexpr int runTraitCount = 8;

/// "model", "micro_batches", "batch", "ranks", "replicas", "machine", "backend", "profiler".
std::string_view name(RunTrait trait);

/// A trait that differs, as both runs say it.
struct TraitDifference
{
    RunTrait trait = RunTrait::Model;
    std::string before;
    std::string after;
};

/// What passes of a kind on a stage take, medians.
struct PassChange
{
    PassKind kind = PassKind::F;
    StageId stage{0};
    int route = 0;
    Ticks before = 0;
    Ticks after = 0;
    std::int64_t count = 0; ///< of a step of the later run

    /// By how much longer its device is busy in a step.
    Ticks ofStep() const { return (after - before) * count; }
};

enum class VerdictOutcome : std::uint8_t
{
    NotComparable, ///< a trait differs
    TooFewSteps,   ///< less than three on one side: nothing says how much they vary
    NoDifference,  ///< below what steps vary by
    Better,
    Worse
};

/// "not_comparable", "too_few_steps", "no_difference", "better", "worse".
std::string_view name(VerdictOutcome outcome);

/// Whether the later of two runs is better.
struct RunVerdict
{
    VerdictOutcome outcome = VerdictOutcome::TooFewSteps;
    std::vector<TraitDifference> differences; ///< empty: comparable
    std::vector<RunTrait> unknown;            ///< that one of the two does not say
    std::int64_t stepsBefore = 0;             ///< that count
    std::int64_t stepsAfter = 0;
    Ticks before = 0; ///< median step
    Ticks after = 0;
    Ticks noise = 0;                 ///< a smaller difference is none
    std::vector<PassChange> changes; ///< beyond their own spread; the largest of a step first

    double change() const
    {
        return before == 0 ? 0 : static_cast<double>(after - before) / static_cast<double>(before);
    }
};

/// Compares the steps of two runs that count.
///
/// The noise is three times the standard error of the difference of the medians, from the median
/// distance of steps from their median, and two thousandths of the earlier step at least: what the
/// clocks and the median of a few steps cannot tell.
///
/// @error  as of `RunStore`
/// @complexity  O(n log n) for the passes of both
Result<RunVerdict> verdictOf(RunStore& store, RunNumber before, RunNumber after);

} // namespace pw
