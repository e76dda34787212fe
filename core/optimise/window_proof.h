// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/order_bound.h"
#include "core/optimise/search_clock.h"

#include <cstdint>
#include <vector>

namespace pw {

/// Proves that no order of a problem is as short as some time.
///
/// Were one, every node would have a window: from its head on, and early enough for its tail. Of
/// two nodes of a device, one that does not fit before the other stands behind it in every such
/// order; that makes heads and tails longer, which decides further pairs. Where a window gets
/// shorter than its node, there is no such order. What pairs alone do not say, trials may: a pair
/// is turned one way, and where that leaves no order, it stands the other way.
///
/// @source own, for classes in order; pairs: Carlier & Pinson 1989; trials: Martin & Shmoys 1996
class WindowProof
{
public:
    /// @param problem  symmetric, its aim the makespan; outlives this
    /// @param bound    of the problem
    WindowProof(const OrderProblem& problem, const OrderBound& bound);

    /// Pairs of nodes of all devices, either way round: what one look at everything takes.
    static std::int64_t pairsOf(const OrderProblem& problem);

    /// Whether pairs alone say that every order takes longer.
    /// @param work  steps that it may take, counted down; when there are none left it says no
    bool refutes(Ticks most, std::int64_t& work);

    /// The same with trials of all pairs that are open. @return false when the clock has run out
    bool refutesByTrial(Ticks most, SearchClock& clock);

private:
    struct Windows
    {
        std::vector<Ticks> head, tail; ///< by node
        /// By node and class of its device: how many are surely before it, and the first that is
        /// surely behind.
        std::vector<std::int32_t> lead, follow;
    };

    std::size_t cell(std::int32_t node, std::size_t local) const
    {
        return at(node) * m_stride + local;
    }
    std::size_t localOf(std::int32_t node) const { return m_local[at(m_problem.classOf(node))]; }

    void begin();
    bool settle();
    bool settleDevice(DeviceId device);
    bool raiseHeads(DeviceId device, bool& changed);
    bool raiseTails(DeviceId device, bool& changed);
    bool decide(DeviceId device, bool& changed);
    bool decideNode(std::int32_t node, std::size_t own, bool& changed);
    bool putBefore(std::int32_t first, std::int32_t second);
    bool fitsBefore(std::int32_t first, std::int32_t second) const;
    bool isTooLong(std::int32_t node) const;
    bool leavesNothing(std::int32_t first, std::int32_t second);
    bool tryPair(std::int32_t first, std::int32_t second, bool& changed);
    bool tryNode(std::int32_t node, bool& changed);
    void mark(DeviceId device);

    const OrderProblem& m_problem;
    const OrderBound& m_bound;
    std::size_t m_stride = 1;                       ///< classes of a device, at most
    std::vector<std::size_t> m_local;               ///< by class: its place on its device
    std::vector<std::vector<std::int32_t>> m_nodes; ///< by device, inputs first
    std::vector<std::int32_t> m_sorted;             ///< nodes of one device
    Windows m_windows, m_kept;
    Ticks m_most = 0;
    std::int64_t m_work = 0;
    std::vector<DeviceId> m_open; ///< devices that may change
    std::vector<char> m_isOpen;
};

/// The bound of a problem, raised to the least time that pairs of its nodes do not refute.
/// @complexity  limited: above it, what has been found
Ticks windowBound(const OrderProblem& problem, const OrderBound& bound);

} // namespace pw
