// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/program_follower.h"

#include <atomic>
#include <memory>

namespace pw::exec {

/// One rank of a run, on a thread of its own: makes its worker, goes through the iterations with
/// the other ranks, and reports how that ended. Who does the rest, and calls those below it:
///
/// - `ProgramFollower` goes through the program of the rank, once an iteration;
/// - `HintedOrder` chooses what runs next where the order is a hint;
/// - `GradientClipping` agrees on the norm of all gradients, and takes updates back;
/// - `EarlyForwards` does forwards again that did not wait for the norm;
/// - `ReplicaExchange` exchanges gradients and weights with other copies of a stage;
/// - `PassMessages` sends and takes results of passes;
/// - `PassRunner` has the worker compute a pass, or copy to the host;
/// - `FaultInjector` does wrong what a run was asked to do wrong;
/// - `RankRecorder` keeps what happened until its times are known;
/// - `RankPosition` says where the rank is, in its sentences and to other threads.
class RankRunner
{
public:
    RankRunner(RunShared& shared, RankId rank, std::unique_ptr<Endpoint> endpoint);

    /// The whole run; faults go to the shared state. Called on the rank's thread.
    void run() noexcept;
    /// Its thread could not be made: it has ended.
    void notBegun();

    RankId rank() const { return m_position.rank(); }
    RankRecords& records() { return m_records; }
    /// Of which other threads may read what it says they may.
    const RankPosition& position() const { return m_position; }
    bool ended() const { return m_ended.load(std::memory_order_acquire); }

private:
    void runAndReport();
    void report(const Error& error);
    Result<void> runAll();
    Result<void> begin();
    Result<void> iterate(int iteration);
    Result<void> finishIteration();
    Result<void> finish();
    void close();

    RunShared& m_shared;
    RankPosition m_position;
    RankRecords m_records;
    std::unique_ptr<Endpoint> m_endpoint;
    // From the begin of the run on.
    std::unique_ptr<Worker> m_worker;
    std::unique_ptr<RankRecorder> m_recorder;
    std::unique_ptr<ProgramFollower> m_program;
    std::atomic<bool> m_ended{false};
};

} // namespace pw::exec
