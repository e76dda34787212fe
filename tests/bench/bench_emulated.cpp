// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Measured against simulated makespans of emulated devices, and what the runner itself costs.
// Build the release preset, then on a quiet machine:
// build/release/tests/bench_emulated [MILLISECONDS A PASS] [DEVICES]

#include "core/families/family.h"
#include "core/sim/simulator.h"
#include "executor/api/recording_sink.h"
#include "executor/api/runner.h"
#include "executor/emulated/emulated_backend.h"
#include "executor/transport/local.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

using namespace pw;
using namespace pw::exec;

namespace {

template<typename T>
T need(Result<T> result)
{
    if (!result) {
        std::fprintf(stderr, "%s\n", result.error().message.c_str());
        std::exit(1);
    }
    return std::move(*result);
}

RunPlan planFor(const char* id, int devices, int microBatches, const UniformCosts& uniform,
                std::vector<LinkPhase> trace = {})
{
    const Family& family = *need(findFamily(id));
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    Costs costs = expand(uniform, need(specOf(family, options)));
    costs.linkTrace = std::move(trace);
    Schedule schedule = need(family.build(need(specOf(family, options)), options, costs));
    GptModel model;
    model.layers = schedule.spec().stages();
    LayerSplit split = need(evenSplit(model.layers, model.layers));
    return need(makePlan(std::move(schedule), std::move(costs), model, std::move(split)));
}

/// Hears a run and keeps nothing.
class DeafSink final : public RunSink
{
public:
    void started(const RunPlan&, const RunEnvironment&) override {}
    void passes(std::span<const RecordedPass>) override {}
    void messages(std::span<const RecordedMessage>) override {}
    void memory(std::span<const MemorySample>) override {}
    void loss(const StepLoss&) override {}
    void log(const RunLog&) override {}
    void fault(const RunFault&) override {}
    void finished(RunStatus, const RunFigures&) override {}
};

/// Does nothing, at once.
class IdleWorker final : public Worker
{
public:
    explicit IdleWorker(const RunClock& clock)
        : m_clock(clock)
    {
    }
    Result<void> begin() override { return {}; }
    Result<void> beginIteration(int) override { return {}; }
    Result<void> deliver(const Pass&, Packet) override { return {}; }
    Result<Computed> compute(const OrderEntry&) override
    {
        Computed computed;
        computed.start.value = m_clock.now();
        computed.end.value = m_clock.now();
        computed.atStart[4] = 1;
        return computed;
    }
    Result<Packet> take(const Pass&) override { return Packet{}; }
    Result<Packet> gradients(HostedStage, int) override { return Packet{}; }
    Result<void> addGradients(HostedStage, int, Packet) override { return {}; }
    std::vector<MicroBatchLoss> takeLosses() override { return {}; }
    std::optional<Ticks> time(Mark mark) override { return mark.value; }

private:
    const RunClock& m_clock;
};

struct EmulatedCase
{
    const char* name;
    const char* family;
    std::vector<LinkPhase> trace;
    Ticks hop;
};

void compareMakespans(int devices, Ticks pass)
{
    // The network is taken away for a while, again and again.
    std::vector<LinkPhase> trace;
    for (int i = 0; i < 40; ++i)
        trace.push_back({i * 8 * pass, i % 2 == 0 ? 1.0 : 6.0});
    const Ticks hop = pass / 2;
    const EmulatedCase cases[] = {
        {"1F1B", "1f1b", {}, 0},
        {"interleaved 1F1B", "interleaved-1f1b", {}, 0},
        {"ZB-H1", "zb-h1", {}, 0},
        {"ZB-V", "zb-v", {}, 0},
        {"V-Half", "v-half", {}, 0},
        {"1F1B, link trace", "1f1b", trace, hop},
        {"kFkB, link trace", "kfkb", trace, hop},
    };
    std::printf("\n%d devices, %d micro-batches, T_F = T_B = T_W = %g ms\n", devices, 2 * devices,
                msFromTicks(pass));
    std::printf("%-20s %12s %12s %9s   %s\n", "", "simulated ms", "measured ms", "ratio",
                "low … high");
    for (const EmulatedCase& one : cases) {
        UniformCosts uniform;
        uniform.forward = uniform.backward = uniform.weight = pass;
        uniform.hop = one.hop;
        RunPlan plan = planFor(one.family, devices, 2 * devices, uniform, one.trace);
        plan.iterations = 5;
        DeafSink sink;
        const Stop stop;
        const RunFigures figures = need(makeEmulatedBackend()->run(plan, sink, stop));
        const auto ratio = [&](Ticks makespan) {
            return static_cast<double>(makespan) / static_cast<double>(figures.predictedMakespan);
        };
        std::printf("%-20s %12.3f %12.3f %9.5f   %.5f … %.5f\n", one.name,
                    msFromTicks(figures.predictedMakespan), msFromTicks(figures.makespan),
                    ratio(figures.makespan), ratio(figures.makespanLow),
                    ratio(figures.makespanHigh));
    }
}

/// Wall time of a run by pass, where passes take none.
void measureLaunches(const char* id, int devices, int microBatches)
{
    RunPlan plan = planFor(id, devices, microBatches, UniformCosts{});
    plan.warmup = 1;
    plan.iterations = 5;
    plan.patience = 60'000 * ticksPerMs;
    RunClock clock;
    LocalTransport transport(plan, clock);
    DeafSink sink;
    const Stop stop;
    const RunFigures figures = need(runRanks(
        plan,
        [&](int, const RunClock&) -> Result<std::unique_ptr<Worker>> {
            return std::make_unique<IdleWorker>(clock);
        },
        transport, clock, RunEnvironment{}, sink, stop));
    const auto passes = static_cast<double>(plan.schedule.passCount()) / devices;
    std::printf("%-6s %d devices, %7lld passes: %6.3f us a pass and rank (best %.3f)\n", id,
                devices, static_cast<long long>(plan.schedule.passCount()),
                static_cast<double>(figures.makespan) / passes / 1000,
                static_cast<double>(figures.makespanLow) / passes / 1000);
}

} // namespace

int main(int argc, char** argv)
{
    const Ticks pass = ticksFromMs(argc > 1 ? std::atof(argv[1]) : 5);
    std::printf("%u cores\n\nlaunches, with records, of passes that take no time\n",
                std::thread::hardware_concurrency());
    measureLaunches("gpipe", 1, 50'000);
    measureLaunches("gpipe", 2, 20'000);
    measureLaunches("1f1b", 2, 20'000);
    measureLaunches("1f1b", 8, 2'000);
    for (const int devices :
         argc > 2 ? std::vector<int>{std::atoi(argv[2])} : std::vector<int>{4, 8})
        compareMakespans(devices, pass);
    return 0;
}
