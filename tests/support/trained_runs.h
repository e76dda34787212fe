// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/recompute.h"
#include "core/model/replicas.h"
#include "executor/api/recording_sink.h"
#include "executor/cpu/cpu_ops.h"
#include "executor/model/training.h"
#include "executor/mpi/mpi_run.h"
#include "executor/verify/verification.h"
#include "tests/support/family_runs.h"
#include "tests/support/mailroom.h"

#include <QtGlobal>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace pw::test {

/// How far a gradient of float32 may be from the reference, as a part of the largest of its tensor.
constexpr double gradientTolerance = 1e-5;

/// The CPU over MPI, with a thread of this process for every rank.
class RoomBackend final : public exec::Backend
{
public:
    explicit RoomBackend(std::string name = "cpu")
        : m_name(std::move(name))
    {
    }
    exec::BackendInfo info() const override
    {
        exec::BackendInfo info;
        info.name = m_name;
        return info;
    }
    Result<RunFigures> run(const exec::RunPlan& plan, exec::RunSink& sink,
                           const exec::Stop& stop) override
    {
        const int ranks = plan.schedule.devices();
        Mailroom room(ranks);
        std::vector<std::thread> others;
        for (int rank = 1; rank < ranks; ++rank) {
            others.emplace_back([&room, rank] {
                exec::MpiSession session(room.port(rank));
                if (!session.meet())
                    return session.giveUp();
                const exec::Stop none;
                const exec::Patience patience{none, 60'000 * ticksPerMs, "a plan"};
                if (const Result<exec::Mail> mail = session.wait(exec::MailKind::Plan, patience))
                    exec::followRun(session, *mail, none);
            });
        }
        Result<RunFigures> figures = fail(ErrorCode::Fault, "the processes did not meet");
        {
            exec::MpiSession session(room.port(0));
            if (session.meet())
                figures = exec::leadRun(session, {1, m_name, static_cast<bool>(snapshotListener())},
                                        plan, sink, snapshotListener(), stop);
            else
                session.giveUp();
        }
        for (std::thread& other : others)
            other.join();
        return figures;
    }

private:
    std::string m_name;
};

/// A small model of odd sizes on a schedule, with bytes as they are really allocated.
inline Result<exec::RunPlan> trainedPlan(const Schedule& schedule, int iterations = 2)
{
    const PipelineSpec& spec = schedule.spec();
    exec::GptModel model;
    model.layers = spec.stages() + 1;
    model.hidden = 12;
    model.heads = 3;
    model.ffn = 20;
    model.sequence = 7;
    model.vocabulary = 11;
    model.samples = 2;
    const LayerSplit split = *evenSplit(model.layers, spec.stages());
    exec::Optimizer optimizer = exec::comparableOptimizer();
    Costs costs = expand(UniformCosts{}, spec);
    if (const Result<void> set = exec::setBytes(costs, spec, model, split, optimizer); !set)
        return fail(set.error());
    Result<exec::RunPlan> plan = exec::makePlan(schedule, costs, model, split);
    if (!plan)
        return plan;
    plan->optimizer = optimizer;
    plan->iterations = iterations;
    plan->seed = 3;
    plan->patience = 60'000 * ticksPerMs;
    return plan;
}

/// A family's schedule for equal stages.
inline Result<Schedule> scheduleOf(const Family& family, const FamilyOptions& options)
{
    return buildUniform(family, options, UniformCosts{});
}

/// Options that a family takes on so many devices: twice as many micro-batches, and for
/// asynchronous families three steps.
inline FamilyOptions trainedOptions(const Family& family, int devices)
{
    FamilyOptions options = sized(devices, 2 * devices);
    const Result<PipelineSpec> spec = specOf(family, options);
    if (spec && spec->updateRule != UpdateRule::Flush)
        options.steps = 3;
    return options;
}

/// The truth of a plan, trained on one device.
inline exec::ReferenceRun truthOf(const exec::RunPlan& plan)
{
    const exec::RunClock clock;
    const std::unique_ptr<exec::Ops> ops = exec::makeCpuOps(clock);
    Result<exec::ReferenceRun> run = exec::trainReference(plan, *ops);
    if (!run)
        qFatal("%s", run.error().message.c_str());
    return std::move(*run);
}

/// Norm of all gradients before each update of the truth.
inline std::vector<double> gradientNorms(const exec::ReferenceRun& truth)
{
    std::vector<double> squares;
    for (const exec::StageSnapshot& snapshot : truth.snapshots) {
        const auto update = static_cast<std::size_t>(snapshot.update);
        squares.resize(std::max(squares.size(), update + 1));
        for (const float value : snapshot.gradients)
            squares[update] += static_cast<double>(value) * static_cast<double>(value);
    }
    for (double& square : squares)
        square = std::sqrt(square);
    return squares;
}

/// A limit above every rank's own part of the norm of some update, and below the whole norm.
inline double betweenOwnAndAll(const exec::RunPlan& plan, const exec::ReferenceRun& truth)
{
    const PipelineSpec& spec = plan.schedule.spec();
    const std::vector<double> norms = gradientNorms(truth);
    std::map<std::pair<int, int>, double> own; // by update and rank
    for (const exec::StageSnapshot& snapshot : truth.snapshots) {
        const int rank = spec.device(snapshot.stage.route, snapshot.stage.stage);
        for (const float value : snapshot.gradients)
            own[{snapshot.update, rank}] += static_cast<double>(value) * value;
    }
    double largest = 0;
    for (const auto& [place, squares] : own)
        if (place.first == 0)
            largest = std::max(largest, std::sqrt(squares));
    return (largest + norms.front()) / 2;
}

} // namespace pw::test
