// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/recorded_rounds.h"
#include "core/base/result.h"
#include "core/cost/measured_round.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pw {

/// What may happen to the machine between the measurement and the run.
enum class Drift : std::uint8_t
{
    None,    ///< it stays as it was in one of the rounds
    Onwards, ///< the run follows the rounds: it may be as far from any of them as two of them are
             ///< from each other
    Between  ///< the run lies between rounds: it may be as far from one as neighbours are
};

/// How an interval is made.
struct ForecastRequest
{
    int iterations = 1; ///< of the run, whose median is forecast
    int draws = 400;    ///< imagined runs; fewer of very long orders
    double part = 0.9;  ///< of the imagined runs that the interval holds, 0 … 1
    std::uint64_t seed = 1;
    Drift drift = Drift::Onwards;
};

/// Where the makespan of a run will lie.
struct Forecast
{
    Ticks low = 0;
    Ticks middle = 0; ///< median of the imagined runs
    Ticks high = 0;
    double part = 0.9; ///< of the imagined runs inside
    int rounds = 0;    ///< of the measurement that it was made from
    /// By how much the slowest round was slower than the fastest: 0.05 for 5 %.
    double drift = 0;

    bool holds(Ticks makespan) const { return low <= makespan && makespan <= high; }

    friend bool operator==(const Forecast&, const Forecast&) = default;
};

/// The interval that will hold the makespan of a run, from times that were measured before it.
///
/// Every imagined run takes one round of the measurement, as it is: each entry takes a time that
/// was measured for its kind in that round, each message and each launch gap likewise, drawn anew
/// for every iteration; of the iterations' makespans the median counts, as in a run. It is longer
/// or shorter by what lies between two other rounds, see `Drift`. The interval is what is left
/// without the longest and the shortest imagined runs.
///
/// A device that waits for a message is woken by it, which is part of the message's time; while it
/// is busy a message takes no longer than the fastest of its round.
///
/// What is assumed: a machine varies during the run as it did during the measurement; passes of
/// one kind are alike wherever they stand in the order. One round alone knows of no drift.
///
/// Pairs that were never measured as a pair count as their two passes in turn.
///
/// @param rounds  at least one
/// @error BadValue  a kind of passes that no round has; committed messages, which hold up their
///                  sender: no interval is made
/// @error Deadlock  as of `simulate`
/// @source          the bootstrap, Efron 1979, of whole rounds and of single times inside
Result<Forecast> forecastMakespan(const Schedule& schedule, std::span<const MeasuredRound> rounds,
                                  const ForecastRequest& request = {});

/// The interval as wide as it has to be where rounds are few: what so many have shown of a
/// machine's drift is itself uncertain, and by how much says Student's distribution. Six rounds
/// widen nine of ten by 45 %, twelve by 19 %; one round, which knows of no drift, by nothing.
///
/// @source  the prediction interval of a further observation, Student 1908
Forecast widenedForFewRounds(Forecast forecast);

/// By how much longer the passes of a run took than they did in rounds that were measured before:
/// 0.05 for 5 %. Of each kind the means count, as often as the order has it; 0 where nothing can
/// be compared.
double driftOf(const Schedule& schedule, std::span<const MeasuredRound> before,
               const std::vector<RecordedIteration>& run);

/// How well the order, the dependency rules and single times explain a run: nothing of it is
/// forecast, the times are its own.
struct ModelError
{
    int iterations = 0;  ///< that were compared
    double middle = 0;   ///< median of predicted ⁄ measured − 1
    double low = 0;      ///< lower quartile
    double high = 0;     ///< upper quartile
    Ticks predicted = 0; ///< median over the iterations

    friend bool operator==(const ModelError&, const ModelError&) = default;
};

/// Predicts each iteration from the others, and compares. The order is played with the passes,
/// messages and launch gaps of every iteration as they were; of the others' makespans the median is
/// the prediction. They stay together: on a machine that ranks share, a pass is long because
/// another rank's is under way.
///
/// @return none for less than two whole iterations
/// @error  as of `forecastMakespan`
Result<std::optional<ModelError>> modelError(const Schedule& schedule,
                                             const std::vector<RecordedIteration>& iterations);

} // namespace pw
