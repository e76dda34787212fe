// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/mpi_rank.h"

#include "core/base/try.h"
#include "core/system/machine.h"
#include "executor/api/environment.h"
#include "executor/api/module.h"
#include "executor/backends/backends.h"
#include "executor/cpu/cpu_ops.h"
#include "executor/emulated/emulated_worker.h"
#include "executor/model/training.h"
#include "executor/mpi/mpi_transport.h"

#include <algorithm>
#include <deque>

namespace pw::exec {

namespace {

/// Ranks whose results travel by MPI.
class HostRank final : public RankParts
{
public:
    HostRank(std::unique_ptr<MpiTransport> transport, WorkerFactory workers)
        : m_transport(std::move(transport))
        , m_workers(std::move(workers))
    {
    }
    const WorkerFactory& workers() const override { return m_workers; }
    Transport& transport() override { return *m_transport; }

private:
    std::unique_ptr<MpiTransport> m_transport;
    WorkerFactory m_workers;
};

/// How many processes of lower rank are on the same host: which of its devices is this one's.
int placeOnHost(const MpiSession& session)
{
    const auto& hosts = session.hosts();
    const auto own = hosts.begin() + session.rank();
    return static_cast<int>(std::count(hosts.begin(), own, *own));
}

/// The GPU that is probably this process's own; which it is the processes agree on when the run is
/// set up (`makeCudaRank`), since each may see others.
Result<RunDevice> gpuOf(const MpiSession& session)
{
    PW_TRY(const std::unique_ptr<Backend> backend, openBackend("cuda", 1));
    const std::vector<RunDevice> devices = backend->info().devices;
    const auto place = static_cast<std::size_t>(placeOnHost(session));
    return devices[std::min(place, devices.size() - 1)];
}

/// Bytes of one rank for all of the plan, in the order of the calls.
class Sharing
{
public:
    Sharing(MpiSession& session, std::int32_t run, int ranks, const Stop& ended)
        : m_session(session)
        , m_run(run)
        , m_ranks(ranks)
        , m_ended(ended)
    {
    }

    Result<void> operator()(std::span<std::byte> bytes, RankId root)
    {
        if (root == m_session.rank()) {
            for (const RankId to : Ids<RankId>(m_ranks)) {
                if (to != root)
                    m_session.send(to, {.kind = MailKind::Shared, .run = m_run}, bytes);
            }
            return {};
        }
        constexpr Ticks limit = 60'000 * ticksPerMs;
        const Patience patience{m_ended, limit, "the start of NCCL"};
        // Another root may be ahead: its mail waits for its call.
        for (;;) {
            const auto found = std::find_if(m_early.begin(), m_early.end(),
                                            [&](const Mail& mail) { return mail.from == root; });
            if (found != m_early.end()) {
                const std::string_view text = found->text();
                const bool fits = text.size() == bytes.size();
                if (fits)
                    std::copy_n(text.data(), text.size(), reinterpret_cast<char*>(bytes.data()));
                m_early.erase(found);
                return fits ? Result<void>() : fail(ErrorCode::Fault, "the bytes are others");
            }
            PW_TRY(Mail mail, m_session.wait(MailKind::Shared, patience));
            if (mail.head.run == m_run)
                m_early.push_back(std::move(mail));
        }
    }

private:
    MpiSession& m_session;
    std::int32_t m_run;
    int m_ranks;
    const Stop& m_ended;
    std::deque<Mail> m_early;
};

Result<std::unique_ptr<RankParts>> makeGpuRank(RankRequest request)
{
    PW_TRY(void* const found, loadModule("pipewright-cuda", "pw_cuda_rank"));
    Error problem;
    const auto factory = reinterpret_cast<RankPartsFactory>(found);
    std::unique_ptr<RankParts> parts(factory(moduleAbi, request, problem));
    if (!parts)
        return fail(problem);
    return parts;
}

} // namespace

Result<RunDevice> deviceOf(const std::string& backend, const RunPlan& plan,
                           const MpiSession& session)
{
    const std::string& host = session.hosts()[session.rank().index()];
    if (backend == "emulated") {
        if (auto fine = pw::check(plan.costs, plan.schedule.spec()); !fine)
            return fail(fine.error());
        return RunDevice{"emulated device on " + host, 0};
    }
    if (backend == "cpu") {
        if (plan.model.element != Element::Float32)
            return fail(ErrorCode::BadValue, "the CPU computes in fp32 only, not in bf16");
        if (plan.model.tf32)
            return fail(ErrorCode::BadValue,
                        "the plan asks for TF32 products, which only the backend cuda has");
        return RunDevice{sys::processorName() + " on " + host, 0};
    }
    if (backend == "cuda") {
        Result<RunDevice> gpu = gpuOf(session);
        if (gpu)
            gpu->name += " on " + host;
        return gpu;
    }
    return fail(ErrorCode::BadValue,
                "the backend %1 does not run over several processes; cpu, emulated and cuda do",
                backend);
}

RunEnvironment environmentOf(const std::string& backend)
{
    RunEnvironment environment = environmentHere(backend, "mpi");
    if (backend == "cpu")
        environment.driver +=
            (environment.driver.empty() ? "" : ", ") + std::string(cpuMathLibrary());
    return environment;
}

Result<std::unique_ptr<RankParts>> makeMpiRank(const std::string& backend, const RunPlan& plan,
                                               MpiSession& session, std::int32_t run,
                                               const RunClock& clock, const Stop& ended,
                                               const SnapshotListener& listener)
{
    const LinkTimes links = plan.modelledLinks ? LinkTimes::Real : LinkTimes::None;
    if (backend == "cpu") {
        auto transport = std::make_unique<MpiTransport>(session, run, plan, clock, links);
        return std::make_unique<HostRank>(
            std::move(transport), [&plan, listener](RankId rank, const RunClock& runClock) {
                return Result<std::unique_ptr<Worker>>(
                    makeTrainingWorker(plan, rank, makeCpuOps(runClock), listener));
            });
    }
    if (backend == "cuda") {
        RankRequest request;
        request.plan = &plan;
        request.rank = session.rank();
        request.deviceOfHost = placeOnHost(session);
        request.clock = &clock;
        request.host = std::make_unique<MpiTransport>(session, run, plan, clock, links, nullptr,
                                                      MpiCarries::Heads);
        request.broadcast = Sharing(session, run, plan.schedule.devices(), ended);
        request.listener = listener;
        request.ended = &ended;
        return makeGpuRank(std::move(request));
    }
    if (backend != "emulated")
        return fail(ErrorCode::BadValue, "there is no backend %1 for one process", backend);
    auto planned = std::make_shared<PlanClock>(plan.schedule.devices());
    auto transport = std::make_unique<MpiTransport>(session, run, plan, clock, LinkTimes::Planned,
                                                    planned.get());
    MpiTransport* const met = transport.get();
    return std::make_unique<HostRank>(
        std::move(transport), [met, planned, &plan, &ended](RankId rank, const RunClock& runClock) {
            EmulatedDevice device;
            device.planned = planned.get();
            device.iterationStart = [met] { return met->iterationStart(); };
            device.ended = [&ended] { return ended.requested(); };
            return Result<std::unique_ptr<Worker>>(
                makeEmulatedWorker(plan, rank, runClock, std::move(device)));
        });
}

} // namespace pw::exec
