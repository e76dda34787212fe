// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/pass_messages.h"
#include "executor/api/pass_runner.h"
#include "executor/api/rank_position.h"
#include "executor/api/rank_records.h"
#include "executor/api/replica_exchange.h"
#include "executor/api/run_shared.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pw::exec {

/// One rank of a run: follows its program with its worker and its endpoint, on a thread of its own.
class RankRunner
{
public:
    RankRunner(RunShared& shared, RankId rank, std::unique_ptr<Endpoint> endpoint);

    /// The whole run; faults go to the shared state. Called on the rank's thread.
    void run() noexcept;
    /// Its thread could not be made: it has ended.
    void notBegun();

    RankId rank() const { return m_rank; }
    DeviceId device() const { return deviceOf(m_rank); }
    RankRecords& records() { return m_records; }
    /// Of which other threads may read what it says they may.
    const RankPosition& position() const { return m_position; }
    bool ended() const { return m_ended.load(std::memory_order_acquire); }

private:
    void runAndReport();
    void close();
    Result<void> runAll();
    Result<void> begin();
    Result<void> iterate(int iteration);
    Result<void> instructions();
    Result<void> prepareHint();
    Result<void> instructionsByHint();
    Result<EntryId> chooseByHint();
    bool hintAllows(EntryId entry, std::size_t place) const;
    void noteHint();
    /// A forward of weights whose update may still be taken back.
    struct Early
    {
        EntryId index{0};
        OrderEntry entry;
        std::int32_t input = -1; ///< message, of weights that may be taken back, too; −1: none
        std::vector<std::int32_t> sent{}; ///< messages with its result
    };

    /// @param index  none: an update that does not stand in the order
    Result<void> compute(EntryId index, const OrderEntry& entry);
    Result<void> handOver(std::int32_t index);
    Result<void> receive(std::int32_t index);
    Result<void> meet(std::size_t first, std::size_t last);
    Result<void> computeInTurn(EntryId index);
    Result<void> reduce(std::int32_t index);
    Result<void> updates();
    Result<void> clip(int update);
    Result<double> factorOf(int round);
    Result<void> validate();
    bool runsAhead(const OrderEntry& entry) const;
    Result<void> validateIfKnown();
    Result<void> inputOrNorm(std::int32_t message);
    Result<void> confirm(std::int32_t message, Arrival& arrival);
    bool handsOnUnsure() const;
    Result<void> again(const std::vector<Early>& early);
    void noteClipping();
    Result<void> settle();
    Result<void> finish();

    void report(const Error& error);

    RunShared& m_shared;
    const RunPlan& m_plan;
    const RankId m_rank;
    RankPosition m_position;
    const bool m_committed;
    std::unique_ptr<Endpoint> m_endpoint;
    std::unique_ptr<Worker> m_worker;
    RankRecords m_records;
    FaultInjector m_faults;
    // From the begin of the run on.
    std::optional<RankRecorder> m_recorder;
    std::optional<PassRunner> m_passes;
    std::optional<PassMessages> m_messages;
    std::optional<ReplicaExchange> m_replicas;

    /// Of an order that is a hint; null where it is kept.
    struct Hint;
    std::shared_ptr<Hint> m_hint;
    std::int64_t m_wentAhead = 0; ///< passes of the run

    // Of clipping by the norm of all gradients.
    struct Validation
    {
        int update = 0;
        int round = 0;
    };
    int m_clipped = 0;                ///< updates of the iteration whose norm was asked for
    std::optional<Validation> m_open; ///< updates that were done without the norm
    bool m_lastClipped = false;       ///< whether the last update that is settled was
    std::vector<Early> m_early;       ///< since the open update, in turn
    std::int64_t m_norms = 0, m_scaled = 0, m_rolledBack = 0; ///< of the run
    std::int64_t m_ranAhead = 0, m_ranAgain = 0;              ///< forwards, of the run
    std::atomic<bool> m_ended{false};
};

} // namespace pw::exec
