// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/window_proof.h"

#include <algorithm>
#include <limits>

namespace pw {

namespace {

/// Nodes of a device in an order in which each stands behind those of the device that it needs.
std::vector<std::int32_t> inputsFirst(const OrderProblem& problem, std::vector<std::int32_t> nodes)
{
    std::vector<std::int32_t> open(at(problem.nodes()), 0);
    std::vector<std::int32_t> sequence;
    for (const std::int32_t node : nodes) {
        open[at(node)] = static_cast<std::int32_t>(problem.before(node).size());
        if (open[at(node)] == 0)
            sequence.push_back(node);
    }
    for (std::size_t i = 0; i < sequence.size(); ++i) {
        for (const std::int32_t next : problem.behind(sequence[i])) {
            if (--open[at(next)] == 0)
                sequence.push_back(next);
        }
    }
    return sequence;
}

} // namespace

WindowProof::WindowProof(const OrderProblem& problem, const OrderBound& bound)
    : m_problem(problem)
    , m_bound(bound)
    , m_local(at(problem.classes()), 0)
    , m_isOpen(at(problem.devices()), 0)
{
    std::vector<std::vector<std::int32_t>> nodes(at(problem.devices()));
    for (std::int32_t node = 0; node < problem.nodes(); ++node)
        nodes[at(problem.device(node))].push_back(node);
    for (const DeviceId device : Ids<DeviceId>(problem.devices())) {
        m_nodes.push_back(inputsFirst(problem, std::move(nodes[at(device)])));
        const auto classes = problem.classesOf(device);
        m_stride = std::max(m_stride, classes.size());
        for (std::size_t i = 0; i < classes.size(); ++i)
            m_local[at(classes[i])] = i;
    }
}

std::int64_t WindowProof::pairsOf(const OrderProblem& problem)
{
    std::vector<std::int64_t> count(at(problem.devices()), 0);
    std::int64_t pairs = 0;
    for (std::int32_t node = 0; node < problem.nodes(); ++node)
        pairs += 2 * count[at(problem.device(node))]++ + 1;
    return pairs;
}

void WindowProof::mark(DeviceId device)
{
    if (m_isOpen[at(device)] != 0)
        return;
    m_isOpen[at(device)] = 1;
    m_open.push_back(device);
}

/// What holds for every order, whatever the time.
void WindowProof::begin()
{
    m_windows.head = m_bound.head;
    m_windows.tail = m_bound.tail;
    m_windows.lead.assign(at(m_problem.nodes()) * m_stride, 0);
    m_windows.follow.assign(at(m_problem.nodes()) * m_stride,
                            std::numeric_limits<std::int32_t>::max());
    for (std::int32_t node = 0; node < m_problem.nodes(); ++node) {
        for (const std::int32_t other : m_problem.before(node))
            putBefore(other, node);
    }
    m_open.clear();
    std::fill(m_isOpen.begin(), m_isOpen.end(), char{0});
    for (const DeviceId device : Ids<DeviceId>(m_problem.devices()))
        mark(device);
}

bool WindowProof::isTooLong(std::int32_t node) const
{
    return m_windows.head[at(node)] + m_problem.time(node) + m_windows.tail[at(node)] > m_most;
}

bool WindowProof::fitsBefore(std::int32_t first, std::int32_t second) const
{
    return m_windows.head[at(first)] + m_problem.time(first) + m_problem.time(second) +
               m_windows.tail[at(second)] <=
           m_most;
}

/// @return whether that says anything new
bool WindowProof::putBefore(std::int32_t first, std::int32_t second)
{
    std::int32_t& lead = m_windows.lead[cell(second, localOf(first))];
    std::int32_t& follow = m_windows.follow[cell(first, localOf(second))];
    const bool fresh = lead <= m_problem.item(first) || follow > m_problem.item(second);
    lead = std::max(lead, m_problem.item(first) + 1);
    follow = std::min(follow, m_problem.item(second));
    return fresh;
}

/// Heads of a device's nodes, by what they wait for and the work that is surely before them.
/// @return false where a window is too short
bool WindowProof::raiseHeads(DeviceId device, bool& changed)
{
    std::vector<Ticks>& heads = m_windows.head;
    const auto sooner = [&heads](std::int32_t a, std::int32_t b) {
        return heads[at(a)] < heads[at(b)];
    };
    m_sorted = m_nodes[at(device)];
    std::stable_sort(m_sorted.begin(), m_sorted.end(), sooner);
    for (const std::int32_t node : m_nodes[at(device)]) {
        Ticks head = heads[at(node)];
        for (const OrderProblem::Arc& arc : m_problem.inputs(node))
            head = std::max(head, heads[at(arc.node)] + m_problem.time(arc.node) + arc.delay);
        Ticks busy = 0;
        for (const std::int32_t other : m_sorted) {
            if (m_problem.item(other) < m_windows.lead[cell(node, localOf(other))])
                busy = std::max(busy, heads[at(other)]) + m_problem.time(other);
        }
        head = std::max(head, busy);
        if (head == heads[at(node)])
            continue;
        heads[at(node)] = head;
        if (isTooLong(node))
            return false;
        changed = true;
        for (auto one = std::find(m_sorted.begin(), m_sorted.end(), node);
             one + 1 != m_sorted.end() && sooner(*(one + 1), *one); ++one)
            std::iter_swap(one, one + 1);
        for (const OrderProblem::Arc& arc : m_problem.outputs(node))
            mark(m_problem.device(arc.node));
    }
    return true;
}

/// The same from the other end.
bool WindowProof::raiseTails(DeviceId device, bool& changed)
{
    std::vector<Ticks>& tails = m_windows.tail;
    const auto later = [&tails](std::int32_t a, std::int32_t b) {
        return tails[at(a)] < tails[at(b)];
    };
    m_sorted = m_nodes[at(device)];
    std::stable_sort(m_sorted.begin(), m_sorted.end(), later);
    const std::vector<std::int32_t>& nodes = m_nodes[at(device)];
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
        const std::int32_t node = *it;
        Ticks tail = tails[at(node)];
        for (const OrderProblem::Arc& arc : m_problem.outputs(node))
            tail = std::max(tail, tails[at(arc.node)] + m_problem.time(arc.node) + arc.delay);
        Ticks busy = 0;
        for (const std::int32_t other : m_sorted) {
            if (m_problem.item(other) >= m_windows.follow[cell(node, localOf(other))])
                busy = std::max(busy, tails[at(other)]) + m_problem.time(other);
        }
        tail = std::max(tail, busy);
        if (tail == tails[at(node)])
            continue;
        tails[at(node)] = tail;
        if (isTooLong(node))
            return false;
        changed = true;
        for (auto one = std::find(m_sorted.begin(), m_sorted.end(), node);
             one + 1 != m_sorted.end() && later(*(one + 1), *one); ++one)
            std::iter_swap(one, one + 1);
        for (const OrderProblem::Arc& arc : m_problem.inputs(node))
            mark(m_problem.device(arc.node));
    }
    return true;
}

/// Pairs of a node and another class of its device: the next ones that fit one way only.
bool WindowProof::decideNode(std::int32_t node, std::size_t own, bool& changed)
{
    const auto classes = m_problem.classesOf(m_problem.device(node));
    for (std::size_t local = 0; local < classes.size(); ++local) {
        if (local == own)
            continue;
        const auto items = m_problem.itemsOf(classes[local]);
        const auto count = static_cast<std::int32_t>(items.size());
        for (std::int32_t next = m_windows.lead[cell(node, local)];
             next < count && !fitsBefore(node, items[at(next)]); ++next)
            changed = putBefore(items[at(next)], node) || changed;
        for (std::int32_t last = std::min(m_windows.follow[cell(node, local)], count) - 1;
             last >= 0 && !fitsBefore(items[at(last)], node); --last)
            changed = putBefore(node, items[at(last)]) || changed;
        if (m_windows.follow[cell(node, local)] < m_windows.lead[cell(node, local)])
            return false;
    }
    return true;
}

/// What is before a node is before those of its class that follow, and the other way round.
bool WindowProof::decide(DeviceId device, bool& changed)
{
    const auto classes = m_problem.classesOf(device);
    for (std::size_t own = 0; own < classes.size(); ++own) {
        const auto items = m_problem.itemsOf(classes[own]);
        for (std::size_t i = 0; i < items.size(); ++i) {
            for (std::size_t local = 0; local < classes.size() && i > 0; ++local) {
                std::int32_t& lead = m_windows.lead[cell(items[i], local)];
                lead = std::max(lead, m_windows.lead[cell(items[i - 1], local)]);
            }
            if (!decideNode(items[i], own, changed))
                return false;
        }
        for (std::size_t i = items.size(); i-- > 1;) {
            for (std::size_t local = 0; local < classes.size(); ++local) {
                std::int32_t& follow = m_windows.follow[cell(items[i - 1], local)];
                follow = std::min(follow, m_windows.follow[cell(items[i], local)]);
            }
        }
    }
    return true;
}

bool WindowProof::settleDevice(DeviceId device)
{
    const auto count = static_cast<std::int64_t>(m_nodes[at(device)].size());
    for (bool changed = true; changed && m_work > 0;) {
        changed = false;
        m_work -= 2 * count * count;
        if (!raiseHeads(device, changed) || !raiseTails(device, changed) ||
            !decide(device, changed))
            return false;
    }
    return true;
}

/// @return false where no order is left
bool WindowProof::settle()
{
    for (std::size_t next = 0; next < m_open.size() && m_work > 0; ++next) {
        const DeviceId device = m_open[next];
        m_isOpen[at(device)] = 0;
        if (!settleDevice(device))
            return false;
    }
    for (const DeviceId device : m_open)
        m_isOpen[at(device)] = 0;
    m_open.clear();
    return true;
}

bool WindowProof::refutes(Ticks most, std::int64_t& work)
{
    m_most = most;
    m_work = work;
    begin();
    const bool refuted = most < m_bound.objective || !settle();
    work = std::max<std::int64_t>(m_work, 0);
    return refuted;
}

/// Whether one node before another leaves no order; everything else stays as it was.
bool WindowProof::leavesNothing(std::int32_t first, std::int32_t second)
{
    m_kept = m_windows;
    putBefore(first, second);
    mark(m_problem.device(first));
    const bool nothing = !settle();
    m_windows = m_kept;
    for (const DeviceId device : m_open)
        m_isOpen[at(device)] = 0;
    m_open.clear();
    return nothing;
}

/// Tries a pair one way; where that leaves no order, it stands the other way.
/// @return whether no order is left then
bool WindowProof::tryPair(std::int32_t first, std::int32_t second, bool& changed)
{
    if (!leavesNothing(first, second))
        return false;
    changed = true;
    putBefore(second, first);
    mark(m_problem.device(first));
    return !settle();
}

/// Of each class of its device, the first and the last that may be on either side of a node.
bool WindowProof::tryNode(std::int32_t node, bool& changed)
{
    const auto classes = m_problem.classesOf(m_problem.device(node));
    for (std::size_t local = 0; local < classes.size(); ++local) {
        if (local == localOf(node))
            continue;
        const auto items = m_problem.itemsOf(classes[local]);
        const auto end = [&] {
            return std::min(m_windows.follow[cell(node, local)],
                            static_cast<std::int32_t>(items.size()));
        };
        const std::int32_t next = m_windows.lead[cell(node, local)];
        if (next < end() && tryPair(node, items[at(next)], changed))
            return true;
        const std::int32_t last = end() - 1;
        if (last >= m_windows.lead[cell(node, local)] && tryPair(items[at(last)], node, changed))
            return true;
    }
    return false;
}

bool WindowProof::refutesByTrial(Ticks most, SearchClock& clock)
{
    std::int64_t all = std::numeric_limits<std::int64_t>::max();
    if (refutes(most, all))
        return true;
    for (bool changed = true; changed;) {
        changed = false;
        for (const std::vector<std::int32_t>& nodes : m_nodes) {
            for (const std::int32_t node : nodes) {
                if (clock.spent())
                    return false;
                if (tryNode(node, changed))
                    return true;
            }
        }
    }
    return false;
}

Ticks windowBound(const OrderProblem& problem, const OrderBound& bound)
{
    Ticks proven = bound.objective;
    if (!problem.symmetric() || problem.aim() != OrderAim::Makespan)
        return proven;
    constexpr std::int64_t mostWork = 60'000'000; // about a tenth of a second
    std::int64_t work = mostWork - 2 * WindowProof::pairsOf(problem);
    if (work <= 0)
        return proven;
    WindowProof proof(problem, bound);
    // Further and further above the bound, then between what is refuted and what is not.
    constexpr Ticks firstPart = 2048;
    constexpr Ticks never = std::numeric_limits<Ticks>::max();
    Ticks open = never;
    for (Ticks step = std::max<Ticks>(proven / firstPart, 1); work > 0 && open == never;
         step *= 2) {
        if (proof.refutes(proven + step, work))
            proven += step + 1;
        else
            open = proven + step;
    }
    while (work > 0 && open > proven) {
        const Ticks middle = proven + (open - proven) / 2;
        if (proof.refutes(middle, work))
            proven = middle + 1;
        else
            open = middle;
    }
    return proven;
}

} // namespace pw
