// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/transport/mpi_rank.h"

#include "executor/api/environment.h"
#include "executor/cpu/cpu_ops.h"
#include "executor/emulated/emulated_worker.h"
#include "executor/model/training.h"

namespace pw::exec {

Result<RunDevice> deviceOf(const std::string& backend, const RunPlan& plan,
                           const MpiSession& session)
{
    const std::string& host = session.hosts()[static_cast<std::size_t>(session.rank())];
    if (backend == "emulated") {
        if (auto fine = pw::check(plan.costs, plan.schedule.spec()); !fine)
            return fail(fine.error());
        return RunDevice{"emulated device on " + host, 0};
    }
    if (backend == "cpu") {
        if (plan.model.element != Element::Float32)
            return fail(ErrorCode::BadValue, "the CPU computes in fp32 only, not in bf16");
        return RunDevice{processorName() + " on " + host, 0};
    }
    return fail(ErrorCode::BadValue, "the backend " + backend +
                                         " does not run over several processes; cpu and emulated "
                                         "do");
}

RunEnvironment environmentOf(const std::string& backend)
{
    RunEnvironment environment = environmentHere(backend, "mpi");
    if (backend == "cpu")
        environment.driver +=
            (environment.driver.empty() ? "" : ", ") + std::string(cpuMathLibrary());
    return environment;
}

Result<void> MpiRank::make(const std::string& backend, const RunPlan& plan, MpiSession& session,
                           std::int32_t run, const RunClock& clock, const Stop& ended,
                           const SnapshotListener& listener)
{
    m_environment = environmentOf(backend);
    m_environment.devices.assign(static_cast<std::size_t>(plan.schedule.devices()), {});
    if (backend == "cpu") {
        m_transport = std::make_unique<MpiTransport>(
            session, run, plan, clock, plan.modelledLinks ? LinkTimes::Real : LinkTimes::None);
        m_workers = [&plan, listener](int rank, const RunClock& runClock) {
            return Result<std::unique_ptr<Worker>>(
                makeTrainingWorker(plan, rank, makeCpuOps(runClock), listener));
        };
        return {};
    }
    if (backend != "emulated")
        return fail(ErrorCode::BadValue, "there is no backend " + backend + " for one process");
    m_planned = std::make_unique<PlanClock>(plan.schedule.devices());
    m_transport = std::make_unique<MpiTransport>(session, run, plan, clock, LinkTimes::Planned,
                                                 m_planned.get());
    m_workers = [this, &plan, &ended](int rank, const RunClock& runClock) {
        EmulatedDevice device;
        device.planned = m_planned.get();
        device.iterationStart = [this] { return m_transport->iterationStart(); };
        device.ended = [&ended] { return ended.requested(); };
        return Result<std::unique_ptr<Worker>>(
            makeEmulatedWorker(plan, rank, runClock, std::move(device)));
    };
    return {};
}

} // namespace pw::exec
