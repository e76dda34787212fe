// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cpu/cpu_backend.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/system/machine.h"
#include "executor/api/environment.h"
#include "executor/api/runner.h"
#include "executor/cpu/cpu_gemm.h"
#include "executor/cpu/cpu_ops.h"
#include "executor/model/training.h"
#include "executor/transport/local.h"

#include <memory>
#include <thread>
#include <utility>
#include <vector>

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

/// The ranks of runs that are alike: their memory stays mapped from one to the next. To map and
/// clear a gigabyte takes longer than many a pass.
struct KeptRanks
{
    GptModel model;
    LayerSplit split;
    RunClock clock; ///< starts anew with each run
    std::vector<std::shared_ptr<Ops>> ops;

    bool serves(const RunPlan& plan) const
    {
        return model == plan.model && split == plan.split &&
               ops.size() == static_cast<std::size_t>(plan.schedule.devices());
    }
};

std::shared_ptr<KeptRanks> ranksFor(const RunPlan& plan)
{
    auto ranks = std::make_shared<KeptRanks>();
    ranks->model = plan.model;
    ranks->split = plan.split;
    for (int i = 0; i < plan.schedule.devices(); ++i)
        ranks->ops.push_back(makeCpuOps(ranks->clock));
    return ranks;
}

class CpuBackend final : public Backend
{
public:
    bool keepsMemory() const override { return true; }

    BackendInfo info() const override
    {
        BackendInfo info;
        info.name = "cpu";
        const std::string processor = sys::processorName();
        info.summary = std::string(cpuMathLibrary()) + " on " + coresText() +
                       (processor.empty() ? "" : " of " + processor) + ", " +
                       byteText(sys::memoryBytes());
        info.available = true;
        info.devices.assign(static_cast<std::size_t>(coreCount()),
                            {processor.empty() ? "CPU core" : processor, sys::memoryBytes()});
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
        // A run that fails, or leaves a rank behind, leaves nothing to the next.
        const std::shared_ptr<KeptRanks> kept = std::exchange(m_ranks, nullptr);
        const std::shared_ptr<KeptRanks> ranks =
            kept != nullptr && kept->serves(plan) ? kept : ranksFor(plan);
        ranks->clock = RunClock();
        for (const std::shared_ptr<Ops>& ops : ranks->ops)
            static_cast<void>(ops->takePeaks());
        LocalTransport transport(plan, ranks->clock,
                                 plan.modelledLinks ? LinkTimes::Real : LinkTimes::None);
        const auto worker =
            [this, &plan, ranks](RankId rank, const RunClock&) -> Result<std::unique_ptr<Worker>> {
            return makeTrainingWorker(plan, rank, ranks->ops[rank.index()], snapshotListener());
        };
        RunEnvironment environment = environmentHere("cpu", transport.name());
        environment.driver = std::string(cpuMathLibrary()) + "; " + environment.driver;
        environment.devices.assign(static_cast<std::size_t>(devices),
                                   {sys::processorName(), sys::memoryBytes()});
        std::vector<std::string> notes;
        if (devices > coreCount())
            notes.push_back(std::to_string(devices) + " devices take turns on " + coresText() +
                            ": the results are right, the times are not those of devices of their "
                            "own");
        Result<RunFigures> figures =
            runRanks(plan, worker, transport, ranks->clock, environment, sink, stop, notes);
        if (figures)
            m_ranks = ranks;
        return figures;
    }

private:
    std::shared_ptr<KeptRanks> m_ranks; ///< of the last run, where it ended well
};

} // namespace

std::unique_ptr<Backend> makeCpuBackend()
{
    return std::make_unique<CpuBackend>();
}

} // namespace pw::exec
