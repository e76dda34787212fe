// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/order_problem.h"

#include <functional>
#include <random>
#include <vector>

namespace pw {

/// Which micro-batch has which activations on the host, where that is given and not the same for
/// all: then micro-batches of otherwise equal work differ, and may go through the pipeline in
/// another order. A search keeps the order of their numbers and exchanges the activations of two of
/// them; what it finds is then told with the numbers that make the activations those given.
///
/// Without such a difference, turning equal work round gains nothing; see `OrderProblem`.
///
/// @source own
class TurnedCells
{
public:
    /// @param problem  outlives this
    /// @param given    cells that go, sorted
    TurnedCells(const OrderProblem& problem, std::vector<Pass> given);

    /// Whether there is anything to exchange.
    bool any() const { return m_any; }

    /// Exchanges the cells of two micro-batches of one step and route.
    /// @return whether that changed anything
    bool turn(std::vector<Pass>& cells, std::mt19937_64& random) const;

    /// Calls `look` with every other way to give the cells to micro-batches, as long as it returns
    /// true.
    void forAll(const std::function<bool(const std::vector<Pass>&)>& look) const;

    /// The same order with numbers with which the cells are those given.
    NodeOrders told(const NodeOrders& orders, const std::vector<Pass>& cells) const;

private:
    /// What a micro-batch has on the host: a cell of micro-batch 0 each.
    using Pattern = std::vector<Pass>;

    std::vector<Pattern> patternsOf(const std::vector<Pass>& cells) const;
    std::vector<Pass> cellsOf(const std::vector<Pattern>& patterns) const;

    const OrderProblem& m_problem;
    std::vector<Pass> m_given;
    std::vector<std::vector<int>> m_groups; ///< micro-batches of a step and a route
    std::vector<int> m_groupOf;             ///< by micro-batch
    std::vector<int> m_rank;                ///< of a micro-batch in its group
    bool m_any = false;
};

} // namespace pw
