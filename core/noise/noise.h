// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace pw {

/// How passes and messages of a schedule differ from their times, from run to run.
///
/// A *spread* is a standard deviation as a part of the mean. Times are log-normal: never below 0,
/// now and then much longer, in the mean what the costs say. All draws are independent.
struct NoiseModel
{
    std::array<double, passKindCount> passSpread = {}; ///< by kind; of a pair, by the first kind
    double messageSpread = 0;
    /// Of a factor that a rank keeps for a whole run: a slow clock, a neighbour on the machine.
    double rankSpread = 0;
    std::vector<double> rankFactor; ///< by device: its passes take this much longer; empty: 1
    std::vector<double> linkFactor; ///< p·p, index from·p + to: its messages; empty: 1
    /// p·p: how one link changes over time, beside the trace of the costs; empty: nowhere.
    std::vector<std::vector<LinkPhase>> linkTraces;

    bool quiet() const;
};

/// The largest spread that is taken.
constexpr double largestSpread = 10;

/// Makespans of many runs of a schedule, each with times of its own.
struct NoiseSamples
{
    std::vector<double> makespans; ///< ticks, sorted
    double mean = 0;               ///< ticks
    Ticks nominal = 0;             ///< without noise, factors included

    /// Value that a part of the runs, 0 … 1, stays at or below; between two samples in a straight
    /// line.
    double quantile(double part) const;
};

/// A schedule made ready for many runs: passes in an order of evaluation, several runs side by
/// side.
class NoisyRuns
{
public:
    /// @error BadValue  committed messages, which make every time depend on the order of others
    /// @error Deadlock  of the schedule
    static Result<NoisyRuns> make(const Schedule& schedule, const Costs& costs);

    /// Runs with one model. The same seed gives the same runs on any number of threads, and two
    /// models the same draws, so that their difference is theirs.
    ///
    /// @param samples  at least 1
    /// @param stopped  may be empty; asked now and then, true ends with fewer samples (or none)
    NoiseSamples run(const NoiseModel& model, int samples, std::uint64_t seed, int threads = 0,
                     const std::function<bool()>& stopped = {}) const;

    /// Hears of a run: start and end of each entry of the schedule, in ticks.
    using VisitRun = std::function<void(std::span<const Ticks> start, std::span<const Ticks> end)>;

    /// The first so many of the runs that `run` makes with the same model and seed, one after
    /// another and with all their times.
    void each(const NoiseModel& model, int samples, std::uint64_t seed, const VisitRun& visit,
              const std::function<bool()>& stopped = {}) const;

    int devices() const { return m_devices; }
    /// Whether messages that take time go from one device to another.
    bool linked(DeviceId from, DeviceId to) const;

private:
    struct Input
    {
        std::int32_t node = 0; ///< in the order of evaluation
        std::int32_t link = 0; ///< from·p + to
        double delay = 0;      ///< ticks
    };
    struct Node
    {
        std::int32_t previous = -1; ///< of the device
        std::int32_t firstInput = 0, lastInput = 0;
        DeviceId device{0};
        EntryId entry{0}; ///< of the schedule
        double time = 0;
        std::uint8_t kind = 0;
    };

    void batch(const NoiseModel& model, const struct NoiseTables& tables, std::uint64_t seed,
               std::span<double> makespans, std::vector<double>& ends,
               std::vector<double>* starts = nullptr) const;

    int m_devices = 0;
    std::vector<Node> m_nodes;
    std::vector<Input> m_inputs;
    std::vector<LinkPhase> m_trace; ///< of all links
};

/// What becomes of the end when one rank or link is slower than it is.
struct Sensitivity
{
    struct Rank
    {
        DeviceId device{0};
        double longer = 0; ///< mean makespan, as a part of what it was
    };
    struct Link
    {
        DeviceId from{0}, to{0};
        double longer = 0;
    };

    double rankSlower = 0.1; ///< passes of the rank take this much longer, as a part
    double linkSlower = 1;   ///< messages of the link
    std::vector<Rank> ranks; ///< the worst first
    std::vector<Link> links; ///< the worst first; only links with messages that take time
};

/// @param samples  runs for each rank and each link
Sensitivity sensitivityOf(const NoisyRuns& runs, const NoiseModel& model, int samples,
                          std::uint64_t seed, const std::function<bool()>& stopped = {});

} // namespace pw
