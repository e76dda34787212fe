// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Better orders, noise and adaptive k in figures. Build the release preset, then:
// build/release/tests/bench_optimise [SECONDS]
//
// Each case begins with a published family and may use as much memory as that.

#include "core/families/family.h"
#include "core/noise/adaptive_k.h"
#include "core/noise/noise.h"
#include "core/optimise/optimise.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace pw;

/// Milliseconds of F, B and W.
struct StageMs
{
    double forward, backward, weight;
};

struct BenchCase
{
    const char* title;
    const char* family;
    int devices, microBatches, chunks;
    StageMs usual, last;
    double hop;
    BackwardChoice backward;
    double seconds; ///< 0: as asked for
};

Schedule makeCase(const BenchCase& it, Costs& costs)
{
    const Family& family = **findFamily(it.family);
    FamilyOptions options;
    options.devices = it.devices;
    options.microBatches = it.microBatches;
    if (it.chunks > 0)
        options.parameters = {{"chunks", it.chunks}};
    const PipelineSpec spec = *specOf(family, options);
    UniformCosts uniform;
    uniform.hop = ticksFromMs(it.hop);
    costs = expand(uniform, spec);
    for (std::size_t cell = 0; cell < costs.forward.size(); ++cell) {
        const StageMs& ms = cell + 1 == costs.forward.size() ? it.last : it.usual;
        costs.forward[cell] = ticksFromMs(ms.forward);
        costs.backward[cell] = ticksFromMs(ms.backward);
        costs.weight[cell] = ticksFromMs(ms.weight);
    }
    return *family.build(spec, options, costs);
}

void optimiseCase(const BenchCase& it, double seconds)
{
    Costs costs;
    const Schedule schedule = makeCase(it, costs);
    costs = withOwnPeak(schedule, costs, *simulate(schedule, costs));
    OptimiseOptions options;
    options.seconds = it.seconds > 0 ? it.seconds : seconds;
    options.backward = it.backward;
    const Result<OptimiseOutcome> found = optimiseOrder(schedule, costs, options);
    if (!found) {
        std::printf("%-44s %s\n", it.title, found.error().message.c_str());
        return;
    }
    const auto family = static_cast<double>(found->bestFamilyObjective);
    std::printf("%-44s given %10.3f  family %10.3f  found %10.3f  bound %10.3f  gap %5.2f %%  "
                "gain %5.2f %%  %6.2f s%s\n",
                it.title, msFromTicks(found->given), family / ticksPerMs,
                msFromTicks(found->objective), msFromTicks(found->bound), 100 * found->gap(),
                100 * (1 - static_cast<double>(found->objective) / family), found->seconds,
                found->proven ? "  proven" : "");
}

void noiseCase()
{
    Costs costs;
    const BenchCase it{"", "1f1b", 8, 32, 0, {1, 1, 1}, {1, 1, 1}, 0.1, BackwardChoice::Any, 0};
    const Schedule schedule = makeCase(it, costs);
    const NoisyRuns runs = *NoisyRuns::make(schedule, costs);
    NoiseModel model;
    model.passSpread.fill(0.1);
    model.messageSpread = 0.3;
    for (const int threads : {1, 2}) {
        const auto begin = std::chrono::steady_clock::now();
        const NoiseSamples samples = runs.run(model, 10'000, 1, threads);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        std::printf("10,000 runs of 1F1B 8 x 32, %d threads: %.3f s; median %.3f ms, 95 %% %.3f "
                    "ms\n",
                    threads, took.count(), samples.quantile(0.5) / ticksPerMs,
                    samples.quantile(0.95) / ticksPerMs);
    }
}

void adaptCase(const char* title, std::vector<LinkPhase> trace, int held)
{
    GroupingProblem problem;
    problem.forward = ticksFromMs(1);
    problem.backward = ticksFromMs(2);
    problem.fixed = ticksFromMs(1);
    problem.latency = ticksFromMs(0.05);
    problem.message = ticksFromMs(0.1);
    problem.held = held;
    problem.trace = std::move(trace);
    const Result<AdaptComparison> found = compareGroupings(problem, 100, 5, 1);
    if (!found)
        return;
    std::printf("%-32s", title);
    for (std::size_t i = 0; i < found->pairs.size(); ++i)
        std::printf("  k=%d %.3f s", found->pairs[i].group,
                    msFromTicks(found->fixed[i].total) / 1000);
    std::printf("  adaptive %.3f s, %.1f %% over 1F1B\n", msFromTicks(found->adaptive.total) / 1000,
                100 * (static_cast<double>(found->fixed[0].total) /
                           static_cast<double>(found->adaptive.total) -
                       1));
}

} // namespace

int main(int argc, char** argv)
{
    const double seconds = argc > 1 ? std::atof(argv[1]) : 10;
    const StageMs megatron{3.20, 3.465, 3.465}, megatronLast{17.16, 9.60, 9.60};
    const StageMs primus{60, 35, 35}, primusLast{66.8, 37.45, 37.45};
    const StageMs half{30, 17.5, 17.5}, halfLast{36.8, 20, 20}, unit{1, 1, 1};
    constexpr auto any = BackwardChoice::Any, fused = BackwardChoice::AsGiven;
    const BenchCase cases[] = {
        {"Megatron 4 x 4 chunks, m 8, hop 4", "interleaved-1f1b", 4, 8, 4, megatron, megatronLast,
         4, any, 0},
        {"the same, m 16", "interleaved-1f1b", 4, 16, 4, megatron, megatronLast, 4, any, 0},
        {"the same, m 8, BW fused", "interleaved-1f1b", 4, 8, 4, megatron, megatronLast, 4, fused,
         0},
        {"the same, free links", "interleaved-1f1b", 4, 8, 4, megatron, megatronLast, 0, any, 0},
        {"Primus 8 stages, m 16, hop 2.34", "1f1b", 8, 16, 0, primus, primusLast, 2.34, any, 0},
        {"the same, BW fused", "1f1b", 8, 16, 0, primus, primusLast, 2.34, fused, 0},
        {"Primus in 16 chunks, looped", "interleaved-1f1b", 8, 16, 2, half, halfLast, 2.34, any, 0},
        {"Primus in 16 chunks, V-Half", "v-half", 8, 16, 0, half, halfLast, 2.34, any, 0},
        {"Primus in 16 chunks, V-Min", "v-min", 8, 16, 0, half, halfLast, 2.34, any, 0},
        {"Primus in 16 chunks, ZB-V", "zb-v", 8, 16, 0, half, halfLast, 2.34, any, 0},
        {"equal stages 32 x 256, 1 s", "1f1b", 32, 256, 0, unit, unit, 0, any, 1},
        {"equal stages 32 x 256, hop 0.2, 1 s", "1f1b", 32, 256, 0, unit, unit, 0.2, any, 1}};
    for (const BenchCase& it : cases)
        optimiseCase(it, seconds);
    noiseCase();
    const std::vector<LinkPhase> preempted = {{0, 1},
                                              {ticksFromMs(4000), 4},
                                              {ticksFromMs(9000), 1},
                                              {ticksFromMs(12000), 10},
                                              {ticksFromMs(18000), 2},
                                              {ticksFromMs(24000), 1},
                                              {ticksFromMs(27000), 6}};
    adaptCase("slower now and then, 16 held", preempted, 16);
    adaptCase("slower now and then, 32 held", preempted, 32);
    for (const double slowdown : {1.0, 2.0, 4.0, 8.0})
        adaptCase(("links x" + std::to_string(slowdown).substr(0, 3)).c_str(), {{0, slowdown}}, 32);
    return 0;
}
