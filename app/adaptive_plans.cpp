// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/adaptive_plans.h"

#include "app/backend_access.h"
#include "app/grouping_options.h"
#include "app/training.h"
#include "core/base/try.h"
#include "core/families/family_traits.h"
#include "executor/calibrate/calibration.h"
#include "executor/model/training.h"

#include <algorithm>
#include <map>

namespace pw::app {

namespace {

/// Shape, memory and network, without the times of passes.
tl::expected<GroupingProblem, Failure> groupingShapeOf(const Study& study,
                                                       const Arguments& arguments, bool modelled)
{
    GroupingProblem usual;
    usual.devices = study.schedule.devices();
    usual.samples = 8 * usual.devices;
    if (!modelled)
        return groupingOf(arguments, std::move(usual), "0:1");
    usual.latency = ticksFromMs(0.05);
    usual.message = ticksFromMs(0.1);
    usual.fixed = ticksFromMs(1);
    return groupingOf(arguments, std::move(usual));
}

/// Measures what passes take with micro-batches of several sizes.
class MeasuredSizes
{
public:
    MeasuredSizes(const Study& study, const Training& training, exec::Backend& backend,
                  const exec::Stop& stop, const std::function<void(std::string_view)>& say)
        : m_study(study)
        , m_training(training)
        , m_backend(backend)
        , m_stop(stop)
        , m_say(say)
    {
    }

    /// Costs of the study's shape.
    Result<const Costs*> of(int samples)
    {
        if (const auto known = m_costs.find(samples); known != m_costs.end())
            return &known->second;
        m_say("measuring micro-batches of " + std::to_string(samples));
        exec::CalibrationRequest request = exec::calibrationFor(m_study.schedule);
        request.model = m_training.model;
        request.model.samples = samples;
        request.split = m_training.split;
        request.optimizer = m_training.optimizer;
        request.seed = m_training.seed;
        request.iterations = 3;
        request.rounds = 3;
        request.warmup = 1;
        request.leastTime = 150 * ticksPerMs;
        request.messageSizes = false;
        PW_TRY(const CostsFile file, exec::calibrate(m_backend, request, m_stop));
        PW_TRY(Costs costs, pw::costsOf(file, m_study.schedule.spec()));
        return &m_costs.emplace(samples, std::move(costs)).first->second;
    }

private:
    const Study& m_study;
    const Training& m_training;
    exec::Backend& m_backend;
    const exec::Stop& m_stop;
    const std::function<void(std::string_view)>& m_say;
    std::map<int, Costs> m_costs;
};

Ticks slowestOf(const std::vector<Ticks>& table)
{
    return table.empty() ? 0 : *std::max_element(table.begin(), table.end());
}

/// T(b) = fixed + b·t through the slowest stage's times of two sizes.
void fitTimes(GroupingProblem& problem, const Costs& one, const Costs& many, int size)
{
    const auto fixedOf = [&](Ticks small, Ticks large) {
        return std::max(Ticks{0}, (size * small - large) / (size - 1));
    };
    const Ticks forward = slowestOf(many.forward), backward = slowestOf(many.fused);
    problem.fixed =
        (fixedOf(slowestOf(one.forward), forward) + fixedOf(slowestOf(one.fused), backward)) / 2;
    problem.forward = std::max(Ticks{1}, (forward - problem.fixed) / size);
    problem.backward = std::max(Ticks{1}, (backward - problem.fixed) / size);
}

/// The plan of a pair with measured times.
Result<exec::RunPlan> trainedPlan(const GroupingPair& pair, const GroupingProblem& problem,
                                  const Training& training, Costs costs, bool shaped)
{
    const Family& family = regroupingFamily();
    const FamilyOptions options =
        groupedOptions(family, problem.devices, pair.microBatches, pair.group);
    PW_TRY(const PipelineSpec spec, specOf(family, options));
    exec::GptModel model = training.model;
    model.samples = pair.microBatch;
    PW_DO(exec::setBytes(costs, spec, model, training.split, training.optimizer));
    if (shaped) {
        costs.links.clear();
        costs.link = {problem.latency + pair.microBatch * problem.message, 0};
        costs.linkTrace = problem.trace;
    }
    PW_TRY(Schedule schedule, family.build(spec, options, costs));
    Result<exec::RunPlan> plan =
        exec::makePlan(std::move(schedule), std::move(costs), model, training.split);
    if (!plan)
        return plan;
    plan->family = family.id;
    plan->optimizer = training.optimizer;
    plan->seed = training.seed;
    plan->modelledLinks = shaped;
    return plan;
}

tl::expected<AdaptivePlans, Failure> trainedPlans(GroupingProblem problem, const Study& study,
                                                  const Arguments& arguments,
                                                  exec::Backend& backend, const exec::Stop& stop,
                                                  const std::function<void(std::string_view)>& say)
{
    PW_TRY(Training training, trainingOf(arguments, study.schedule.spec()));
    MeasuredSizes sizes(study, training, backend, stop, say);
    const int large = std::clamp(problem.held / problem.devices, 2, problem.samples);
    PW_TRY(const Costs* const many, sizes.of(large));
    PW_TRY(const Costs* const one, sizes.of(1));
    fitTimes(problem, *one, *many, large);
    const bool shaped = problem.latency > 0 || problem.message > 0 || arguments.has("link-trace");
    if (shaped && problem.latency + problem.message == 0)
        return usage("--link-trace makes messages longer that the transport delays: give "
                     "--latency or --message, such as --latency 1");
    PW_TRY(const std::vector<GroupingPair> pairs, groupingPairs(problem));
    AdaptivePlans made{problem, {}};
    for (const GroupingPair& pair : pairs) {
        PW_TRY(const Costs* const costs, sizes.of(pair.microBatch));
        PW_TRY(exec::RunPlan plan, trainedPlan(pair, problem, training, *costs, shaped));
        PW_DO(exec::checkBackend(plan, backend.info().name));
        made.plans.push_back({pair, std::move(plan)});
    }
    return made;
}

} // namespace

tl::expected<AdaptivePlans, Failure> adaptivePlans(const Study& study, const Arguments& arguments,
                                                   exec::Backend& backend, const exec::Stop& stop,
                                                   const std::function<void(std::string_view)>& say)
{
    const bool modelled = isEmulated(backend);
    PW_TRY(GroupingProblem problem, groupingShapeOf(study, arguments, modelled));
    if (!modelled)
        return trainedPlans(std::move(problem), study, arguments, backend, stop, say);
    if (const auto given = givenTrainingOption(arguments))
        return usage("--" + *given + " is for a backend that trains, such as --backend cpu");
    const auto time = [&](const char* name, double fallback) {
        return ticksFromMs(arguments.number(name, fallback));
    };
    problem.forward = time("forward", 1);
    problem.backward = time("backward", 1) + time("weight", 1);
    PW_TRY(const std::vector<GroupingPair> pairs, groupingPairs(problem));
    PW_TRY(std::vector<exec::GroupingPlan> plans, exec::modelledGroupings(problem, pairs));
    return AdaptivePlans{std::move(problem), std::move(plans)};
}

} // namespace pw::app
