// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/order_bound.h"

#include "core/optimise/window_proof.h"

#include <queue>

#include <algorithm>
#include <functional>
#include <utility>

namespace pw {

namespace {

/// Above this many cells of node and class, work before and behind a node is left out.
constexpr std::int64_t mostReach = 60'000'000;

/// A number for every class, of each node whose neighbours are not all done: the rows of others are
/// taken again, so that there are few at once.
class ReachRows
{
public:
    void begin(std::int32_t nodes, int classes, std::int32_t value)
    {
        m_classes = at(classes);
        m_value = value;
        m_rowOf.assign(at(nodes), 0);
        m_left.assign(at(nodes), 0);
        m_free.clear();
        m_rows.clear();
    }
    /// @param uses  how often the node is asked for by others
    void open(std::int32_t node, std::size_t uses)
    {
        if (m_free.empty()) {
            m_free.push_back(m_rows.size());
            m_rows.emplace_back(m_classes);
        }
        m_rowOf[at(node)] = m_free.back();
        m_free.pop_back();
        m_left[at(node)] = uses + 1;
        std::fill_n(row(node), m_classes, m_value);
    }
    std::int32_t* row(std::int32_t node) { return m_rows[m_rowOf[at(node)]].data(); }
    /// One use of a node is over, or the node itself.
    void leave(std::int32_t node)
    {
        if (--m_left[at(node)] == 0)
            m_free.push_back(m_rowOf[at(node)]);
    }

private:
    std::size_t m_classes = 1;
    std::int32_t m_value = 0;
    std::vector<std::size_t> m_rowOf, m_left; ///< by node
    std::vector<std::size_t> m_free;
    std::vector<std::vector<std::int32_t>> m_rows; ///< none is moved where more are needed
};

class BoundMaker
{
public:
    explicit BoundMaker(const OrderProblem& problem)
        : m_problem(problem)
    {
    }

    OrderBound make()
    {
        sortNodes();
        m_bound.offset.assign(at(m_problem.devices()), 0);
        const bool loads = m_problem.symmetric() &&
                           std::int64_t{m_problem.nodes()} * m_problem.classes() <= mostReach;
        heads(loads);
        const bool fixed = m_problem.aim() == OrderAim::Makespan || firstStarts();
        tails(loads);
        machines(fixed);
        return std::move(m_bound);
    }

private:
    std::vector<std::int32_t> waits() const;
    void sortNodes();
    void heads(bool loads);
    void tails(bool loads);
    bool firstStarts();
    void machines(bool fixed);
    template<typename Reached>
    void join(std::int32_t node, std::int32_t other, const Reached& deeper);

    const OrderProblem& m_problem;
    OrderBound m_bound;
    std::vector<std::int32_t> m_sequence;
    /// By node and class: how many of the class are surely before the node; in `tails`: the first
    /// that is surely behind it.
    ReachRows m_reach;
};

/// By class, how many micro-batches earlier the pass was, at most, that one of it waits for.
std::vector<std::int32_t> BoundMaker::waits() const
{
    std::vector<std::int32_t> waits(at(m_problem.classes()), 0);
    for (std::int32_t node = 0; node < m_problem.nodes(); ++node) {
        for (const std::int32_t other : m_problem.before(node)) {
            std::int32_t& most = waits[at(m_problem.classOf(node))];
            most = std::max(most, m_problem.item(node) - m_problem.item(other));
        }
    }
    return waits;
}

/// Every node behind what must be before it. Of those that could be next it is the one of the first
/// micro-batch, and what waits for an earlier one of the memory goes with that: so few nodes at
/// once have neighbours on both sides.
void BoundMaker::sortNodes()
{
    const std::int32_t count = m_problem.nodes();
    const std::vector<std::int32_t> waits = this->waits();
    using Next = std::pair<std::int32_t, std::int32_t>; // when, and the node
    std::priority_queue<Next, std::vector<Next>, std::greater<>> ready;
    const auto offer = [&](std::int32_t node) {
        ready.emplace(m_problem.item(node) - waits[at(m_problem.classOf(node))], node);
    };
    std::vector<std::int32_t> open(at(count));
    for (std::int32_t node = 0; node < count; ++node) {
        open[at(node)] = static_cast<std::int32_t>(m_problem.inputs(node).size() +
                                                   m_problem.before(node).size());
        if (open[at(node)] == 0)
            offer(node);
    }
    const auto leave = [&](std::int32_t next) {
        if (--open[at(next)] == 0)
            offer(next);
    };
    m_sequence.reserve(at(count));
    while (!ready.empty()) {
        const std::int32_t node = ready.top().second;
        ready.pop();
        m_sequence.push_back(node);
        for (const OrderProblem::Arc& arc : m_problem.outputs(node))
            leave(arc.node);
        for (const std::int32_t next : m_problem.behind(node))
            leave(next);
    }
}

template<typename Reached>
void BoundMaker::join(std::int32_t node, std::int32_t other, const Reached& deeper)
{
    const std::size_t classes = at(m_problem.classes());
    std::int32_t* own = m_reach.row(node);
    const std::int32_t* theirs = m_reach.row(other);
    for (std::size_t c = 0; c < classes; ++c)
        own[c] = deeper(own[c], theirs[c]);
}

void BoundMaker::heads(bool loads)
{
    m_bound.head.assign(at(m_problem.nodes()), 0);
    if (loads)
        m_reach.begin(m_problem.nodes(), m_problem.classes(), 0);
    const auto deeper = [](std::int32_t a, std::int32_t b) { return std::max(a, b); };
    std::vector<std::vector<std::int32_t>> done(at(m_problem.devices())); // by head
    for (const std::int32_t node : m_sequence) {
        Ticks head = 0;
        if (loads)
            m_reach.open(node, m_problem.outputs(node).size() + m_problem.behind(node).size());
        const auto after = [&](std::int32_t other, Ticks delay) {
            head = std::max(head, m_bound.head[at(other)] + m_problem.time(other) + delay);
            if (!loads)
                return;
            join(node, other, deeper);
            std::int32_t& reach = m_reach.row(node)[m_problem.classOf(other)];
            reach = std::max(reach, m_problem.item(other) + 1);
            m_reach.leave(other);
        };
        for (const OrderProblem::Arc& arc : m_problem.inputs(node))
            after(arc.node, arc.delay);
        for (const std::int32_t other : m_problem.before(node))
            after(other, 0);
        if (loads) {
            auto& own = done[at(m_problem.device(node))];
            Ticks busy = 0;
            for (const std::int32_t other : own) {
                if (m_problem.item(other) < m_reach.row(node)[m_problem.classOf(other)])
                    busy = std::max(busy, m_bound.head[at(other)]) + m_problem.time(other);
            }
            head = std::max(head, busy);
            const auto place =
                std::upper_bound(own.begin(), own.end(), head, [this](Ticks h, std::int32_t other) {
                    return h < m_bound.head[at(other)];
                });
            own.insert(place, node);
            m_reach.leave(node);
        }
        m_bound.head[at(node)] = head;
    }
}

void BoundMaker::tails(bool loads)
{
    constexpr std::int32_t never = std::numeric_limits<std::int32_t>::max();
    m_bound.tail.assign(at(m_problem.nodes()), 0);
    if (loads)
        m_reach.begin(m_problem.nodes(), m_problem.classes(), never);
    const auto deeper = [](std::int32_t a, std::int32_t b) { return std::min(a, b); };
    std::vector<std::vector<std::int32_t>> done(at(m_problem.devices()));
    for (auto it = m_sequence.rbegin(); it != m_sequence.rend(); ++it) {
        const std::int32_t node = *it;
        const Ticks last = -m_bound.offset[at(m_problem.device(node))];
        Ticks tail = last;
        if (loads)
            m_reach.open(node, m_problem.inputs(node).size() + m_problem.before(node).size());
        const auto before = [&](std::int32_t other, Ticks delay) {
            tail = std::max(tail, m_bound.tail[at(other)] + m_problem.time(other) + delay);
            if (!loads)
                return;
            join(node, other, deeper);
            std::int32_t& reach = m_reach.row(node)[m_problem.classOf(other)];
            reach = std::min(reach, m_problem.item(other));
            m_reach.leave(other);
        };
        for (const OrderProblem::Arc& arc : m_problem.outputs(node))
            before(arc.node, arc.delay);
        for (const std::int32_t other : m_problem.behind(node))
            before(other, 0);
        if (loads) {
            auto& own = done[at(m_problem.device(node))];
            Ticks busy = last;
            for (const std::int32_t other : own) {
                if (m_problem.item(other) >= m_reach.row(node)[m_problem.classOf(other)])
                    busy = std::max(busy, m_bound.tail[at(other)]) + m_problem.time(other);
            }
            tail = std::max(tail, busy);
            const auto place =
                std::upper_bound(own.begin(), own.end(), tail, [this](Ticks t, std::int32_t other) {
                    return t < m_bound.tail[at(other)];
                });
            own.insert(place, node);
            m_reach.leave(node);
        }
        m_bound.tail[at(node)] = tail;
    }
}

/// Whether every device begins with the first micro-batch in every order, as it does where each
/// stage on the way to it is the first one of its device; then that start is always the same.
bool BoundMaker::firstStarts()
{
    const PipelineSpec& spec = m_problem.spec();
    if (spec.routeCount() != 1 || !m_problem.symmetric())
        return false;
    std::vector<int> first(at(spec.devices), spec.stages());
    for (StageId stage(spec.stages()); stage-- > 0;)
        first[at(spec.device(0, stage))] = stage;
    std::vector<Ticks> earliest(at(spec.devices), std::numeric_limits<Ticks>::max());
    for (std::int32_t node = 0; node < m_problem.nodes(); ++node) {
        Ticks& own = earliest[at(m_problem.device(node))];
        own = std::min(own, m_bound.head[at(node)]);
    }
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        if (first[at(device)] == spec.stages())
            continue;
        for (const StageId stage : Ids<StageId>(first[at(device)])) {
            if (first[at(spec.device(0, stage))] != stage)
                return false;
        }
        m_bound.offset[at(device)] = earliest[at(device)];
    }
    return true;
}

void BoundMaker::machines(bool fixed)
{
    std::vector<std::vector<MachineJob>> jobs(at(m_problem.devices()));
    std::vector<Ticks> work(at(m_problem.devices()), 0);
    for (std::int32_t node = 0; node < m_problem.nodes(); ++node) {
        const auto device = at(m_problem.device(node));
        jobs[device].push_back(
            {m_bound.head[at(node)], m_problem.time(node), m_bound.tail[at(node)]});
        work[device] += m_problem.time(node);
    }
    for (std::size_t device = 0; device < jobs.size(); ++device) {
        const Ticks bound = fixed ? onePreemptiveMachine(jobs[device]) : work[device];
        if (bound > m_bound.objective) {
            m_bound.objective = bound;
            m_bound.device = DeviceId(device);
        }
    }
}

} // namespace

OrderBound orderBound(const OrderProblem& problem)
{
    OrderBound bound = BoundMaker(problem).make();
    bound.objective = windowBound(problem, bound);
    return bound;
}

} // namespace pw
