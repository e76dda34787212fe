// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/order_bound.h"
#include "core/optimise/search_clock.h"

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace pw {

/// What a dispatcher prefers. The same for all micro-batches of a class, so that what is good for
/// the steady state holds in all of it.
struct DispatchRule
{
    /// By class: a node counts as if it could start this much later than it can.
    std::vector<Ticks> delay;
    /// By class: most forwards of the class whose backward is not over; what memory allows is less
    /// or equal.
    std::vector<std::int32_t> open;
};

/// Makes orders node by node: always on the device that can start one first, the class that its
/// rule prefers, as far as memory goes.
///
/// Room for the oldest micro-batch of a device is always left, so that it never gets stuck.
/// @source own; list scheduling
class OrderDispatcher
{
public:
    /// @param problem  symmetric; outlives this
    explicit OrderDispatcher(const OrderProblem& problem);

    /// Rules to begin with: backwards first, forwards as memory allows or fewer, W into gaps or
    /// behind their backwards.
    std::vector<DispatchRule> usualRules() const;

    /// A rule beside another one.
    DispatchRule changed(const DispatchRule& rule, std::mt19937_64& random) const;

    /// @return the order, or nothing where the rule gets stuck
    std::optional<NodeOrders> run(const DispatchRule& rule);

    /// Makes an order in which every node comes as near to its wished start as inputs and memory
    /// let it: the order of an older one, bent.
    ///
    /// @param wish  by node
    std::optional<NodeOrders> follow(const std::vector<Ticks>& wish);

    /// Objective of the order of the last run, if it came to an end.
    Ticks objective() const { return m_objective; }

private:
    struct Choice
    {
        int cls = -1;
        Ticks start = 0;
        Ticks turn = 0; ///< the device with the first one goes on
    };

    std::optional<NodeOrders> dispatch();

    Choice choose(DeviceId device) const;
    bool admits(DeviceId device, int cls, std::int32_t node) const;
    bool leavesRoom(DeviceId device, int cls, const HeldActivation& held) const;
    void place(DeviceId device, const Choice& choice);

    const OrderProblem& m_problem;
    std::vector<int> m_backwardOf;                  // by class of F: the backward's class, or −1
    std::vector<std::vector<std::int32_t>> m_fills; // by device: classes that add
    const DispatchRule* m_rule = nullptr;
    const std::vector<Ticks>* m_wish = nullptr;
    std::vector<std::int32_t> m_next;    // by class
    std::vector<std::int32_t> m_missing; // by node: inputs that are not placed
    std::vector<Ticks> m_ready;          // by node: when its inputs are there
    std::vector<Ticks> m_free;           // by device
    std::vector<HeldActivation> m_held;
    std::vector<Choice> m_choice;
    std::vector<bool> m_stale;
    NodeOrders m_orders;
    Ticks m_objective = 0;
};

/// Wishes for `OrderDispatcher::follow`: the starts of an order with some of them moved, by kind of
/// work, in a stretch of time, or one by one.
std::vector<Ticks> bentStarts(const OrderProblem& problem, std::vector<Ticks> starts,
                              std::mt19937_64& random);

/// The best order that rules lead to: the usual ones, then changes of the best for as long as the
/// clock runs.
std::optional<NodeOrders> dispatchOrder(const OrderProblem& problem, Ticks enough,
                                        std::uint64_t seed, std::int64_t patience,
                                        SearchClock& clock);

} // namespace pw
