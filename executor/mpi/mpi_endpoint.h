// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/mpi/mpi_transport.h"
#include "executor/transport/wait_text.h"

#include <atomic>
#include <limits>
#include <memory>
#include <optional>
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

/// The rank of this process, as its thread sees the others.
class MpiEndpoint final : public Endpoint
{
public:
    explicit MpiEndpoint(std::shared_ptr<MpiTransport::State> state);

    Result<void> send(std::int32_t message, int iteration, Packet packet) override;
    Result<void> post(std::int32_t message, int iteration) override;
    Result<Arrival> wait(std::int32_t message, int iteration, const Patience& patience) override;
    Result<void> waitPosted(std::int32_t message, int iteration, const Patience& patience) override;
    Result<void> sendAgain(std::int32_t message, int iteration, Packet packet) override;
    Result<Arrival> waitAgain(std::int32_t message, int iteration,
                              const Patience& patience) override;
    Result<bool> hasCome(std::int32_t message, int iteration) override;
    Result<std::optional<Ticks>> thereAt(std::int32_t message, int iteration) override;
    Result<Arrival> exchange(std::int32_t reduction, int iteration, RankId peer, Packet own,
                             const Patience& patience) override;
    Result<Arrival> exchangeAgain(std::int32_t reduction, int iteration, RankId peer, Packet own,
                                  const Patience& patience) override;
    Result<void> tellAll(int round, int iteration, double number) override;
    Result<std::vector<double>> heardOfAll(int round, int iteration,
                                           const Patience& patience) override;
    Result<std::vector<std::optional<double>>> heardSoFar(int round, int iteration) override;
    Result<void> barrier(const Patience& patience) override;
    void abort() noexcept override;

private:
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

    /// What comes from one rank, in order.
    struct Line
    {
        std::vector<std::int32_t> messages; ///< in the order in which they are sent
        std::size_t next = 0;
        int iteration = never;
    };

    /// Gradients of another rank.
    struct Swap
    {
        Packet packet;
        Ticks sent = 0;
        Ticks came = 0;
        int sentIn = never;
    };

    Ids<RankId> ranks() const { return Ids<RankId>(m_ranks); }
    const Message& messageOf(std::int32_t message) const
    {
        return m_plan.program.messages[static_cast<std::size_t>(message)];
    }
    Box& boxOf(std::int32_t message) { return m_boxes[static_cast<std::size_t>(message)]; }
    Result<void> known(std::int32_t message, bool sends) const;
    Result<void> leave(RankId to, MailHead head, const Packet& packet);

    Result<Arrival> exchange(Swap& theirs, MailHead head, RankId peer, Packet own,
                             const Patience& patience);

    void collect();
    void hear(RankId from, int round, int iteration, double number);
    void take(Mail mail);
    void takeResult(Mail& mail, Ticks sent, Ticks came);
    void takeExchange(Mail& mail, Ticks sent, Ticks came);
    template<typename Ready, typename What>
    Result<void> await(const Patience& patience, Ready ready, What what);
    Result<void> hold(const Transfer& transfer, const Patience& patience) const;

    std::shared_ptr<MpiTransport::State> m_state;
    MpiSession& m_session;
    const RunPlan& m_plan;
    const RankId m_rank;
    const int m_ranks;
    const bool m_committed;
    std::vector<Box> m_boxes;       ///< by message; most stay empty
    std::vector<Line> m_lines;      ///< by sending rank
    std::vector<Swap> m_swaps;      ///< by reduction
    std::vector<Swap> m_swapsAgain; ///< by reduction; empty where nothing is exchanged twice
    std::vector<bool> m_here;       ///< rank 0: who has come to the barrier
    /// What ranks have told all others, by rank, then by round of the iteration at hand.
    std::vector<std::vector<std::optional<double>>> m_told;
    std::vector<int> m_toldIn; ///< by rank: iteration
    std::int32_t m_barriers = 0;
    bool m_opened = false;
    std::int32_t m_got = -1; ///< message that came in place of `m_due`
    std::int32_t m_due = -1;
    std::string m_problem;
};

} // namespace pw::exec
