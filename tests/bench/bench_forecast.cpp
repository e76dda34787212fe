// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// How far predictions can be trusted, for every family: the model error (the order predicted from
// the times of the same run, each iteration from the others) and how often the 90 % interval that
// was made before a run holds its makespan. Build the release preset, then
// build/release/tests/bench_forecast [cpu|emulated|both] [RUNS A FAMILY] [ITERATIONS] [FAMILY …]
//
// 4 runs of each family are about a hundred in all; 1 run is the short form. Other work on the
// machine belongs to what the interval has to hold: the bench says how much of it there was.

#include "core/families/family.h"
#include "core/io/costs_file.h"
#include "executor/api/recording_sink.h"
#include "executor/calibrate/calibration.h"
#include "executor/cpu/cpu_backend.h"
#include "executor/emulated/emulated_backend.h"
#include "executor/model/presets.h"
#include "executor/model/training.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

using namespace pw;
using namespace pw::exec;

namespace {

constexpr int devices = 2;

template<typename T>
T need(Result<T> result)
{
    if (!result) {
        std::fprintf(stderr, "%s\n", result.error().message.c_str());
        std::exit(1);
    }
    return std::move(*result);
}

struct Setting
{
    bool trains = true;
    int runs = 4; ///< of each family
    int iterations = 5;
};

/// What came out of one run.
struct Outcome
{
    Ticks predicted = 0; ///< from the mean times
    Forecast before;     ///< from what was measured before
    Forecast both;       ///< from what was measured on both sides
    Ticks makespan = 0;
    std::optional<ModelError> model;
    double meanwhile = 0; ///< by how much longer its passes took than before

    /// The interval that `pipewright run` ends up with.
    const Forecast& said() const
    {
        constexpr double muchDrift = 0.05;
        return before.drift < muchDrift && std::abs(meanwhile) < muchDrift ? before : both;
    }
};

/// A family with everything that calibrating and running it takes.
class Study
{
public:
    Study(const Family& family, const Setting& setting)
        : m_setting(setting)
    {
        FamilyOptions options;
        options.devices = devices;
        options.microBatches = 4 * devices;
        const PipelineSpec spec = need(specOf(family, options));
        UniformCosts uniform;
        uniform.forward = uniform.backward = uniform.weight = 3 * ticksPerMs;
        uniform.hop = ticksPerMs / 2;
        m_costs = expand(uniform, spec);
        m_schedule.emplace_back(need(family.build(spec, options, m_costs)));
        m_model = need(findGptModel("small"));
        m_model.layers = std::max(m_model.layers, spec.stages());
        m_split = need(evenSplit(m_model.layers, spec.stages()));
        m_backend = setting.trains ? makeCpuBackend() : makeEmulatedBackend();
    }

    Result<CostsFile> measure()
    {
        // As `pipewright run` does: pairs are measured as pairs.
        CalibrationRequest request = calibrationFor(schedule());
        request.model = m_model;
        request.split = m_split;
        request.iterations = 6;
        request.warmup = 1;
        request.messageSizes = false;
        if (!m_setting.trains)
            request.modelled = m_costs;
        return calibrate(*m_backend, request, m_stop);
    }

    Result<Outcome> run(const CostsFile& file, std::uint64_t seed)
    {
        Result<Costs> known = m_costs;
        if (m_setting.trains)
            known = costsOf(file, schedule().spec());
        if (!known)
            return fail(known.error());
        Costs costs = std::move(*known);
        if (m_setting.trains) {
            if (const auto sized =
                    setBytes(costs, schedule().spec(), m_model, m_split, Optimizer{});
                !sized)
                std::exit(1);
        }
        RunPlan plan = need(makePlan(schedule(), std::move(costs), m_model, m_split));
        plan.warmup = 1;
        plan.iterations = m_setting.iterations;
        Outcome out;
        out.before = forecast(file.rounds, seed);
        RecordingSink sink;
        const RunFigures figures = need(m_backend->run(plan, sink, m_stop));
        out.predicted = figures.predictedMakespan;
        out.makespan = figures.makespan;
        const std::vector<RecordedIteration> iterations =
            recordedIterations(schedule(), sink.record().passes, sink.record().messages);
        out.model = need(modelError(schedule(), iterations));
        out.meanwhile = driftOf(schedule(), file.rounds, iterations);
        return out;
    }

    Forecast forecast(const std::vector<MeasuredRound>& rounds, std::uint64_t seed,
                      Drift drift = Drift::Onwards) const
    {
        ForecastRequest request;
        request.drift = drift;
        request.iterations = m_setting.iterations;
        request.seed = seed;
        return widenedForFewRounds(need(forecastMakespan(schedule(), rounds, request)));
    }

private:
    const Schedule& schedule() const { return m_schedule.front(); }

    Setting m_setting;
    std::vector<Schedule> m_schedule; ///< one
    Costs m_costs;
    GptModel m_model;
    LayerSplit m_split;
    std::unique_ptr<Backend> m_backend;
    Stop m_stop;
};

double off(Ticks value, Ticks measured)
{
    return 100 * (static_cast<double>(value) / static_cast<double>(measured) - 1);
}

double middleOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n == 0 ? 0 : (values[(n - 1) / 2] + values[n / 2]) / 2;
}

/// Runs one after the other, each between two calibrations: the one after it is the next one's
/// before.
Result<std::vector<Outcome>> runsOf(Study& study, int runs, std::uint64_t seed)
{
    std::vector<Outcome> all;
    Result<CostsFile> before = study.measure();
    if (!before)
        return fail(before.error());
    for (int i = 0; i < runs; ++i) {
        const std::uint64_t own = seed + static_cast<std::uint64_t>(i);
        Result<Outcome> run = study.run(*before, own);
        if (!run)
            return fail(run.error());
        all.push_back(std::move(*run));
        Result<CostsFile> after = study.measure();
        if (!after)
            return fail(after.error());
        std::vector<MeasuredRound> rounds = before->rounds;
        rounds.insert(rounds.end(), after->rounds.begin(), after->rounds.end());
        all.back().both = study.forecast(rounds, own, Drift::Between);
        before = std::move(after);
    }
    return all;
}

struct Sum
{
    int runs = 0, held = 0, heldBySaid = 0, withinThree = 0, families = 0;
};

void print(const Family& family, const std::vector<Outcome>& runs, Sum& sum)
{
    std::vector<double> errors, offs, meanwhile, drifts, widths, saidWidths;
    int held = 0, heldBySaid = 0;
    const auto width = [](const Forecast& one) {
        return off(one.high, one.middle) - off(one.low, one.middle);
    };
    for (const Outcome& one : runs) {
        if (one.model)
            errors.push_back(100 * one.model->middle);
        offs.push_back(off(one.makespan, one.before.middle));
        meanwhile.push_back(100 * one.meanwhile);
        drifts.push_back(100 * one.before.drift);
        widths.push_back(width(one.before));
        saidWidths.push_back(width(one.said()));
        held += one.before.holds(one.makespan) ? 1 : 0;
        heldBySaid += one.said().holds(one.makespan) ? 1 : 0;
    }
    const int count = static_cast<int>(runs.size());
    const double error = middleOf(errors);
    std::printf("%-20.*s %8.2f %+7.1f %+7.1f %+7.1f %7.1f %7.1f %4d/%-3d %7.1f %4d/%-3d\n",
                static_cast<int>(family.id.size()), family.id.data(),
                msFromTicks(runs.back().makespan), error, middleOf(offs), middleOf(meanwhile),
                middleOf(drifts), middleOf(widths), held, count, middleOf(saidWidths), heldBySaid,
                count);
    std::fflush(stdout);
    sum.runs += count;
    sum.held += held;
    sum.heldBySaid += heldBySaid;
    ++sum.families;
    constexpr double trusted = 3;
    sum.withinThree += std::abs(error) <= trusted ? 1 : 0;
}

void benchAll(const Setting& setting, const std::vector<std::string_view>& wanted)
{
    std::printf("\n%s, %d devices, %d micro-batches, %d iterations, %d run%s of each family\n",
                setting.trains ? "cpu" : "emulated", devices, 4 * devices, setting.iterations,
                setting.runs, setting.runs == 1 ? "" : "s");
    std::printf("%-20s %8s %7s %7s %7s %7s %7s %8s %7s %8s\n", "medians, %", "makespan", "model",
                "off", "passes", "rounds", "before", "", "said", "");
    std::printf("%-20s %8s %7s %7s %7s %7s %7s %8s %7s %8s\n", "", "ms", "error", "by", "slower",
                "differ", "wide", "holds", "wide", "holds");
    const auto began = std::chrono::steady_clock::now();
    const std::clock_t ownBegan = std::clock();
    Sum sum;
    std::uint64_t seed = 1;
    for (const Family& family : allFamilies()) {
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), family.id) == wanted.end())
            continue;
        FamilyOptions options;
        options.devices = devices;
        options.microBatches = 4 * devices;
        if (const auto spec = specOf(family, options); !spec) {
            std::printf("%-20.*s %s\n", static_cast<int>(family.id.size()), family.id.data(),
                        spec.error().message.c_str());
            continue;
        }
        Study study(family, setting);
        const Result<std::vector<Outcome>> runs = runsOf(study, setting.runs, seed);
        if (runs)
            print(family, *runs, sum);
        else
            std::printf("%-20.*s %s\n", static_cast<int>(family.id.size()), family.id.data(),
                        runs.error().message.c_str());
        seed += 1000;
    }
    const double wall =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    double load = 0;
    if (getloadavg(&load, 1) != 1)
        load = 0;
    const double own = static_cast<double>(std::clock() - ownBegan) / CLOCKS_PER_SEC / wall;
    const auto part = [&sum](int held) { return 100.0 * held / std::max(sum.runs, 1); };
    std::printf("model error within 3 %%: %d of %d families; the makespan is in the interval made "
                "before in %d of %d runs (%.0f %%), in the one that is said in the end in %d "
                "(%.0f %%)\n",
                sum.withinThree, sum.families, sum.held, sum.runs, part(sum.held), sum.heldBySaid,
                part(sum.heldBySaid));
    std::printf("%.0f s; load %.1f at the end, of which the bench made %.1f\n", wall, load, own);
}

} // namespace

int main(int argc, char** argv)
{
    const std::string_view backend = argc > 1 ? argv[1] : "both";
    Setting setting;
    setting.runs = argc > 2 ? std::max(std::atoi(argv[2]), 1) : setting.runs;
    setting.iterations = argc > 3 ? std::max(std::atoi(argv[3]), 2) : setting.iterations;
    const std::vector<std::string_view> wanted(argv + std::min(argc, 4), argv + argc);
    for (const bool trains : {true, false}) {
        setting.trains = trains;
        if (backend == "both" || backend == (trains ? "cpu" : "emulated"))
            benchAll(setting, wanted);
    }
    return 0;
}
