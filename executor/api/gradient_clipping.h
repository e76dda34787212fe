// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/early_forwards.h"
#include "executor/api/replica_exchange.h"

#include <cstdint>
#include <optional>
#include <string>

namespace pw::exec {

/// Clips the gradients of one rank by the norm of all gradients, over all ranks.
///
/// All ranks tell their part of the norm when the gradients of an update are complete. Then either
/// the update waits for the parts of all others, or, with `RunPlan::postValidation`, it does not:
/// it is *open* until the norm is known, and is taken back and done again where the norm was above
/// the limit. Meanwhile forwards run ahead (`EarlyForwards`), and copies of a stage hand on weights
/// that may still be taken back (`ReplicaExchange`).
class GradientClipping
{
public:
    GradientClipping(const RunShared& shared, RankPosition& position, Worker& worker,
                     Endpoint& endpoint, PassMessages& messages, ReplicaExchange& replicas,
                     EarlyForwards& early);

    void beginIteration() { m_rounds = 0; }
    /// Before an entry where it stands in the order: the gradients are clipped before the first
    /// update of a step; before the first pass after the last one that is no forward it must be
    /// known whether that was right.
    Result<void> beforeEntry(const OrderEntry& entry);
    /// Before the updates of an iteration that do not stand in the order.
    Result<void> beforeUpdates();
    /// Before the weights of an update are handed on: what was updated without the norm goes
    /// nowhere before it is known, unless it is said to be so.
    Result<void> beforeWeights();
    /// At the end of an iteration everything must be known.
    Result<void> finishIteration();

    /// Whether an update was done of which it is not known whether it stays.
    bool isOpen() const { return m_open.has_value(); }
    /// While an update is open: waits for the input of a forward, or for the norm, whichever is
    /// first: who would send the input may wait for a result that this rank has to make again.
    Result<void> waitForInputOrNorm(std::int32_t message);
    /// A message has come. What its sender made too early is replaced where the update was taken
    /// back.
    Result<void> confirm(std::int32_t message, Arrival& arrival);

    /// What the run has clipped and taken back, in words, as rank 0 says it; none on other ranks,
    /// and where nothing was to be clipped.
    std::optional<std::string> note() const;

private:
    Result<void> clip(int update);
    Result<double> factorOf(int round);
    Result<void> validate();
    Result<void> validateIfKnown();
    bool runsAhead(const OrderEntry& entry) const;
    bool handsOnUnsure() const;

    struct OpenUpdate
    {
        int update = 0;
        int round = 0;
    };

    const RunShared& m_shared;
    const RunPlan& m_plan;
    const bool m_committed; ///< both sides of a message meet
    RankPosition& m_position;
    Worker& m_worker;
    Endpoint& m_endpoint;
    PassMessages& m_messages;
    ReplicaExchange& m_replicas;
    EarlyForwards& m_early;

    int m_rounds = 0;                 ///< updates of the iteration whose norm was asked for
    std::optional<OpenUpdate> m_open; ///< that was done without the norm
    bool m_lastClipped = false;       ///< whether the last update whose norm is known was
    std::int64_t m_norms = 0;         ///< of the run, as are these
    std::int64_t m_scaled = 0;
    std::int64_t m_takenBack = 0;
};

} // namespace pw::exec
