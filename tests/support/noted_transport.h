// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/transport/local.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

namespace pw::test {

/// What ranks said to each other, in the order in which each came to it.
struct Noted
{
    using Pair = std::pair<RankId, RankId>;
    struct Exchange
    {
        int iteration;
        std::int32_t number;
        bool again;
        friend bool operator==(const Exchange&, const Exchange&) = default;
    };
    using Again = std::pair<int, std::int32_t>; ///< iteration, message

    std::mutex guard;
    std::map<Pair, std::vector<Again>> sent;         ///< once more; by sender and receiver
    std::map<Pair, std::vector<Again>> taken;        ///< the same, as they were waited for
    std::map<Pair, std::vector<Exchange>> exchanges; ///< by rank and peer
};

/// The ranks of a process, with notes of what is sent twice.
class NotedTransport final : public exec::Transport
{
public:
    NotedTransport(const exec::RunPlan& plan, const exec::RunClock& clock, Noted& noted)
        : m_plan(plan)
        , m_local(plan, clock)
        , m_noted(noted)
    {
    }
    std::string_view name() const override { return m_local.name(); }
    std::vector<RankId> ranks() const override { return m_local.ranks(); }
    Result<std::unique_ptr<exec::Endpoint>> endpoint(RankId rank) override
    {
        Result<std::unique_ptr<exec::Endpoint>> real = m_local.endpoint(rank);
        if (!real)
            return real;
        return std::make_unique<NotedEndpoint>(m_plan, rank, std::move(*real), m_noted);
    }

private:
    class NotedEndpoint final : public exec::Endpoint
    {
    public:
        NotedEndpoint(const exec::RunPlan& plan, RankId rank, std::unique_ptr<exec::Endpoint> real,
                      Noted& noted)
            : m_plan(plan)
            , m_rank(rank)
            , m_real(std::move(real))
            , m_noted(noted)
        {
        }
        Result<void> send(std::int32_t message, int iteration, exec::Packet packet) override
        {
            return m_real->send(message, iteration, std::move(packet));
        }
        Result<void> post(std::int32_t message, int iteration) override
        {
            return m_real->post(message, iteration);
        }
        Result<exec::Arrival> wait(std::int32_t message, int iteration,
                                   const exec::Patience& patience) override
        {
            return m_real->wait(message, iteration, patience);
        }
        Result<void> waitPosted(std::int32_t message, int iteration,
                                const exec::Patience& patience) override
        {
            return m_real->waitPosted(message, iteration, patience);
        }
        Result<void> sendAgain(std::int32_t message, int iteration, exec::Packet packet) override
        {
            note(m_noted.sent, message, iteration);
            return m_real->sendAgain(message, iteration, std::move(packet));
        }
        Result<exec::Arrival> waitAgain(std::int32_t message, int iteration,
                                        const exec::Patience& patience) override
        {
            note(m_noted.taken, message, iteration);
            return m_real->waitAgain(message, iteration, patience);
        }
        Result<bool> hasCome(std::int32_t message, int iteration) override
        {
            return m_real->hasCome(message, iteration);
        }
        Result<exec::Arrival> exchange(std::int32_t reduction, int iteration, RankId peer,
                                       exec::Packet own, const exec::Patience& patience) override
        {
            note(peer, {iteration, reduction, false});
            return m_real->exchange(reduction, iteration, peer, std::move(own), patience);
        }
        Result<exec::Arrival> exchangeAgain(std::int32_t reduction, int iteration, RankId peer,
                                            exec::Packet own,
                                            const exec::Patience& patience) override
        {
            note(peer, {iteration, reduction, true});
            return m_real->exchangeAgain(reduction, iteration, peer, std::move(own), patience);
        }
        Result<void> tellAll(int round, int iteration, double number) override
        {
            return m_real->tellAll(round, iteration, number);
        }
        Result<std::vector<double>> heardOfAll(int round, int iteration,
                                               const exec::Patience& patience) override
        {
            return m_real->heardOfAll(round, iteration, patience);
        }
        Result<std::vector<std::optional<double>>> heardSoFar(int round, int iteration) override
        {
            return m_real->heardSoFar(round, iteration);
        }
        Result<void> barrier(const exec::Patience& patience) override
        {
            return m_real->barrier(patience);
        }
        void abort() noexcept override { m_real->abort(); }

    private:
        void note(std::map<Noted::Pair, std::vector<Noted::Again>>& where, std::int32_t message,
                  int iteration)
        {
            const Message& what = m_plan.program.messages[static_cast<std::size_t>(message)];
            const std::lock_guard lock(m_noted.guard);
            where[{what.from, what.to}].emplace_back(iteration, message);
        }
        void note(RankId peer, Noted::Exchange exchange)
        {
            const std::lock_guard lock(m_noted.guard);
            m_noted.exchanges[{m_rank, peer}].push_back(exchange);
        }

        const exec::RunPlan& m_plan;
        RankId m_rank;
        std::unique_ptr<exec::Endpoint> m_real;
        Noted& m_noted;
    };

    const exec::RunPlan& m_plan;
    exec::LocalTransport m_local;
    Noted& m_noted;
};

} // namespace pw::test
