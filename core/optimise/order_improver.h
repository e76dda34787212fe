// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/order_times.h"
#include "core/optimise/search_clock.h"

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace pw {

/// Improves an order step by step: a pass at the edge of a busy stretch of the critical path goes
/// before the stretch or behind it, the best such move that was not just undone is made, better or
/// not, and the best order is kept.
///
/// @source tabu search on blocks: Nowicki & Smutnicki 1996, Balas & Vazacopoulos 1998; memory and
///         messages are own
class OrderImprover
{
public:
    /// @param problem  outlives this
    OrderImprover(const OrderProblem& problem, std::uint64_t seed);

    /// The best order so far.
    const NodeOrders& best() const { return m_best; }
    Ticks bestObjective() const { return m_bestObjective; }
    std::int64_t steps() const { return m_steps; }

    /// Begins with an order. @return false where it does not fit, or devices wait in a ring
    bool begin(NodeOrders start);

    /// Makes moves until nothing has been gained for `patience` of them, an objective is reached,
    /// or the clock stops.
    void run(Ticks enough, std::int64_t patience, SearchClock& clock);

    /// Goes back to the best order and makes some moves at random.
    void shake(int moves);

private:
    /// Takes the node at one place of a device to another.
    struct Move
    {
        DeviceId device;
        int from = 0, to = 0;
        Ticks estimate = 0;
    };
    struct Block
    {
        DeviceId device{0};
        int first = 0, last = 0;
    };

    void findBlocks();
    void consider(DeviceId device, int from, int to);
    void considerBlock(const Block& block);
    bool later(DeviceId device, int from, int to, Ticks& estimate);
    bool sooner(DeviceId device, int from, int to, Ticks& estimate);
    /// Whether memory allows a device's places `first` … to hold the nodes of m_window.
    bool windowFits(DeviceId device, int first) const;
    Ticks windowEstimate(DeviceId device, int first, int last);
    bool make(const Move& move);
    void refreshLevels(DeviceId device, int first, int last);

    const OrderProblem& m_problem;
    OrderTimes m_times;
    std::mt19937_64 m_random;
    NodeOrders m_orders, m_best;
    Ticks m_bestObjective = 0;
    std::vector<std::vector<HeldActivation>> m_levels; // held before each place
    std::vector<Block> m_blocks;
    std::vector<std::int32_t> m_window;
    std::vector<Ticks> m_windowStart;
    std::vector<std::int64_t> m_tabu; // by node: the step until which it stays
    Move m_chosen, m_fallback;
    int m_ties = 0;
    int m_reach = 0;
    std::int64_t m_steps = 0;
};

} // namespace pw
