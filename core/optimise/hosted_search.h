// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/hosted_times.h"
#include "core/optimise/search_clock.h"
#include "core/optimise/turned_cells.h"

#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace pw {

/// An order, and the activations that go to the host's memory in it.
struct HostedOrder
{
    NodeOrders orders;
    std::vector<Pass> cells;
};

/// Looks for a better order with the copies to the host counted, and, where it may choose, for
/// better activations to copy: passes of a longest way, and others, go to other places of their
/// device, activations stay or go, and what is not worse than it was some steps ago is kept. What
/// is above a limit counts as longer, so a way to what fits leads through what does not.
///
/// @source late acceptance: Burke & Bykov 2017
class HostedSearch
{
public:
    /// Gets every order that fits and is better than all before.
    using Offer = std::function<void(const HostedOrder&)>;

    /// @param problem  of `base`; both and the costs outlive this
    /// @param choose   the cells may change
    HostedSearch(const OrderProblem& problem, const Schedule& base, const Costs& costs, bool choose,
                 std::uint64_t seed);

    /// An order to begin with; the best few are kept.
    void add(HostedOrder order);

    /// Searches until an objective is reached or the clock stops. @return orders looked at
    std::int64_t run(Ticks enough, SearchClock& clock, const Offer& offer);

    /// Looks at every order whose kinds of work keep their micro-batches in order, if there are few
    /// enough, and then with micro-batches turned round that differ in what goes; not for a search
    /// that chooses.
    /// @return how many; 0: there are too many, and none was looked at
    std::int64_t runAll(SearchClock& clock, const Offer& offer);

private:
    struct Start
    {
        double score = 0;
        bool fits = false;
        HostedOrder order;
    };

    double score() const;
    bool evaluate(const HostedOrder& order);
    void improve(const Start& start, std::int64_t patience, SearchClock& clock);
    void keep(const HostedOrder& order);
    bool change(HostedOrder& order);
    bool moveNode(NodeOrders& orders);
    std::int32_t chosenNode(const NodeOrders& orders);
    bool toggle(std::vector<Pass>& cells);
    void followWay();

    void lookAtAll(const std::vector<std::vector<std::vector<std::int32_t>>>& words,
                   const std::vector<Pass>& cells, SearchClock& clock);
    bool wordsOf(DeviceId device, std::size_t most,
                 std::vector<std::vector<std::int32_t>>& words) const;

    const OrderProblem& m_problem;
    HostedTimes m_times;
    bool m_choose;
    std::vector<Pass> m_given;
    TurnedCells m_turned;
    std::mt19937_64 m_random;
    std::vector<Pass> m_allCells;
    std::vector<Start> m_starts; // best first
    std::vector<std::int32_t> m_way;
    std::vector<std::int32_t> m_place;
    Ticks m_best = 0;
    Ticks m_enough = 0;
    double m_price = 3; ///< of an overload, in parts of the objective
    std::int64_t m_steps = 0;
    const Offer* m_offer = nullptr;
};

} // namespace pw
