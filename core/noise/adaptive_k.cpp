// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/noise/adaptive_k.h"

#include "core/base/index.h"
#include "core/base/try.h"
#include "core/families/family.h"
#include "core/families/family_traits.h"
#include "core/noise/grouping_tuner.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace pw {

namespace {

/// The trace from a time on, as an iteration that begins then sees it.
std::vector<LinkPhase> traceFrom(const std::vector<LinkPhase>& trace, Ticks start)
{
    std::vector<LinkPhase> shifted;
    for (const LinkPhase& phase : trace) {
        if (phase.start <= start) {
            shifted.assign(1, {0, phase.slowdown});
        } else {
            shifted.push_back({phase.start - start, phase.slowdown});
        }
    }
    return shifted;
}

/// Mean of a trace over a stretch of time.
double meanSlowdown(const std::vector<LinkPhase>& trace, Ticks from, Ticks to)
{
    double sum = 0, pace = 1;
    Ticks now = from;
    for (const LinkPhase& phase : trace) {
        if (phase.start >= to)
            break;
        if (phase.start > now) {
            sum += static_cast<double>(phase.start - now) * pace;
            now = phase.start;
        }
        pace = phase.slowdown;
    }
    return to > from ? (sum + static_cast<double>(to - now) * pace) / static_cast<double>(to - from)
                     : pace;
}

Result<void> checkGrouping(const GroupingProblem& problem)
{
    const std::pair<const char*, std::int64_t> counts[] = {{"devices", problem.devices},
                                                           {"samples", problem.samples},
                                                           {"held samples", problem.held},
                                                           {"the largest k", problem.mostGroup}};
    for (const auto& [what, count] : counts) {
        if (count < 1 || count > 1'000'000)
            return fail(ErrorCode::BadValue, "%1 is a number from 1 to 1000000, not %2", what,
                        count);
    }
    const std::pair<const char*, Ticks> times[] = {{"F", problem.forward},
                                                   {"BW", problem.backward},
                                                   {"the fixed part", problem.fixed},
                                                   {"the latency", problem.latency},
                                                   {"a message", problem.message}};
    for (const auto& [what, time] : times) {
        if (time < 0 || time > 1'000 * ticksPerSecond)
            return fail(ErrorCode::BadValue, "%1 takes a time from 0 to 1000 s", what);
    }
    return {};
}

/// The schedule of a pair, ready to be run.
Result<NoisyRuns> runsOf(const GroupingProblem& problem, const Family& family,
                         const GroupingPair& pair)
{
    const FamilyOptions options =
        groupedOptions(family, problem.devices, pair.microBatches, pair.group);
    PW_TRY(const PipelineSpec spec, specOf(family, options));
    UniformCosts uniform;
    uniform.forward = problem.fixed + pair.microBatch * problem.forward;
    uniform.backward = problem.fixed + pair.microBatch * problem.backward;
    uniform.weight = 0;
    uniform.hop = problem.latency + pair.microBatch * problem.message;
    const Costs costs = expand(uniform, spec);
    PW_TRY(const Schedule schedule, family.build(spec, options, costs));
    return NoisyRuns::make(schedule, costs);
}

/// All pairs, ready to be run.
class GroupingRuns
{
public:
    GroupingRuns(const GroupingProblem& problem, std::uint64_t seed)
        : m_problem(problem)
        , m_seed(seed)
    {
    }

    Result<void> make(const std::vector<GroupingPair>& pairs);
    AdaptedRun fixed(int pair, int iterations, const std::function<bool()>& stopped) const;
    AdaptedRun adaptive(int iterations, int every, const std::function<bool()>& stopped) const;

private:
    const std::vector<LinkPhase>& traceOf(std::size_t link) const
    {
        return m_problem.linkTraces.empty() || m_problem.linkTraces[link].empty()
                   ? m_problem.trace
                   : m_problem.linkTraces[link];
    }
    void runNext(AdaptedRun& run, int pair) const;
    std::vector<double> timesLike(const AdaptedIteration& last) const;

    const GroupingProblem& m_problem;
    std::uint64_t m_seed;
    std::vector<NoisyRuns> m_runs;
};

Result<void> GroupingRuns::make(const std::vector<GroupingPair>& pairs)
{
    const Family& family = regroupingFamily();
    for (const GroupingPair& pair : pairs) {
        PW_TRY(NoisyRuns runs, runsOf(m_problem, family, pair));
        m_runs.push_back(std::move(runs));
    }
    return {};
}

void GroupingRuns::runNext(AdaptedRun& run, int pair) const
{
    const auto links = at(std::int64_t{m_problem.devices} * m_problem.devices);
    NoiseModel model = m_problem.noise;
    model.linkTraces.resize(links);
    for (std::size_t link = 0; link < links; ++link)
        model.linkTraces[link] = traceFrom(traceOf(link), run.total);
    const auto number = static_cast<std::uint64_t>(run.iterations.size());
    const NoiseSamples sample = m_runs[at(pair)].run(model, 1, m_seed + 1 + number, 1);
    AdaptedIteration made;
    made.start = run.total;
    made.time = static_cast<Ticks>(sample.makespans.front() + 0.5);
    made.pair = pair;
    made.slowdown = meanSlowdown(m_problem.trace, run.total, run.total + made.time);
    if (!run.iterations.empty() && run.iterations.back().pair != pair)
        ++run.switches;
    run.total += made.time;
    run.iterations.push_back(made);
}

AdaptedRun GroupingRuns::fixed(int pair, int iterations, const std::function<bool()>& stopped) const
{
    AdaptedRun run;
    for (int i = 0; i < iterations && !(stopped && stopped()); ++i)
        runNext(run, pair);
    return run;
}

/// Ticks that every pair takes on links that stay as they were in an iteration.
std::vector<double> GroupingRuns::timesLike(const AdaptedIteration& last) const
{
    const auto links = at(std::int64_t{m_problem.devices} * m_problem.devices);
    NoiseModel model;
    model.rankFactor = m_problem.noise.rankFactor;
    model.linkFactor.resize(links, 1);
    for (std::size_t link = 0; link < links; ++link) {
        model.linkFactor[link] =
            meanSlowdown(traceOf(link), last.start, last.start + last.time) *
            (m_problem.noise.linkFactor.empty() ? 1 : m_problem.noise.linkFactor[link]);
    }
    std::vector<double> times;
    for (const NoisyRuns& one : m_runs)
        times.push_back(one.run(model, 1, 1, 1).makespans.front());
    return times;
}

AdaptedRun GroupingRuns::adaptive(int iterations, int every,
                                  const std::function<bool()>& stopped) const
{
    AdaptedRun run;
    GroupingTuner tuner;
    for (int i = 0; i < iterations && !(stopped && stopped()); ++i) {
        runNext(run, static_cast<int>(tuner.pair()));
        tuner.ran(timesLike(run.iterations.back()));
        if (choosesBehind(i + 1, every))
            tuner.choose();
    }
    return run;
}

} // namespace

Result<std::vector<GroupingPair>> groupingPairs(const GroupingProblem& problem)
{
    PW_DO(checkGrouping(problem));
    const Family& family = regroupingFamily();
    std::vector<GroupingPair> pairs;
    for (int k = 1; k <= std::min(problem.mostGroup, problem.samples); ++k) {
        std::optional<GroupingPair> best;
        Ticks bestTime = 0;
        for (int b = 1; b <= problem.samples / k; ++b) {
            const int m = problem.samples / b;
            const std::int64_t most = std::min<std::int64_t>(std::int64_t{k} * problem.devices, m);
            if (problem.samples % b != 0 || m % k != 0 || most * b > problem.held)
                continue;
            PW_TRY(const NoisyRuns runs, runsOf(problem, family, {k, b, m}));
            const Ticks time = runs.run({}, 1, 1, 1).nominal;
            if (!best || time < bestTime) {
                best = GroupingPair{k, b, m};
                bestTime = time;
            }
        }
        if (best)
            pairs.push_back(*best);
    }
    if (pairs.empty() || pairs.front().group != 1) {
        return fail(ErrorCode::MemoryLimit,
                    "a device holds %1; 1F1B with micro-batches of one needs %2",
                    counted(problem.held, "%1 sample", "%1 samples"),
                    std::min(problem.devices, problem.samples));
    }
    return pairs;
}

Result<AdaptComparison> compareGroupings(const GroupingProblem& problem, int iterations, int every,
                                         std::uint64_t seed, const std::function<bool()>& stopped)
{
    PW_TRY(std::vector<GroupingPair> pairs, groupingPairs(problem));
    if (iterations < 1 || every < 1)
        return fail(ErrorCode::BadValue,
                    "iterations and the iterations between two choices of k are at least 1");
    GroupingRuns runs(problem, seed);
    PW_DO(runs.make(pairs));
    AdaptComparison comparison;
    for (std::size_t pair = 0; pair < pairs.size(); ++pair)
        comparison.fixed.push_back(runs.fixed(static_cast<int>(pair), iterations, stopped));
    comparison.adaptive = runs.adaptive(iterations, every, stopped);
    comparison.pairs = std::move(pairs);
    return comparison;
}

} // namespace pw
