// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/active_order.h"

#include <algorithm>

namespace pw {

ActiveOrder::ActiveOrder(const OrderProblem& problem, const OrderBound& bound)
    : m_problem(&problem)
    , m_bound(&bound)
    , m_next(at(problem.classes()), 0)
    , m_blocked(at(problem.classes()), 0)
    , m_missing(at(problem.nodes()))
    , m_ready(at(problem.nodes()), 0)
    , m_head(at(problem.nodes()), 0)
    , m_done(at(problem.nodes()), 0)
    , m_free(at(problem.devices()), 0)
    , m_held(at(problem.devices()))
    , m_loose(at(problem.devices()))
    , m_orders(at(problem.devices()))
    , m_jobs(at(problem.devices()))
{
    std::vector<HeldActivation> all(at(problem.devices()));
    for (std::int32_t node = 0; node < problem.nodes(); ++node) {
        m_missing[at(node)] =
            static_cast<std::int32_t>(problem.inputs(node).size() + problem.before(node).size());
        all[at(problem.device(node))] += problem.adds(node);
    }
    for (const DeviceId device : Ids<DeviceId>(problem.devices()))
        m_loose[at(device)] = all[at(device)].within(problem.limit(device)) ? 1 : 0;
    std::vector<std::int32_t> open(m_missing.begin(), m_missing.end());
    for (std::int32_t node = 0; node < problem.nodes(); ++node) {
        if (open[at(node)] == 0)
            m_sequence.push_back(node);
    }
    for (std::size_t i = 0; i < m_sequence.size(); ++i) {
        const std::int32_t node = m_sequence[i];
        for (const OrderProblem::Arc& arc : problem.outputs(node)) {
            if (--open[at(arc.node)] == 0)
                m_sequence.push_back(arc.node);
        }
        for (const std::int32_t next : problem.behind(node)) {
            if (--open[at(next)] == 0)
                m_sequence.push_back(next);
        }
    }
}

Ticks ActiveOrder::objective() const
{
    Ticks most = 0;
    for (std::size_t device = 0; device < m_free.size(); ++device)
        most = std::max(most, m_free[device] - m_bound->offset[device]);
    return most;
}

bool ActiveOrder::fits(std::int32_t node) const
{
    const DeviceId device = m_problem->device(node);
    HeldActivation held = m_held[at(device)];
    held += m_problem->adds(node);
    return held.within(m_problem->limit(device));
}

void ActiveOrder::offers(std::vector<Candidate>& out) const
{
    out.clear();
    for (int cls = 0; cls < m_problem->classes(); ++cls) {
        const auto items = m_problem->itemsOf(cls);
        if (m_blocked[at(cls)] != 0 || m_next[at(cls)] >= static_cast<std::int32_t>(items.size()))
            continue;
        const std::int32_t node = items[at(m_next[at(cls)])];
        if (m_missing[at(node)] > 0 || !fits(node))
            continue;
        const Ticks start = std::max(m_free[at(m_problem->device(node))], m_ready[at(node)]);
        out.push_back({node, start, start + m_problem->time(node), false});
    }
    if (out.empty())
        return;
    const Candidate first =
        *std::min_element(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) {
            return a.end != b.end ? a.end < b.end : a.start < b.start;
        });
    const DeviceId device = m_problem->device(first.node);
    std::erase_if(out, [&](const Candidate& one) {
        return m_problem->device(one.node) != device ||
               (one.start >= first.end && one.node != first.node);
    });
    std::sort(out.begin(), out.end(), [this](const Candidate& a, const Candidate& b) {
        const Ticks own = m_bound->tail[at(a.node)] - a.start;
        const Ticks other = m_bound->tail[at(b.node)] - b.start;
        return own != other ? own > other : a.node < b.node;
    });
    // A forward may cost memory that a later pass of the device needs first.
    const HeldActivation& adds = m_problem->adds(first.node);
    if ((adds.bytes > 0 || adds.share > 0) && m_loose[at(device)] == 0)
        out.push_back({first.node, first.start, first.end, true});
}

ActiveOrder::Undo ActiveOrder::place(const Candidate& candidate)
{
    const std::int32_t node = candidate.node;
    const DeviceId device = m_problem->device(node);
    Undo undo{m_free[at(device)], m_held[at(device)], {}, {}};
    if (candidate.leaves) {
        m_blocked[at(m_problem->classOf(node))] = 1;
        return undo;
    }
    ++m_placed;
    m_free[at(device)] = candidate.end;
    m_held[at(device)] += m_problem->adds(node);
    m_held[at(device)] += m_problem->gives(node);
    m_orders[at(device)].push_back(node);
    m_done[at(node)] = 1;
    ++m_next[at(m_problem->classOf(node))];
    for (const int cls : m_problem->classesOf(device)) {
        if (m_blocked[at(cls)] != 0) {
            m_blocked[at(cls)] = 0;
            undo.blocked.push_back(cls);
        }
    }
    for (const OrderProblem::Arc& arc : m_problem->outputs(node)) {
        undo.ready.emplace_back(arc.node, m_ready[at(arc.node)]);
        m_ready[at(arc.node)] = std::max(m_ready[at(arc.node)], candidate.end + arc.delay);
        --m_missing[at(arc.node)];
    }
    for (const std::int32_t next : m_problem->behind(node))
        --m_missing[at(next)];
    return undo;
}

void ActiveOrder::takeBack(const Candidate& candidate, const Undo& undo)
{
    const std::int32_t node = candidate.node;
    const DeviceId device = m_problem->device(node);
    if (candidate.leaves) {
        m_blocked[at(m_problem->classOf(node))] = 0;
        return;
    }
    --m_placed;
    for (const std::int32_t next : m_problem->behind(node))
        ++m_missing[at(next)];
    const auto outputs = m_problem->outputs(node);
    for (std::size_t i = outputs.size(); i-- > 0;) {
        m_ready[at(undo.ready[i].first)] = undo.ready[i].second;
        ++m_missing[at(outputs[i].node)];
    }
    for (const int cls : undo.blocked)
        m_blocked[at(cls)] = 1;
    --m_next[at(m_problem->classOf(node))];
    m_done[at(node)] = 0;
    m_orders[at(device)].pop_back();
    m_held[at(device)] = undo.held;
    m_free[at(device)] = undo.free;
}

Ticks ActiveOrder::lowerBound(Ticks enough)
{
    Ticks most = 0;
    for (std::size_t device = 0; device < m_jobs.size(); ++device) {
        m_jobs[device].clear();
        if (!m_orders[device].empty())
            most = std::max(most, m_free[device] - m_bound->offset[device]);
    }
    for (const std::int32_t node : m_sequence) {
        if (m_done[at(node)] != 0)
            continue;
        const auto device = at(m_problem->device(node));
        Ticks head = std::max({m_bound->head[at(node)], m_free[device], m_ready[at(node)]});
        for (const OrderProblem::Arc& arc : m_problem->inputs(node)) {
            if (m_done[at(arc.node)] == 0)
                head = std::max(head, m_head[at(arc.node)] + m_problem->time(arc.node) + arc.delay);
        }
        for (const std::int32_t first : m_problem->before(node)) {
            if (m_done[at(first)] == 0)
                head = std::max(head, m_head[at(first)] + m_problem->time(first));
        }
        m_head[at(node)] = head;
        most = std::max(most, head + m_problem->time(node) + m_bound->tail[at(node)]);
        m_jobs[device].push_back({head, m_problem->time(node), m_bound->tail[at(node)]});
    }
    double sum = 0;
    for (std::size_t device = 0; device < m_jobs.size(); ++device) {
        if (most >= enough)
            return most;
        Ticks own = m_free[device] - m_bound->offset[device];
        if (!m_jobs[device].empty())
            own = std::max(own, onePreemptiveMachine(m_jobs[device]));
        most = std::max(most, own);
        sum += static_cast<double>(own);
    }
    m_meanBound = sum / static_cast<double>(m_jobs.size());
    return most;
}

void ActiveOrder::appendKey(std::vector<std::int16_t>& key) const
{
    for (std::size_t cls = 0; cls < m_next.size(); ++cls)
        key.push_back(static_cast<std::int16_t>(2 * m_next[cls] + m_blocked[cls]));
}

void ActiveOrder::appendTimes(std::vector<Ticks>& times) const
{
    times.insert(times.end(), m_free.begin(), m_free.end());
    for (int cls = 0; cls < m_problem->classes(); ++cls) {
        const auto items = m_problem->itemsOf(cls);
        for (auto i = at(m_next[at(cls)]); i < items.size(); ++i) {
            bool reached = false;
            for (const OrderProblem::Arc& arc : m_problem->inputs(items[i]))
                reached = reached || m_done[at(arc.node)] != 0;
            if (!reached)
                break;
            times.push_back(
                std::max(m_ready[at(items[i])], m_free[at(m_problem->device(items[i]))]));
        }
    }
}

} // namespace pw
