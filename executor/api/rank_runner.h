// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/gradient_clipping.h"
#include "executor/api/rank_position.h"
#include "executor/api/rank_records.h"
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
    /// @param index  none: an update that does not stand in the order
    Result<void> compute(EntryId index, const OrderEntry& entry);
    Result<void> handOver(std::int32_t index);
    Result<void> receive(std::int32_t index);
    Result<void> meet(std::size_t first, std::size_t last);
    Result<void> computeInTurn(EntryId index);
    Result<void> reduce(std::int32_t index);
    Result<void> updates();
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
    std::optional<EarlyForwards> m_early;
    std::optional<GradientClipping> m_clipping;

    /// Of an order that is a hint; null where it is kept.
    struct Hint;
    std::shared_ptr<Hint> m_hint;
    std::int64_t m_wentAhead = 0; ///< passes of the run

    std::atomic<bool> m_ended{false};
};

} // namespace pw::exec
