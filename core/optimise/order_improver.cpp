// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/order_improver.h"

#include <algorithm>

namespace pw {

namespace {

/// Places that a node goes at most: far enough for a W to the end of a long stretch.
constexpr int longestMove = 300;
constexpr int shortestTabu = 4;

} // namespace

OrderImprover::OrderImprover(const OrderProblem& problem, std::uint64_t seed)
    : m_problem(problem)
    , m_times(problem)
    , m_random(seed)
    , m_tabu(at(problem.nodes()), 0)
    , m_reach(longestMove)
{
}

bool OrderImprover::begin(NodeOrders start)
{
    if (!m_problem.fits(start) || !m_problem.inOrder(start) || !m_times.evaluate(start))
        return false;
    m_orders = std::move(start);
    m_levels.resize(m_orders.size());
    for (std::size_t device = 0; device < m_orders.size(); ++device) {
        m_levels[device].assign(m_orders[device].size() + 1, {});
        refreshLevels(DeviceId(device), 0, static_cast<int>(m_orders[device].size()) - 1);
    }
    std::fill(m_tabu.begin(), m_tabu.end(), 0);
    m_best = m_orders;
    m_bestObjective = m_times.objective();
    return true;
}

void OrderImprover::refreshLevels(DeviceId device, int first, int last)
{
    auto& levels = m_levels[at(device)];
    for (int i = first; i <= last; ++i) {
        const std::int32_t node = m_orders[at(device)][at(i)];
        HeldActivation held = levels[at(i)];
        held += m_problem.adds(node);
        held += m_problem.gives(node);
        levels[at(i) + 1] = held;
    }
}

/// Follows one longest way back from the end, and cuts it into stretches of one device without
/// idle time.
void OrderImprover::findBlocks()
{
    m_blocks.clear();
    std::int32_t node = -1;
    int ties = 0;
    for (std::size_t device = 0; device < m_orders.size(); ++device) {
        if (m_orders[device].empty())
            continue;
        const std::int32_t last = m_orders[device].back();
        if (m_times.end(last) + m_times.tail(last) != m_times.objective())
            continue;
        if (m_random() % static_cast<unsigned>(++ties) == 0)
            node = last;
    }
    Block block{DeviceId::none(), 0, 0};
    while (node >= 0) {
        const DeviceId device = m_problem.device(node);
        const int place = m_times.place(node);
        if (block.device < 0)
            block = {device, place, place};
        block.first = place;
        const Ticks start = m_times.start(node);
        const std::int32_t previous = m_times.previous(node);
        const bool adjacent = previous >= 0 && m_times.end(previous) == start;
        std::int32_t from = -1;
        for (const OrderProblem::Arc& arc : m_problem.inputs(node)) {
            if (m_times.end(arc.node) + arc.delay == start)
                from = arc.node;
        }
        if (adjacent && (from < 0 || m_random() % 2 == 0)) {
            node = previous;
            continue;
        }
        m_blocks.push_back(block);
        block.device = DeviceId::none();
        node = from;
    }
    if (block.device >= 0)
        m_blocks.push_back(block);
}

bool OrderImprover::windowFits(DeviceId device, int first) const
{
    HeldActivation held = m_levels[at(device)][at(first)];
    const HeldActivation& limit = m_problem.limit(device);
    for (const std::int32_t node : m_window) {
        held += m_problem.adds(node);
        if (!held.within(limit))
            return false;
        held += m_problem.gives(node);
    }
    return true;
}

/// The longest way through any node of the window, with everything outside as it is.
Ticks OrderImprover::windowEstimate(DeviceId device, int first, int last)
{
    const auto& order = m_orders[at(device)];
    const std::size_t count = m_window.size();
    m_windowStart.resize(count);
    Ticks free = first > 0 ? m_times.end(order[at(first - 1)]) : 0;
    for (std::size_t i = 0; i < count; ++i) {
        m_windowStart[i] = std::max(free, m_times.inputsReady(m_window[i]));
        free = m_windowStart[i] + m_problem.time(m_window[i]);
    }
    Ticks tail = 0;
    if (last + 1 < static_cast<int>(order.size())) {
        const std::int32_t next = order[at(last + 1)];
        tail = m_problem.time(next) + m_times.tail(next);
    } else {
        tail = m_problem.aim() == OrderAim::Span ? -m_times.start(order.front()) : 0;
    }
    Ticks most = 0;
    for (std::size_t i = count; i-- > 0;) {
        const std::int32_t node = m_window[i];
        tail = std::max(tail, m_times.outputsTail(node));
        most = std::max(most, m_windowStart[i] + m_problem.time(node) + tail);
        tail += m_problem.time(node);
    }
    return most;
}

bool OrderImprover::later(DeviceId device, int from, int to, Ticks& estimate)
{
    const auto& order = m_orders[at(device)];
    const std::int32_t node = order[at(from)];
    for (const std::int32_t next : m_problem.behind(node)) {
        if (m_times.place(next) <= to)
            return false;
    }
    // A way from what waits for the node to the last one that passes it would close a ring.
    for (const OrderProblem::Arc& arc : m_problem.outputs(node)) {
        if (m_times.end(arc.node) <= m_times.start(order[at(to)]))
            return false;
    }
    m_window.assign(order.begin() + from + 1, order.begin() + to + 1);
    m_window.push_back(node);
    if (!windowFits(device, from))
        return false;
    estimate = windowEstimate(device, from, to);
    return true;
}

bool OrderImprover::sooner(DeviceId device, int from, int to, Ticks& estimate)
{
    const auto& order = m_orders[at(device)];
    const std::int32_t node = order[at(from)];
    for (const std::int32_t first : m_problem.before(node)) {
        if (m_times.place(first) >= to)
            return false;
    }
    for (const OrderProblem::Arc& arc : m_problem.inputs(node)) {
        if (m_times.start(arc.node) >= m_times.end(order[at(to)]))
            return false;
    }
    m_window.assign(1, node);
    m_window.insert(m_window.end(), order.begin() + to, order.begin() + from);
    if (!windowFits(device, to))
        return false;
    estimate = windowEstimate(device, to, from);
    return true;
}

void OrderImprover::consider(DeviceId device, int from, int to)
{
    if (from == to)
        return;
    Move move{device, from, to, 0};
    if (!(from < to ? later(device, from, to, move.estimate)
                    : sooner(device, from, to, move.estimate)))
        return;
    const std::int32_t node = m_orders[at(device)][at(from)];
    if (m_tabu[at(node)] > m_steps && move.estimate >= m_bestObjective) {
        if (m_fallback.device < 0 || move.estimate < m_fallback.estimate)
            m_fallback = move;
        return;
    }
    if (m_chosen.device < 0 || move.estimate < m_chosen.estimate) {
        m_chosen = move;
        m_ties = 1;
    } else if (move.estimate == m_chosen.estimate &&
               m_random() % static_cast<unsigned>(++m_ties) == 0) {
        m_chosen = move;
    }
}

void OrderImprover::considerBlock(const Block& block)
{
    const int first = block.first, last = block.last;
    for (int i = first; i <= last; ++i) {
        if (last - i <= m_reach)
            consider(block.device, i, last);
        if (i - first <= m_reach)
            consider(block.device, i, first);
    }
    for (int i = first + 1; i < last && i - first <= m_reach; ++i)
        consider(block.device, first, i);
    for (int i = last - 1; i > first && last - i <= m_reach; --i)
        consider(block.device, last, i);
}

bool OrderImprover::make(const Move& move)
{
    auto& order = m_orders[at(move.device)];
    const int low = std::min(move.from, move.to), high = std::max(move.from, move.to);
    const auto begin = order.begin();
    const auto turn = [&](bool forward) {
        if (forward)
            std::rotate(begin + low, begin + low + 1, begin + high + 1);
        else
            std::rotate(begin + low, begin + high, begin + high + 1);
    };
    turn(move.from < move.to);
    if (!m_times.evaluateChange(m_orders, move.device, low, high)) {
        turn(move.from > move.to);
        m_times.evaluate(m_orders);
        return false;
    }
    refreshLevels(move.device, low, high);
    return true;
}

void OrderImprover::run(Ticks enough, std::int64_t patience, SearchClock& clock)
{
    std::int64_t since = 0;
    while (m_bestObjective > enough && since < patience) {
        if ((m_problem.nodes() > 2000 || m_steps % 16 == 0) && clock.spent())
            return;
        ++m_steps;
        ++since;
        findBlocks();
        m_chosen = m_fallback = {};
        m_ties = 0;
        for (const Block& block : m_blocks) {
            if (block.first < block.last)
                considerBlock(block);
        }
        if (m_chosen.device < 0)
            m_chosen = m_fallback;
        if (m_chosen.device < 0)
            return; // no move at all: the order is as good as its ways allow
        const std::int32_t node = m_orders[at(m_chosen.device)][at(m_chosen.from)];
        m_tabu[at(node)] = m_steps + shortestTabu +
                           static_cast<std::int64_t>(
                               m_random() % (4 + at(static_cast<std::int64_t>(m_blocks.size()))));
        if (!make(m_chosen))
            continue;
        if (m_times.objective() < m_bestObjective) {
            m_bestObjective = m_times.objective();
            m_best = m_orders;
            since = 0;
        }
    }
}

void OrderImprover::shake(int moves)
{
    const Ticks objective = m_bestObjective;
    NodeOrders best = m_best;
    begin(best);
    for (int tried = 0; moves > 0 && tried < 50 * moves + 50; ++tried) {
        const DeviceId device(static_cast<int>(m_random() % m_orders.size()));
        const auto count = m_orders[at(device)].size();
        if (count < 2)
            continue;
        const int from = static_cast<int>(m_random() % count);
        const int span = 1 + static_cast<int>(m_random() % 6);
        const int to = std::clamp(m_random() % 2 == 0 ? from - span : from + span, 0,
                                  static_cast<int>(count) - 1);
        Ticks estimate = 0;
        if (from == to ||
            !(from < to ? later(device, from, to, estimate) : sooner(device, from, to, estimate)))
            continue;
        if (make({device, from, to, 0}))
            --moves;
    }
    m_best = std::move(best);
    m_bestObjective = objective;
}

} // namespace pw
