// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/order_problem.h"

#include <vector>

namespace pw {

/// A node that has to be over before another begins, and the time of the message between them.
struct OrderEdge
{
    std::int32_t from = 0, to = 0;
    Ticks delay = 0;
};

/// What must come before what in every order of a problem.
class OrderConstraints
{
public:
    /// @param problem  with its nodes, classes and limits; must outlive this
    explicit OrderConstraints(const OrderProblem& problem)
        : m_problem(problem)
    {
    }

    /// Who waits for whom, and of a symmetric problem the order of each class and what memory
    /// forces.
    std::vector<OrderEdge> edges(const Schedule& schedule, const Costs& costs);

private:
    void addDependencies(const Schedule& schedule, const Costs& costs);
    void addUpdates();
    void addClassOrder();
    void addMemoryOrder();
    void addMemoryOrderOf(int cls);

    const OrderProblem& m_problem;
    std::vector<OrderEdge> m_edges;
};

} // namespace pw
