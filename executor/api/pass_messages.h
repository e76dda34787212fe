// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/fault_injector.h"
#include "executor/api/rank_recorder.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace pw::exec {

/// Results that passes of one rank hand to passes of others, and take from them: one message of the
/// program at a time, under its tag and with the iteration at hand.
class PassMessages
{
public:
    PassMessages(const RunPlan& plan, RankPosition& position, Worker& worker, Endpoint& endpoint,
                 const FaultInjector& faults, RankRecorder& recorder);

    /// The messages that an entry waits for; −1: none.
    using Inputs = std::array<std::int32_t, 2>;
    /// @param entry  of this rank
    const Inputs& inputsOf(EntryId entry) const;

    /// Hands a result over as soon as its pass has made it.
    /// @param optimistic  what it was made of may still be taken back
    /// @return  whether it left: it does not where the run was asked to lose it
    Result<bool> send(std::int32_t message, bool optimistic);
    /// Sends what replaces an optimistic result.
    Result<void> sendAgain(std::int32_t message);
    /// Waits until the receiver has come to a message that was sent.
    Result<void> waitPosted(std::int32_t message);

    /// Says that a message may come.
    Result<void> post(std::int32_t message);
    RankId sender(std::int32_t message) const { return messageAt(message).from; }
    /// Waits for it. The rank waits for the sender until it says otherwise
    /// (`RankPosition::endWait`).
    Result<Arrival> wait(std::int32_t message);
    /// Waits for what replaces it.
    Result<Arrival> waitAgain(std::int32_t message);
    /// Whether a wait would be over at once.
    Result<bool> hasCome(std::int32_t message);
    /// See `Endpoint::thereAt`.
    Result<std::optional<Ticks>> thereAt(std::int32_t message);
    /// Hands what has come to the worker.
    Result<void> accept(std::int32_t message, Arrival arrival);

private:
    const Message& messageAt(std::int32_t index) const;
    Result<Packet> take(const Pass& producer);

    const RunPlan& m_plan;
    const bool m_committed; ///< receives stand before the entries that need them
    RankPosition& m_position;
    Worker& m_worker;
    Endpoint& m_endpoint;
    const FaultInjector& m_faults;
    RankRecorder& m_recorder;
    std::vector<Inputs> m_inputs; ///< by entry less the first of the rank
};

} // namespace pw::exec
