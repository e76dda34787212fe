// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/rank_recorder.h"

#include <cstdint>
#include <vector>

namespace pw::exec {

/// What one rank exchanges with the ranks that hold other copies of its stages, around an update:
/// sums of gradients, and shards of gradients or weights.
class ReplicaExchange
{
public:
    ReplicaExchange(const RunPlan& plan, RankPosition& position, Worker& worker, Endpoint& endpoint,
                    RankRecorder& recorder);

    /// An exchange of the program in which this rank takes part.
    /// @param unsure  what this rank hands on may still be taken back
    Result<void> exchange(std::int32_t reduction, bool unsure);

    /// It is known whether what went over unsure stays. Exchanges those weights once more where a
    /// side did not know the norm and all have clipped since; both sides know of which exchanges
    /// that holds. It waits until a rank goes on to a pass: by then its row of exchanges is done,
    /// which no other rank's second exchange has to wait for.
    /// @param clipped  whether the last update was
    Result<void> resolveUnsure(bool clipped);

private:
    /// One side of an exchange: this rank's, or one of both.
    Result<Packet> packetOf(const Reduction& reduction, int side);
    Result<void> takeIn(const Reduction& reduction, int side, Packet packet);
    Result<void> exchangeHere(const Reduction& reduction);
    Result<void> exchangeAgain(std::int32_t index);
    const Reduction& reductionAt(std::int32_t index) const;
    int ownSide(const Reduction& reduction) const;
    Pass updateOf(const Reduction& reduction) const;

    const RunPlan& m_plan;
    RankPosition& m_position;
    Worker& m_worker;
    Endpoint& m_endpoint;
    RankRecorder& m_recorder;
    /// Exchanges of the last update's weights in which a side did not know the norm.
    std::vector<std::int32_t> m_unsure;
};

} // namespace pw::exec
