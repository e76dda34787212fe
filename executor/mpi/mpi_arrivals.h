// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/mpi/mpi_transport.h"
#include "executor/mpi/told_numbers.h"
#include "executor/transport/wait_text.h"

#include <atomic>
#include <limits>
#include <string>
#include <vector>

namespace pw::exec {

/// What the endpoint asks of the run, and what it tells the transport.
struct MpiTransport::State
{
    State(MpiSession& theSession, std::int32_t theRun, const RunPlan& thePlan,
          const RunClock& theClock, LinkTimes times, PlanClock* thePlanned, MpiCarries theCarries);

    MpiSession& session;
    const std::int32_t run;
    const RunPlan& plan;
    const RunClock& clock;
    const LinkModel links;
    PlanClock* const planned;
    const MpiCarries carries;
    const Ticks ahead; ///< of the run's clock, before the session's
    std::atomic<Ticks> iterationStart{0};
};

/// What has come from other ranks, put where whoever waits for it looks.
class MpiArrivals
{
public:
    /// Flags of the head of a result.
    static constexpr std::int32_t optimisticFlag = 1; ///< `Packet::optimistic`
    static constexpr std::int32_t againFlag = 2;      ///< replaces such a one
    static constexpr int never = std::numeric_limits<int>::min();

    /// Place of a message of this rank, in either direction.
    struct Box
    {
        Packet packet;
        MessageSides sides;
        Ticks came = 0;       ///< on the run's clock
        int sentIn = never;   ///< iteration
        int postedIn = never; ///< iteration
        // What replaces an optimistic packet.
        Packet again;
        Ticks againSent = 0;
        Ticks againCame = 0;
        int againIn = never; ///< iteration
    };

    /// Gradients of another rank.
    struct Swap
    {
        Packet packet;
        Ticks sent = 0;
        Ticks came = 0;
        int sentIn = never;
    };

    explicit MpiArrivals(MpiTransport::State& state);

    /// Puts all that has come into its place.
    void collect();
    /// Whether a message is one that this rank sends, or takes.
    Result<void> known(std::int32_t message, bool sends) const;
    const Message& message(std::int32_t message) const
    {
        return m_plan.program.messages[static_cast<std::size_t>(message)];
    }
    Box& box(std::int32_t message) { return m_boxes[static_cast<std::size_t>(message)]; }
    /// Gradients of a reduction, or what replaces them.
    Swap& swap(std::int32_t reduction, bool again)
    {
        return (again ? m_swapsAgain : m_swaps)[static_cast<std::size_t>(reduction)];
    }
    ToldNumbers& told() { return m_told; }

    /// What cannot be; empty: nothing.
    const std::string& problem() const { return m_problem; }
    /// Whether a message has come in place of another, and which.
    bool outOfOrder() const { return m_got >= 0; }
    std::int32_t got() const { return m_got; }
    std::int32_t due() const { return m_due; }

    /// Rank 0: a rank has come to the barrier.
    void come(RankId rank) { m_here[rank.index()] = true; }
    /// Rank 0: "rank 2, rank 3"; empty where all have come.
    std::string missing() const;
    /// Rank 0: nobody has come to the next barrier yet.
    void leaveBarrier() { m_here.assign(m_here.size(), false); }
    /// Other ranks: whether rank 0 has opened the barrier since it was closed.
    bool opened() const { return m_opened; }
    void closeBarrier() { m_opened = false; }

private:
    /// What comes from one rank, in order.
    struct Line
    {
        std::vector<std::int32_t> messages; ///< in the order in which they are sent
        std::size_t next = 0;
        int iteration = never;
    };

    void take(Mail mail);
    void takeResult(Mail& mail, Ticks sent, Ticks came);
    void takeExchange(Mail& mail, Ticks sent, Ticks came);

    MpiTransport::State& m_state;
    MpiSession& m_session;
    const RunPlan& m_plan;
    const RankId m_rank;
    std::vector<Box> m_boxes;       ///< by message; most stay empty
    std::vector<Line> m_lines;      ///< by sending rank
    std::vector<Swap> m_swaps;      ///< by reduction
    std::vector<Swap> m_swapsAgain; ///< by reduction; empty where nothing is exchanged twice
    std::vector<bool> m_here;       ///< rank 0: who has come to the barrier
    ToldNumbers m_told;
    bool m_opened = false;
    std::int32_t m_got = -1; ///< message that came in place of `m_due`
    std::int32_t m_due = -1;
    std::string m_problem;
};

} // namespace pw::exec
