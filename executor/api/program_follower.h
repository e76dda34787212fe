// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/gradient_clipping.h"

#include <memory>

namespace pw::exec {

class HintedOrder;

/// Follows the program of one rank, iteration after iteration: computes entries, posts, sends and
/// takes messages where they stand, exchanges gradients and weights, and makes the updates that do
/// not stand in the order. What each of these does in detail is in a class of its own.
class ProgramFollower
{
public:
    ProgramFollower(const RunShared& shared, RankPosition& position, Worker& worker,
                    Endpoint& endpoint, RankRecorder& recorder);
    ~ProgramFollower();
    ProgramFollower(const ProgramFollower&) = delete;
    ProgramFollower& operator=(const ProgramFollower&) = delete;

    /// One execution of the whole program. The device may come to its end later.
    Result<void> iterate();
    /// Logs what was clipped, and what went ahead of a hint, in all iterations.
    void logSummary();

private:
    Result<void> followOrder();
    Result<void> followHint();
    Result<void> exchangeMessages(std::size_t first, std::size_t last);
    Result<void> send(std::int32_t message);
    Result<void> receive(std::int32_t message);
    Result<void> exchangeCopies(std::int32_t reduction);
    Result<void> computeEntry(EntryId index);
    Result<void> compute(EntryId index, const OrderEntry& entry);
    Result<void> updateStages();

    const RunPlan& m_plan;
    const bool m_committed; ///< both sides of a message meet
    RankPosition& m_position;
    Endpoint& m_endpoint;
    RankRecorder& m_recorder;
    FaultInjector m_faults;
    PassRunner m_passes;
    PassMessages m_messages;
    ReplicaExchange m_replicas;
    EarlyForwards m_early;
    GradientClipping m_clipping;
    std::unique_ptr<HintedOrder> m_hint; ///< null where the order is kept
};

} // namespace pw::exec
