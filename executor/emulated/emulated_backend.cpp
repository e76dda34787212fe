// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/emulated/emulated_backend.h"

#include "executor/api/environment.h"
#include "executor/api/runner.h"
#include "executor/emulated/emulated_worker.h"
#include "executor/transport/local.h"

namespace pw::exec {

namespace {

/// A thread each; more would not keep time.
constexpr int mostDevices = 1024;

class EmulatedBackend final : public Backend
{
public:
    BackendInfo info() const override
    {
        BackendInfo info;
        info.name = "emulated";
        info.summary = "every pass holds its device for its modelled time; nothing is trained";
        info.available = true;
        info.notes = {"as many devices as asked for, up to " + std::to_string(mostDevices)};
        return info;
    }

    Result<RunFigures> run(const RunPlan& plan, RunSink& sink, const Stop& stop) override
    {
        const int devices = plan.schedule.devices();
        if (devices > mostDevices)
            return fail(ErrorCode::BadValue, "the plan has %1 devices; at most %2 are emulated",
                        devices, mostDevices);
        if (auto fine = pw::check(plan.costs, plan.schedule.spec()); !fine)
            return fail(fine.error());
        RunClock clock;
        PlanClock planned(devices);
        LocalTransport transport(plan, clock, LinkTimes::Planned, &planned);
        const auto worker = [&](RankId rank, const RunClock&) {
            EmulatedDevice device;
            device.planned = &planned;
            device.iterationStart = [&transport] { return transport.iterationStart(); };
            device.ended = [&] { return stop.requested() || transport.aborted(); };
            return Result<std::unique_ptr<Worker>>(
                makeEmulatedWorker(plan, rank, clock, std::move(device)));
        };
        RunEnvironment environment = environmentHere("emulated", transport.name());
        environment.devices.assign(static_cast<std::size_t>(devices), {"emulated device", 0});
        return runRanks(plan, worker, transport, clock, environment, sink, stop);
    }
};

} // namespace

std::unique_ptr<Backend> makeEmulatedBackend()
{
    return std::make_unique<EmulatedBackend>();
}

} // namespace pw::exec
