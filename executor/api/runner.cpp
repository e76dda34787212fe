// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/runner.h"

#include "core/base/text.h"
#include "core/io/pass_label.h"
#include "core/sim/simulator.h"
#include "core/system/machine.h"
#include "core/system/process.h"
#include "executor/api/rank_runner.h"
#include "executor/api/run_tally.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <system_error>
#include <thread>

namespace pw::exec {

namespace {

/// How often records go to the sink.
constexpr std::chrono::milliseconds rhythm(20);
/// How long a rank may take to end after the run has.
constexpr Ticks grace = 1'500 * ticksPerMs;

std::atomic<bool> leftBehind{false};

/// Says what has been written so far, and ends the process with its status. Ordinary ends destroy
/// what a thread that hangs still uses, and may wait for the driver that it hangs in.
void endAtOnce(int status)
{
    std::cout.flush();
    std::clog.flush();
    std::fflush(nullptr);
    sys::endProcess(status);
}

void noteLeftBehind()
{
    // What is registered last is called first: before the handlers of libraries that were loaded
    // until now, as those of a GPU's are.
    if (!leftBehind.exchange(true))
        sys::atEnd(endAtOnce, EXIT_FAILURE); // such a run has failed
}

/// Puts the losses of the micro-batches of a step together.
class LossSum
{
public:
    /// @param ranks  that losses come from
    LossSum(const RunPlan& plan, const std::vector<RankId>& ranks)
        : m_plan(plan)
    {
        const PipelineSpec& spec = plan.schedule.spec();
        for (int j = 0; j < spec.microBatches; ++j) {
            const DeviceId last = spec.device(spec.route(j), StageId(spec.stages() - 1));
            if (std::find(ranks.begin(), ranks.end(), rankOf(last)) != ranks.end())
                ++m_expected;
        }
    }

    /// The loss of the step, once its last micro-batch is in.
    std::optional<StepLoss> add(const RecordedLoss& record)
    {
        const PipelineSpec& spec = m_plan.schedule.spec();
        const int step = (record.iteration + m_plan.warmup) * spec.steps +
                         record.loss.microBatch / spec.microBatches;
        std::map<int, double>& parts = m_open[step];
        parts[record.loss.microBatch] = record.loss.loss;
        if (static_cast<int>(parts.size()) < m_expected)
            return {};
        // In the order of the micro-batches, so that two runs of one plan agree to the bit.
        double sum = 0;
        for (const auto& [microBatch, loss] : parts)
            sum += loss;
        m_open.erase(step);
        return StepLoss{step, sum / spec.microBatches};
    }

private:
    const RunPlan& m_plan;
    int m_expected = 0;
    std::map<int, std::map<int, double>> m_open; ///< by step, then by micro-batch
};

/// Everything that the threads of a run use; it lives as long as the last of them.
struct Ranks
{
    Ranks(const RunPlan& plan, const WorkerFactory& theWorkers, RunClock& clock, const Stop& stop,
          Ticks patience)
        : workers(theWorkers)
        , shared(plan, workers, clock, stop, patience)
    {
    }

    WorkerFactory workers;
    RunShared shared;
    std::vector<std::unique_ptr<RankRunner>> ranks;
};

/// The side of the calling thread: starts the ranks, hands records to the sink, watches.
class Run
{
public:
    Run(const RunPlan& plan, std::shared_ptr<Ranks> ranks, Transport& transport, RunSink& sink,
        const std::vector<RankId>& numbers)
        : m_plan(plan)
        , m_transport(transport)
        , m_ranks(std::move(ranks))
        , m_shared(m_ranks->shared)
        , m_sink(sink)
        , m_tally(plan, numbers)
        , m_losses(plan, numbers)
    {
    }
    /// Only a sink that throws leaves threads to be ended here.
    ~Run()
    {
        if (m_threads.empty())
            return;
        m_shared.ended.request();
        join();
    }

    Result<RunFigures> run()
    {
        start();
        watch();
        join();
        drain();
        return close();
    }

private:
    void start()
    {
        m_shared.running = static_cast<int>(m_ranks->ranks.size());
        m_threads.reserve(m_ranks->ranks.size());
        for (std::size_t i = 0; i < m_ranks->ranks.size(); ++i) {
            try {
                m_threads.emplace_back(
                    [ranks = m_ranks, runner = m_ranks->ranks[i].get()]() mutable {
                        runner->run();
                    });
            } catch (const std::system_error& failure) {
                refuseThreads(i, failure.code().message());
                return;
            }
        }
    }

    /// There is no room for another thread; those that have begun are ended.
    void refuseThreads(std::size_t from, const std::string& why)
    {
        RunFault fault;
        fault.rank = m_ranks->ranks[from]->rank();
        fault.text = "rank " + std::to_string(fault.rank) +
                     ": there is no memory for its thread, or there are too many: " + why;
        for (std::size_t i = from; i < m_ranks->ranks.size(); ++i)
            m_ranks->ranks[i]->notBegun();
        m_shared.fault(std::move(fault), ErrorCode::Fault);
    }

    /// Until all ranks have ended, or one does not.
    void watch()
    {
        Ticks endedAt = -1;
        for (;;) {
            {
                std::unique_lock lock(m_shared.mutex);
                m_shared.changed.wait_for(lock, rhythm, [&] { return m_shared.running == 0; });
                if (m_shared.running == 0)
                    return;
            }
            drain();
            const Ticks now = m_shared.clock.now();
            if (m_shared.stop.requested())
                m_shared.ended.request();
            if (!m_shared.ended.requested())
                lookForHungRank(now);
            else if (endedAt < 0)
                endedAt = now;
            else if (m_givenUp = now - endedAt > grace; m_givenUp)
                return;
        }
    }

    /// A pass that nobody waits for can hang, too. The ranks that wait for it come first.
    void lookForHungRank(Ticks now)
    {
        for (const auto& rank : m_ranks->ranks) {
            const Ticks since = rank->position().computingSince();
            if (since == 0 || now - since < m_shared.patience + m_shared.patience / 4)
                continue;
            RunFault fault;
            fault.rank = rank->rank();
            const std::int64_t place = rank->position().place();
            const std::string where = placeText(place, m_plan.schedule);
            fault.pass = place >= 0 ? where : "";
            fault.text = "rank " + std::to_string(fault.rank) + ", " + where +
                         ": has not ended after " + timeText(now - since);
            m_shared.fault(std::move(fault), ErrorCode::Fault);
            return;
        }
    }

    void join()
    {
        for (std::size_t i = 0; i < m_threads.size(); ++i) {
            const RankRunner& rank = *m_ranks->ranks[i];
            const Ticks limit = m_shared.clock.now() + grace;
            while (!rank.ended() && m_shared.clock.now() < limit && !m_givenUp)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (rank.ended()) {
                m_threads[i].join();
                continue;
            }
            m_givenUp = true;
            noteLeftBehind();
            m_threads[i].detach();
            m_stuck.push_back(rank.rank());
        }
        m_threads.clear();
    }

    template<typename Record, typename Add>
    std::vector<Record>& fetch(RecordQueue<Record> RankRecords::*queue, std::vector<Record>& batch,
                               Add add)
    {
        batch.clear();
        for (const auto& rank : m_ranks->ranks)
            (rank->records().*queue).fetch(batch);
        if (!batch.empty())
            add();
        return batch;
    }

    void drain()
    {
        fetch(&RankRecords::passes, m_passes, [&] {
            m_tally.add(m_passes);
            m_sink.passes(m_passes);
        });
        fetch(&RankRecords::messages, m_messages, [&] { m_sink.messages(m_messages); });
        fetch(&RankRecords::memory, m_memory, [&] {
            m_tally.add(m_memory);
            m_sink.memory(m_memory);
        });
        fetch(&RankRecords::copies, m_copies, [&] { m_sink.copies(m_copies); });
        fetch(&RankRecords::gpus, m_gpus, [&] { m_sink.gpus(m_gpus); });
        for (const RecordedLoss& loss : fetch(&RankRecords::losses, m_lossBatch, [] {})) {
            const std::optional<StepLoss> step = m_losses.add(loss);
            if (!step)
                continue;
            m_tally.add(*step);
            m_sink.loss(*step);
        }
        for (const RunLog& log : fetch(&RankRecords::logs, m_logs, [] {}))
            m_sink.log(log);
        for (RunLog& log : m_transport.said()) {
            log.time = m_shared.clock.now();
            m_sink.log(log);
        }
    }

    Result<RunFigures> close()
    {
        for (const RankId rank : m_stuck) {
            m_sink.log({m_shared.clock.now(), rank, LogLevel::Warning,
                        "rank " + std::to_string(rank) +
                            " did not end with the run; the process must end to be rid of it"});
        }
        const RunFigures figures = m_tally.figures();
        std::optional<RunFault> fault;
        std::optional<RunFault> cutWait;
        ErrorCode code = ErrorCode::Fault;
        {
            const std::lock_guard lock(m_shared.mutex);
            fault = m_shared.firstFault;
            cutWait = m_shared.cutWait;
            code = m_shared.firstCode;
            if (!fault && m_shared.exhausted.valid()) {
                fault.emplace();
                fault->rank = m_shared.exhausted;
                fault->text = "rank " + std::to_string(fault->rank) + ": out of memory";
            }
        }
        if (cutWait)
            m_sink.cutWait(*cutWait);
        if (fault) {
            m_sink.fault(*fault);
            m_sink.finished(RunStatus::Failed, figures);
            return fail(code, fault->text);
        }
        if (m_shared.ended.requested()) {
            m_sink.finished(RunStatus::Stopped, figures);
            return fail(ErrorCode::Cancelled, "the run was stopped");
        }
        m_sink.finished(RunStatus::Finished, figures);
        return figures;
    }

    const RunPlan& m_plan;
    Transport& m_transport;
    std::shared_ptr<Ranks> m_ranks;
    RunShared& m_shared;
    RunSink& m_sink;
    RunTally m_tally;
    LossSum m_losses;
    std::vector<std::thread> m_threads;
    bool m_givenUp = false;
    std::vector<RankId> m_stuck;

    std::vector<RecordedPass> m_passes;
    std::vector<RecordedMessage> m_messages;
    std::vector<MemorySample> m_memory;
    std::vector<RecordedCopy> m_copies;
    std::vector<GpuReading> m_gpus;
    std::vector<RecordedLoss> m_lossBatch;
    std::vector<RunLog> m_logs;
};

Result<void> checkFaults(const RunPlan& plan)
{
    const PipelineSpec& spec = plan.schedule.spec();
    for (const InjectedFault& fault : plan.faults) {
        const Pass& pass = fault.pass;
        const bool update = pass.kind == PassKind::U;
        const int numbers =
            update ? (spec.updates ? spec.updatesPerStage() : 0) : spec.totalMicroBatches();
        const auto wrong = [&](const std::string& why) {
            return fail(ErrorCode::BadValue, "the fault in %1: %2", passLabel(pass), why);
        };
        if (pass.stage < 0 || pass.stage >= spec.stages() || pass.segment < 0 ||
            pass.segment >= (update ? 1 : spec.segments()) || pass.microBatch < 0 ||
            pass.microBatch >= numbers)
            return wrong("the schedule has no such pass");
        const PassId id = plan.schedule.table().id(pass);
        if (!plan.schedule.has(id) || plan.schedule.kind(id) != pass.kind)
            return wrong("the schedule has no such pass");
        if (fault.iteration < -plan.warmup || fault.iteration >= plan.iterations)
            return wrong("the run has no iteration " + std::to_string(fault.iteration));
        const Pass real = plan.schedule.pass(id);
        const auto& messages = plan.program.messages;
        const bool sends =
            std::any_of(messages.begin(), messages.end(),
                        [&](const Message& message) { return message.producer == real; });
        if (!sends && (fault.kind == FaultKind::WrongTag || fault.kind == FaultKind::LoseMessage))
            return wrong("no other rank takes its result");
    }
    return {};
}

/// Follows the waiting from a rank to the one that holds everybody up: "; rank 2 is in PP:2F1 and
/// waits for rank 1; rank 1 is in PP:1F1".
std::string whereText(const std::vector<std::unique_ptr<RankRunner>>& ranks, RankId number,
                      const Schedule& schedule)
{
    std::string text;
    for (std::size_t hop = 0; hop < ranks.size(); ++hop) {
        const auto rank = std::find_if(ranks.begin(), ranks.end(), [&](const auto& candidate) {
            return candidate->rank() == number;
        });
        if (rank == ranks.end())
            break;
        text += "; rank " + std::to_string(number) + " is in " +
                placeText((*rank)->position().place(), schedule);
        number = (*rank)->position().peer();
        if (number.valid())
            text += " and waits for rank " + std::to_string(number);
    }
    return text;
}

/// How many threads share a core: those of the run, and what else the machine does. Beyond a few a
/// rank is waited for no longer: it may really be lost.
double sharersOfCore(int ranks)
{
    constexpr double most = 4;
    const unsigned cores = std::max(std::thread::hardware_concurrency(), 1U);
    return std::clamp((static_cast<double>(ranks) + sys::load()) / cores, 1.0, most);
}

Ticks patienceOf(const RunPlan& plan)
{
    if (plan.patience > 0)
        return plan.patience;
    const Result<SimResult> simulated = simulate(plan.schedule, plan.costs);
    const Ticks alone = defaultPatience(simulated ? simulated->makespan : 0);
    return static_cast<Ticks>(static_cast<double>(alone) * sharersOfCore(plan.schedule.devices()));
}

} // namespace

Result<RunFigures> runRanks(const RunPlan& plan, const WorkerFactory& workers, Transport& transport,
                            RunClock& clock, const RunEnvironment& environment, RunSink& sink,
                            const Stop& stop, std::span<const std::string> notes)
{
    if (auto fine = checkFaults(plan); !fine)
        return fail(fine.error());
    auto ranks = std::make_shared<Ranks>(plan, workers, clock, stop, patienceOf(plan));
    const std::vector<RankId> numbers = transport.ranks();
    for (const RankId rank : numbers) {
        Result<std::unique_ptr<Endpoint>> endpoint = transport.endpoint(rank);
        if (!endpoint)
            return fail(endpoint.error());
        ranks->ranks.push_back(
            std::make_unique<RankRunner>(ranks->shared, rank, std::move(*endpoint)));
    }
    ranks->shared.whereIs = [&all = ranks->ranks, &plan](RankId number) {
        return whereText(all, number, plan.schedule);
    };
    sink.started(plan, environment);
    for (const std::string& note : notes)
        sink.log({clock.now(), RankId::none(), LogLevel::Warning, note});
    return Run(plan, std::move(ranks), transport, sink, numbers).run();
}

bool ranksLeftBehind()
{
    return leftBehind.load();
}

} // namespace pw::exec
