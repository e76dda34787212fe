// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/turns.h"

#include "executor/cpu/cpu_ops.h"

#include <QtGlobal>

#include <algorithm>
#include <cmath>
#include <map>

namespace pw::test {

using namespace pw::exec;

namespace {

template<typename T>
T need(Result<T> result)
{
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return *std::move(result);
}

void need(const Result<void>& result)
{
    if (!result)
        qFatal("%s", result.error().message.c_str());
}

Bytes of(const MemoryNow& memory, MemoryUse use)
{
    return memory[static_cast<std::size_t>(use)];
}

class Turns
{
public:
    explicit Turns(const RunPlan& plan)
        : m_plan(plan)
        , m_spec(plan.schedule.spec())
    {
        for (const RankId rank : Ids<RankId>(m_spec.devices)) {
            std::unique_ptr<Ops> ops = makeCpuOps(m_clock);
            m_ops.push_back(ops.get());
            auto keep = [this](StageSnapshot seen) { m_run.snapshots.push_back(std::move(seen)); };
            m_workers.push_back(makeTrainingWorker(plan, rank, std::move(ops), keep));
            need(m_workers.back()->begin());
            m_run.begun.push_back(m_ops.back()->memory());
        }
        m_run.peakActivation.resize(m_workers.size());
        m_run.peakVersions.resize(m_workers.size());
    }

    TurnsRun run()
    {
        for (int i = -m_plan.warmup; i < m_plan.iterations; ++i)
            iterate(i);
        for (const Ops* ops : m_ops)
            m_run.ended.push_back(ops->memory());
        for (const auto& worker : m_workers) {
            for (const std::string& note : worker->notes())
                m_run.notes.push_back(note);
        }
        return std::move(m_run);
    }

private:
    void iterate(int iteration)
    {
        const std::size_t ranks = m_workers.size();
        for (const auto& worker : m_workers)
            need(worker->beginIteration(iteration));
        std::vector<std::size_t> next(ranks);
        m_mail.clear();
        m_sums.clear();
        bool moved = true;
        while (moved) {
            moved = false;
            for (std::size_t rank = 0; rank < ranks; ++rank) {
                const auto& list = m_plan.program.ranks[rank];
                while (next[rank] < list.size() && follow(rank, list[next[rank]])) {
                    ++next[rank];
                    moved = true;
                }
            }
        }
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            if (next[rank] < m_plan.program.ranks[rank].size())
                qFatal("rank %zu waits for ever", rank);
        }
        if (!m_spec.updates)
            updateAll();
        takeLosses();
    }

    /// Does one instruction; false where it has to wait.
    bool follow(std::size_t rank, const Instruction& instruction)
    {
        const auto index = static_cast<std::size_t>(instruction.index);
        Worker& worker = *m_workers[rank];
        switch (instruction.kind) {
        case InstructionKind::Compute:
            compute(rank, m_plan.schedule.entry(EntryId(instruction.index)));
            return true;
        case InstructionKind::Send:
            m_mail[instruction.index] = need(worker.take(m_plan.program.messages[index].producer));
            return true;
        case InstructionKind::Receive: {
            const auto mail = m_mail.find(instruction.index);
            if (mail == m_mail.end())
                return false;
            need(worker.deliver(m_plan.program.messages[index].producer, std::move(mail->second)));
            m_mail.erase(mail);
            return true;
        }
        case InstructionKind::Reduce:
            return reduce(rank, m_plan.program.reductions[index], instruction.index);
        case InstructionKind::Stow:
        case InstructionKind::Free:
        case InstructionKind::Fetch:
            need(worker.move(m_plan.program.moves[index], instruction.kind));
            return true;
        }
        return false;
    }

    void compute(std::size_t rank, const OrderEntry& entry)
    {
        const Computed done = need(m_workers[rank]->compute(entry));
        for (const MemoryNow& memory : {done.atStart, done.atEnd}) {
            const Bytes activation =
                of(memory, MemoryUse::Activations) + of(memory, MemoryUse::HeldForWeight);
            m_run.peakActivation[rank] = std::max(m_run.peakActivation[rank], activation);
            m_run.peakVersions[rank] =
                std::max(m_run.peakVersions[rank], of(memory, MemoryUse::Versions));
        }
        Q_ASSERT(m_workers[rank]->time(done.end) >= m_workers[rank]->time(done.start));
    }

    /// Each side hands its sums over when it comes here, and goes on once it has the other's.
    bool reduce(std::size_t rank, const Reduction& reduction, std::int32_t index)
    {
        for (int route = 0; route < 2; ++route) {
            if (reduction.ranks[route] == static_cast<int>(rank) &&
                m_sums.find({index, route}) == m_sums.end()) {
                m_sums[{index, route}] =
                    need(m_workers[rank]->gradients({route, reduction.stage}, reduction.update));
            }
        }
        if (m_sums.find({index, 0}) == m_sums.end() || m_sums.find({index, 1}) == m_sums.end())
            return false;
        for (int route = 0; route < 2; ++route) {
            if (reduction.ranks[route] == static_cast<int>(rank))
                need(m_workers[rank]->addGradients({route, reduction.stage}, reduction.update,
                                                   std::move(m_sums[{index, 1 - route}])));
        }
        return true;
    }

    void updateAll()
    {
        const auto chunks = chunksOfDevices(m_spec);
        for (std::size_t rank = 0; rank < chunks.size(); ++rank) {
            for (const HostedStage& hosted : chunks[rank]) {
                for (int update = 0; update < m_spec.updatesPerStage(); ++update)
                    compute(rank, single({PassKind::U, static_cast<std::uint8_t>(hosted.route),
                                          hosted.stage, update, 0}));
            }
        }
    }

    void takeLosses()
    {
        std::vector<double> steps(static_cast<std::size_t>(m_spec.steps));
        int count = 0;
        for (const auto& worker : m_workers) {
            for (const MicroBatchLoss& loss : worker->takeLosses()) {
                steps[static_cast<std::size_t>(loss.microBatch / m_spec.microBatches)] +=
                    loss.loss / m_spec.microBatches;
                ++count;
            }
        }
        if (count != m_spec.totalMicroBatches())
            qFatal("%d losses", count);
        m_run.losses.insert(m_run.losses.end(), steps.begin(), steps.end());
    }

    const RunPlan& m_plan;
    const PipelineSpec& m_spec;
    RunClock m_clock;
    std::vector<Ops*> m_ops;
    std::vector<std::unique_ptr<Worker>> m_workers;
    std::map<std::int32_t, Packet> m_mail;
    std::map<std::pair<std::int32_t, int>, Packet> m_sums; ///< by reduction and route
    TurnsRun m_run;
};

/// |a − b| ⁄ |b| over a tensor.
double relativeError(const float* a, const float* b, std::int64_t count)
{
    double difference = 0, size = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const double d = static_cast<double>(a[i]) - b[i];
        difference += d * d;
        size += static_cast<double>(b[i]) * b[i];
    }
    return difference == 0 ? 0 : std::sqrt(difference / size);
}

} // namespace

TurnsRun trainInTurns(const RunPlan& plan)
{
    return Turns(plan).run();
}

std::string compareWithReference(const TurnsRun& run, const RunPlan& plan, double limit,
                                 double* worst)
{
    const RunClock clock;
    const std::unique_ptr<Ops> ops = makeCpuOps(clock);
    const ReferenceRun truth = need(trainReference(plan, *ops));
    double most = 0;
    std::string wrong;
    auto note = [&](double error, const std::string& what) {
        if (!(error <= limit) && wrong.empty())
            wrong = what + ": relative error " + std::to_string(error);
        most = std::isnan(error) ? error : std::max(most, error);
    };
    if (run.losses.size() != truth.losses.size())
        return "number of losses";
    const int routes = plan.schedule.spec().routeCount();
    if (run.snapshots.size() != truth.snapshots.size() * static_cast<std::size_t>(routes))
        return "number of updates";
    for (const StageSnapshot& expected : truth.snapshots) {
        for (int route = 0; route < routes; ++route) {
            const auto got =
                std::find_if(run.snapshots.begin(), run.snapshots.end(), [&](const auto& each) {
                    return each.update == expected.update &&
                           each.stage == HostedStage{route, expected.stage.stage};
                });
            if (got == run.snapshots.end())
                return "an update is missing";
            for (const ParameterInfo& info :
                 parametersOf(plan.model, plan.split, expected.stage.stage)) {
                const std::string where = info.name + ", update " +
                                          std::to_string(expected.update) + ", route " +
                                          std::to_string(route);
                note(relativeError(&got->gradients[static_cast<std::size_t>(info.offset)],
                                   &expected.gradients[static_cast<std::size_t>(info.offset)],
                                   info.size()),
                     "gradient of " + where);
                note(relativeError(&got->parameters[static_cast<std::size_t>(info.offset)],
                                   &expected.parameters[static_cast<std::size_t>(info.offset)],
                                   info.size()),
                     where);
            }
        }
    }
    // A wrong gradient is the cause, a wrong loss comes of it.
    for (std::size_t i = 0; i < truth.losses.size(); ++i)
        note(std::abs(run.losses[i] - truth.losses[i]) / truth.losses[i],
             "loss of step " + std::to_string(i));
    if (worst != nullptr)
        *worst = most;
    return wrong;
}

} // namespace pw::test
