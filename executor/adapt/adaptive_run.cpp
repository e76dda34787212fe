// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/adapt/adaptive_run.h"

#include "core/analysis/message_slowdown.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/families/family.h"
#include "core/families/family_traits.h"
#include "core/noise/grouping_tuner.h"
#include "core/sim/simulator.h"
#include "executor/adapt/stretch_sink.h"
#include "executor/api/recording_sink.h"
#include "executor/api/transport.h"

#include <algorithm>

namespace pw::exec {

namespace {

/// When every iteration of a run began and ended, on the run's clock: its order, as a store tells
/// it too, without updates that do not stand in it.
std::vector<std::pair<Ticks, Ticks>> spansOf(const RecordingSink::Record& record, int iterations)
{
    std::vector<std::pair<Ticks, Ticks>> spans(static_cast<std::size_t>(iterations), {-1, -1});
    for (const RecordedPass& pass : record.passes) {
        if (pass.iteration < 0 || pass.iteration >= iterations || pass.entry < 0)
            continue;
        auto& [first, last] = spans[static_cast<std::size_t>(pass.iteration)];
        first = first < 0 ? pass.start : std::min(first, pass.start);
        last = std::max(last, pass.end);
    }
    return spans;
}

/// How much longer the messages of an iteration took than on free links.
MessageSlowdown slownessOf(const RunPlan& plan, const RecordingSink::Record& record, int iteration,
                           std::pair<Ticks, Ticks> span)
{
    return {plan.costs, plan.schedule.spec(), record.messages, iteration, span};
}

/// What an iteration of a plan takes on links that are slower by so much.
Result<Ticks> predicted(const RunPlan& plan, const MessageSlowdown& slowness)
{
    Costs costs = plan.costs;
    costs.linkTrace.clear();
    const auto devices = static_cast<std::size_t>(plan.schedule.devices());
    if (costs.links.empty())
        costs.links.assign(devices * devices, costs.link);
    for (std::size_t i = 0; i < costs.links.size(); ++i) {
        const double factor = slowness.of(i);
        Link& link = costs.links[i];
        link.latency = static_cast<Ticks>(static_cast<double>(link.latency) * factor + 0.5);
        link.bytesPerSecond /= factor;
    }
    PW_TRY(const SimResult simulated, simulate(plan.schedule, costs));
    return simulated.makespan;
}

/// How long ranks may wait for each other when links are as slow as they ever become.
Ticks patienceOn(const RunPlan& plan)
{
    Costs costs = plan.costs;
    for (LinkPhase& phase : costs.linkTrace)
        phase.slowdown = std::max_element(costs.linkTrace.begin(), costs.linkTrace.end(),
                                          [](const LinkPhase& a, const LinkPhase& b) {
                                              return a.slowdown < b.slowdown;
                                          })
                             ->slowdown;
    const Result<SimResult> simulated = simulate(plan.schedule, costs);
    return defaultPatience(simulated ? simulated->makespan : 0);
}

/// One adaptive training.
class Adapting
{
public:
    Adapting(Backend& backend, const std::vector<GroupingPlan>& plans,
             const AdaptiveRequest& request, const StretchSink& sinks, const Stop& stop)
        : m_backend(backend)
        , m_plans(plans)
        , m_request(request)
        , m_sinks(sinks)
        , m_stop(stop)
        , m_emulated(backend.info().name == "emulated")
        , m_pair(request.first)
    {
    }

    Result<AdaptiveRun> run()
    {
        const Ticks begun = m_clock.now();
        Result<void> done;
        while (done && count() < m_request.iterations)
            done = runPart();
        if (m_stretch)
            m_stretch->close(done
                                 ? RunStatus::Finished
                                 : (done.error().code == ErrorCode::Cancelled ? RunStatus::Stopped
                                                                              : RunStatus::Failed));
        if (!done)
            return fail(done.error());
        m_run.between = m_clock.now() - begun - m_run.total;
        return std::move(m_run);
    }

private:
    int count() const { return static_cast<int>(m_run.iterations.size()); }

    /// The iterations until the next measurement.
    Result<void> runPart()
    {
        if (auto opened = openStretch(); !opened)
            return opened;
        RunPlan plan = m_plans[static_cast<std::size_t>(m_pair)].plan;
        plan.warmup = 0;
        // Modelled times know no time between iterations, and the link trace must not either: each
        // is a run of its own.
        const int left = count() == 0 ? 1 : m_request.every - count() % m_request.every;
        plan.iterations = std::min(m_emulated ? 1 : left, m_request.iterations - count());
        plan.firstIteration = count();
        plan.training = m_request.training;
        plan.traceStart = m_run.total;
        if (plan.patience == 0)
            plan.patience = patienceOn(plan);
        RecordingSink recording;
        std::vector<RunSink*> sinks = {&recording};
        if (m_stretch)
            sinks.push_back(m_stretch.get());
        FanOutSink all(sinks);
        if (const Result<RunFigures> ran = m_backend.run(plan, all, m_stop); !ran)
            return fail(ran.error());
        PW_DO(take(plan, recording.record()));
        if (m_stretch)
            m_stretch->partEnded();
        return m_request.fixed || count() >= m_request.iterations ||
                       !choosesBehind(count(), m_request.every)
                   ? Result<void>()
                   : choose(plan, recording.record());
    }

    Result<void> openStretch()
    {
        if (m_stretch || !m_sinks)
            return {};
        Result<std::unique_ptr<RunSink>> sink =
            m_sinks(m_plans[static_cast<std::size_t>(m_pair)], {count(), m_run.total, m_reason});
        if (!sink)
            return fail(sink.error());
        if (*sink) {
            m_stretch = std::make_unique<StretchRecords>(std::move(*sink));
            m_stretch->say(m_reason);
        }
        return {};
    }

    Result<void> take(const RunPlan& plan, const RecordingSink::Record& record)
    {
        const auto spans = spansOf(record, plan.iterations);
        for (int i = 0; i < plan.iterations; ++i) {
            const auto& [first, last] = spans[static_cast<std::size_t>(i)];
            AdaptiveIteration made;
            made.pair = m_pair;
            made.start = m_run.total;
            made.time = last - first;
            const MessageSlowdown slowness =
                slownessOf(plan, record, i, spans[static_cast<std::size_t>(i)]);
            made.slowdown = slowness.mean();
            if (!m_request.fixed)
                PW_DO(learn(slowness));
            if (count() > 0 && m_run.iterations.back().pair != m_pair)
                ++m_run.switches;
            m_run.total += made.time;
            m_run.iterations.push_back(made);
            if (m_request.ended)
                m_request.ended(made);
        }
        for (const StepLoss& loss : record.losses) {
            if (m_run.firstLoss == 0)
                m_run.firstLoss = loss.loss;
            m_run.lastLoss = loss.loss;
        }
        return {};
    }

    /// What every pair takes on links as slow as they were.
    Result<void> learn(const MessageSlowdown& slowness)
    {
        m_times.clear();
        for (const GroupingPlan& one : m_plans) {
            PW_TRY(const Ticks time, predicted(one.plan, slowness));
            m_times.push_back(static_cast<double>(time));
        }
        m_tuner.ran(m_times);
        return {};
    }

    Result<void> choose(const RunPlan& plan, const RecordingSink::Record& record)
    {
        const MessageSlowdown slowness =
            slownessOf(plan, record, plan.iterations - 1, spansOf(record, plan.iterations).back());
        m_tuner.choose();
        const auto best = static_cast<int>(m_tuner.pair());
        if (best == m_pair)
            return {};
        const auto timeOf = [&](int pair) {
            return timeText(static_cast<Ticks>(m_times[static_cast<std::size_t>(pair)]));
        };
        const auto k = [&](int pair) {
            const GroupingPair& chosen = m_plans[static_cast<std::size_t>(pair)].pair;
            return "k " + std::to_string(chosen.group) + " with micro-batches of " +
                   std::to_string(chosen.microBatch);
        };
        m_reason = "iteration " + std::to_string(count()) + ", after " + timeText(m_run.total) +
                   ": messages took " + plainNumber(slowness.mean(), 3) +
                   " times as long as on free links; from " + k(m_pair) + " to " + k(best) +
                   ", which should take " + timeOf(best) + " an iteration and not " +
                   timeOf(m_pair);
        if (m_stretch) {
            m_stretch->say(m_reason);
            m_stretch->close(RunStatus::Finished);
            m_stretch.reset();
        }
        m_pair = best;
        return {};
    }

    Backend& m_backend;
    const std::vector<GroupingPlan>& m_plans;
    const AdaptiveRequest& m_request;
    const StretchSink& m_sinks;
    const Stop& m_stop;
    const RunClock m_clock;
    const bool m_emulated;
    int m_pair;
    GroupingTuner m_tuner;
    std::vector<double> m_times; ///< of every pair on the links of the last iteration
    AdaptiveRun m_run;
    std::unique_ptr<StretchRecords> m_stretch;
    std::string m_reason; ///< why the pair at hand was chosen
};

} // namespace

std::vector<std::pair<int, int>> AdaptiveRun::stretches() const
{
    std::vector<std::pair<int, int>> found;
    for (std::size_t i = 0; i < iterations.size(); ++i) {
        if (i == 0 || iterations[i].pair != iterations[i - 1].pair)
            found.emplace_back(static_cast<int>(i), 0);
        ++found.back().second;
    }
    return found;
}

Result<std::vector<GroupingPlan>> modelledGroupings(const GroupingProblem& problem,
                                                    const std::vector<GroupingPair>& pairs)
{
    const Family& family = regroupingFamily();
    std::vector<GroupingPlan> plans;
    for (const GroupingPair& pair : pairs) {
        const FamilyOptions options =
            groupedOptions(family, problem.devices, pair.microBatches, pair.group);
        PW_TRY(const PipelineSpec spec, specOf(family, options));
        UniformCosts uniform;
        uniform.forward = problem.fixed + pair.microBatch * problem.forward;
        uniform.backward = problem.fixed + pair.microBatch * problem.backward;
        uniform.weight = 0;
        uniform.hop = problem.latency + pair.microBatch * problem.message;
        Costs costs = expand(uniform, spec);
        PW_TRY(Schedule schedule, family.build(spec, options, costs));
        costs.linkTrace = problem.trace;
        GptModel model;
        model.layers = spec.stages();
        model.samples = pair.microBatch;
        PW_TRY(LayerSplit split, evenSplit(model.layers, spec.stages()));
        PW_TRY(RunPlan plan,
               makePlan(std::move(schedule), std::move(costs), model, std::move(split)));
        plan.family = family.id;
        plan.modelledLinks = true;
        plans.push_back({pair, std::move(plan)});
    }
    return plans;
}

Result<AdaptiveRun> runAdaptive(Backend& backend, const std::vector<GroupingPlan>& plans,
                                const AdaptiveRequest& request, const StretchSink& sinks,
                                const Stop& stop)
{
    if (plans.empty() || request.first < 0 ||
        static_cast<std::size_t>(request.first) >= plans.size())
        return fail(ErrorCode::BadValue, "there is no pair of k and micro-batch to begin with");
    if (request.iterations < 1 || request.every < 1)
        return fail(ErrorCode::BadValue,
                    "iterations and the iterations between two choices of k are at least 1");
    return Adapting(backend, plans, request, sinks, stop).run();
}

} // namespace pw::exec
