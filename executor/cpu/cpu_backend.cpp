// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cpu/cpu_backend.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "executor/api/environment.h"
#include "executor/api/runner.h"
#include "executor/cpu/cpu_gemm.h"
#include "executor/cpu/cpu_ops.h"
#include "executor/model/training.h"
#include "executor/transport/local.h"

#include <thread>
#include <unistd.h>

namespace pw::exec {

namespace {

/// A thread each.
constexpr int mostDevices = 1024;

int coreCount()
{
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

std::string coresText()
{
    const int cores = coreCount();
    return countText(cores, "core");
}

Bytes hostMemory()
{
    return static_cast<Bytes>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

class CpuBackend final : public Backend
{
public:
    BackendInfo info() const override
    {
        BackendInfo info;
        info.name = "cpu";
        const std::string processor = processorName();
        info.summary = std::string(cpuMathLibrary()) + " on " + coresText() +
                       (processor.empty() ? "" : " of " + processor) + ", " +
                       byteText(hostMemory());
        info.available = true;
        info.devices.assign(static_cast<std::size_t>(coreCount()),
                            {processor.empty() ? "CPU core" : processor, hostMemory()});
        info.notes = {"computes in 32-bit floats; devices share the memory",
                      "more devices than cores take turns, and their times are not those of "
                      "devices of their own"};
        return info;
    }

    Result<RunFigures> run(const RunPlan& plan, RunSink& sink, const Stop& stop) override
    {
        const int devices = plan.schedule.devices();
        if (devices > mostDevices)
            return fail(ErrorCode::BadValue, "the plan has %1 devices; the CPU takes at most %2",
                        devices, mostDevices);
        if (plan.model.element != Element::Float32)
            return fail(ErrorCode::BadValue,
                        "the plan computes in bfloat16; the CPU computes in 32-bit floats only");
        if (plan.model.tf32)
            return fail(ErrorCode::BadValue,
                        "the plan asks for TF32 products, which only the backend cuda has");
        PW_DO(cpu::prepareProducts());
        RunClock clock;
        LocalTransport transport(plan, clock,
                                 plan.modelledLinks ? LinkTimes::Real : LinkTimes::None);
        const auto worker = [&](RankId rank, const RunClock&) -> Result<std::unique_ptr<Worker>> {
            return makeTrainingWorker(plan, rank, makeCpuOps(clock), snapshotListener());
        };
        RunEnvironment environment = environmentHere("cpu", transport.name());
        environment.driver = std::string(cpuMathLibrary()) + "; " + environment.driver;
        environment.devices.assign(static_cast<std::size_t>(devices),
                                   {processorName(), hostMemory()});
        std::vector<std::string> notes;
        if (devices > coreCount())
            notes.push_back(std::to_string(devices) + " devices take turns on " + coresText() +
                            ": the results are right, the times are not those of devices of their "
                            "own");
        return runRanks(plan, worker, transport, clock, environment, sink, stop, notes);
    }
};

} // namespace

std::unique_ptr<Backend> makeCpuBackend()
{
    return std::make_unique<CpuBackend>();
}

} // namespace pw::exec
