// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_sink.h"
#include "executor/api/run_tally.h"
#include "executor/api/snapshot.h"
#include "executor/mpi/mpi_session.h"

#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace pw::exec {

/// How one process's part of a run ended.
struct PartEnd
{
    RunStatus status = RunStatus::Running; ///< not begun
    Error error;                           ///< unless finished
    std::optional<RunFault> fault;         ///< where it was this part that failed
    Ticks faultTime = 0;                   ///< on the run's clock
    std::optional<RunFault> cutWait;       ///< what it waited for at the end, in vain
};

/// Sends what a part of a run says to rank 0.
class RecordMailer final : public RunSink
{
public:
    /// @param clock  of the run; must outlive the object
    RecordMailer(MpiSession& session, std::int32_t run, const RunClock& clock)
        : m_session(session)
        , m_run(run)
        , m_clock(clock)
    {
    }

    void started(const RunPlan&, const RunEnvironment&) override {}
    void passes(std::span<const RecordedPass> batch) override;
    void messages(std::span<const RecordedMessage> batch) override;
    void memory(std::span<const MemorySample> batch) override;
    void copies(std::span<const RecordedCopy> batch) override;
    void gpus(std::span<const GpuReading> batch) override;
    void loss(const StepLoss& loss) override;
    void log(const RunLog& log) override;
    void fault(const RunFault& fault) override
    {
        m_end.fault = fault;
        m_end.faultTime = m_clock.now();
    }
    void cutWait(const RunFault& wait) override { m_end.cutWait = wait; }
    void finished(RunStatus status, const RunFigures&) override { m_end.status = status; }
    /// From any thread.
    void snapshot(const StageSnapshot& snapshot);
    /// The last of all.
    void end(const Result<RunFigures>& result);

private:
    void send(std::int32_t what, std::span<const std::byte> body);

    MpiSession& m_session;
    const std::int32_t m_run;
    const RunClock& m_clock;
    PartEnd m_end;
};

/// Puts the parts of a run together on rank 0, for one sink that hears one voice at a time. As a
/// sink it takes rank 0's own part.
class RecordMerger final : public RunSink
{
public:
    /// @param plan         must outlive the object, as must clock, sink and listener
    /// @param environment  of the run as a whole
    RecordMerger(const RunPlan& plan, const RunClock& clock, RunEnvironment environment,
                 RunSink& sink, const SnapshotListener& snapshots);

    void started(const RunPlan& plan, const RunEnvironment& own) override;
    void passes(std::span<const RecordedPass> batch) override;
    void messages(std::span<const RecordedMessage> batch) override;
    void memory(std::span<const MemorySample> batch) override;
    void copies(std::span<const RecordedCopy> batch) override;
    void gpus(std::span<const GpuReading> batch) override;
    void loss(const StepLoss& loss) override;
    void log(const RunLog& log) override;
    void fault(const RunFault& fault) override;
    void cutWait(const RunFault& wait) override;
    void finished(RunStatus status, const RunFigures& figures) override;
    void snapshot(StageSnapshot snapshot);
    /// Rank 0's own part is over.
    void end(const Result<RunFigures>& result);

    /// What another rank has sent.
    void take(Mail mail);
    /// Ranks whose part has not ended.
    std::vector<RankId> missing() const;
    /// Tells the sink how the run ended, all parts considered. Parts that are missing have failed.
    Result<RunFigures> close();

private:
    void put(const Mail& mail);
    const RunFault& rootOf(const PartEnd& first) const;
    void add(RankId rank, const StepLoss& part);

    mutable std::mutex m_mutex;
    const RunClock& m_clock;
    const RunEnvironment m_environment;
    RunSink& m_sink;
    const SnapshotListener& m_snapshots;
    RunTally m_tally;
    bool m_started = false;
    std::vector<std::optional<PartEnd>> m_ends; ///< by rank
    PartEnd m_own;
    int m_lossParts = 0; ///< ranks that have a part of every loss
    std::map<std::int32_t, std::map<RankId, double>> m_losses; ///< parts by step, then by rank
    std::deque<Mail> m_early;
};

} // namespace pw::exec
