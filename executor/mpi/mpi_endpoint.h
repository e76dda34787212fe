// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/mpi/mpi_arrivals.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pw::exec {

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
    Ids<RankId> ranks() const { return Ids<RankId>(m_ranks); }
    Result<void> leave(RankId to, MailHead head, const Packet& packet);

    Result<Arrival> exchange(MpiArrivals::Swap& theirs, MailHead head, RankId peer, Packet own,
                             const Patience& patience);

    template<typename Ready, typename What>
    Result<void> await(const Patience& patience, Ready ready, What what);
    Result<void> hold(const Transfer& transfer, const Patience& patience) const;

    std::shared_ptr<MpiTransport::State> m_state;
    MpiSession& m_session;
    const RunPlan& m_plan;
    const RankId m_rank;
    const int m_ranks;
    const bool m_committed;
    MpiArrivals m_come;
    std::int32_t m_barriers = 0;
};

} // namespace pw::exec
