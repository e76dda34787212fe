// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/hosted_times.h"

#include <algorithm>

namespace pw {

HostedTimes::HostedTimes(const OrderProblem& problem, const Schedule& base, const Costs& costs)
    : m_problem(&problem)
    , m_costs(costs)
    , m_adds(at(problem.nodes()))
    , m_gives(at(problem.nodes()))
{
    const PipelineSpec& spec = problem.spec();
    for (std::int32_t node = 0; node < problem.nodes(); ++node) {
        const OrderEntry& entry = problem.entry(node);
        const auto account = [&](const Pass& pass) {
            if (pass.kind == PassKind::U)
                return;
            const ActivationChange change =
                activationChange(costs.activation[cellIndex(spec, pass.stage, pass.segment)],
                                 pass.kind, base.recomputed(pass));
            ActivationChange& own =
                (pass.kind == PassKind::F || pass.kind == PassKind::R ? m_adds : m_gives)[at(node)];
            own.bytes += change.bytes;
            own.share += change.share;
        };
        account(entry.pass);
        if (entry.paired)
            account(entry.partner);
    }
    for (auto* buffer : {&m_entry, &m_nodeAt, &m_previous, &m_next, &m_cause, &m_open, &m_queue})
        buffer->assign(at(problem.nodes()), -1);
    m_result.start.resize(at(problem.nodes()));
    m_result.end.resize(at(problem.nodes()));
}

bool HostedTimes::evaluate(const NodeOrders& orders)
{
    const PipelineSpec& spec = m_problem->spec();
    m_copies = m_clock.plan().begin(spec, m_costs);
    EntryId entry{0};
    for (std::size_t device = 0; device < orders.size(); ++device) {
        std::int32_t previous = -1;
        for (const std::int32_t node : orders[device]) {
            m_entry[at(node)] = entry;
            m_nodeAt[at(entry)] = node;
            m_previous[at(node)] = previous;
            m_next[at(node)] = -1;
            if (previous >= 0)
                m_next[at(previous)] = node;
            previous = node;
            if (m_copies)
                m_clock.plan().add(DeviceId(device), entry, m_problem->entry(node),
                                   m_problem->time(node));
            ++entry;
        }
    }
    if (m_copies) {
        m_clock.plan().finish();
        m_clock.start(spec.devices);
    }
    if (!run())
        return false;
    measure(orders);
    return true;
}

bool HostedTimes::run()
{
    const std::int32_t count = m_problem->nodes();
    std::int32_t head = 0, tail = 0;
    for (std::int32_t node = 0; node < count; ++node) {
        m_open[at(node)] = static_cast<std::int32_t>(m_problem->inputs(node).size()) +
                           (m_previous[at(node)] >= 0 ? 1 : 0);
        if (m_open[at(node)] == 0)
            m_queue[at(tail++)] = node;
    }
    const auto done = [&](std::int32_t node) {
        if (--m_open[at(node)] == 0)
            m_queue[at(tail++)] = node;
    };
    while (head < tail) {
        const std::int32_t node = m_queue[at(head++)];
        const EntryId entry(m_entry[at(node)]);
        const DeviceId device = m_problem->device(node);
        Ticks start = 0;
        m_cause[at(node)] = -1;
        const auto after = [&](std::int32_t other, Ticks delay) {
            const Ticks there = m_result.end[at(m_entry[at(other)])] + delay;
            if (there <= start)
                return;
            start = there;
            m_cause[at(node)] = other;
        };
        for (const OrderProblem::Arc& arc : m_problem->inputs(node))
            after(arc.node, arc.delay);
        if (m_previous[at(node)] >= 0)
            after(m_previous[at(node)], 0);
        if (m_copies)
            start = m_clock.ready(device, entry, start, m_result.start, m_result.end);
        const Ticks end = start + m_problem->time(node);
        m_result.start[at(entry)] = start;
        m_result.end[at(entry)] = end;
        if (m_copies) {
            m_clock.held(device, start, m_adds[at(node)]);
            m_clock.held(device, end, m_gives[at(node)]);
            m_clock.ended(device, entry, end);
        }
        if (m_next[at(node)] >= 0)
            done(m_next[at(node)]);
        for (const OrderProblem::Arc& arc : m_problem->outputs(node))
            done(arc.node);
    }
    return tail == count;
}

Bytes HostedTimes::peakWithoutCopies(const std::vector<std::int32_t>& order, Share& share) const
{
    ActivationChange held, peak;
    for (const std::int32_t node : order) {
        held.bytes += m_adds[at(node)].bytes;
        held.share += m_adds[at(node)].share;
        peak.bytes = std::max(peak.bytes, held.bytes);
        peak.share = std::max(peak.share, held.share);
        held.bytes += m_gives[at(node)].bytes;
        held.share += m_gives[at(node)].share;
    }
    share = peak.share;
    return peak.bytes;
}

void HostedTimes::measure(const NodeOrders& orders)
{
    m_result.devices.assign(orders.size(), {});
    m_result.copies.clear();
    m_objective = 0;
    m_excess = 0;
    m_overload = 0;
    m_last = -1;
    for (std::size_t device = 0; device < orders.size(); ++device) {
        const auto& order = orders[device];
        if (order.empty())
            continue;
        DeviceResult& own = m_result.devices[device];
        own.peakActivation = peakWithoutCopies(order, own.peakShare);
        const Ticks first = m_problem->aim() == OrderAim::Span
                                ? m_result.start[at(m_entry[at(order.front())])]
                                : Ticks{0};
        const Ticks length = m_result.end[at(m_entry[at(order.back())])] - first;
        if (length > m_objective) {
            m_objective = length;
            m_last = order.back();
        }
    }
    if (m_copies) {
        m_clock.settle(m_result);
        followCopies();
    }
    for (std::size_t device = 0; device < orders.size(); ++device) {
        const HeldActivation& limit = m_problem->limit(DeviceId(device));
        const DeviceResult& own = m_result.devices[device];
        const auto above = [](std::int64_t peak, std::int64_t most) {
            return most == HeldActivation::unlimited || peak <= most
                       ? 0.0
                       : static_cast<double>(peak - most) /
                             static_cast<double>(std::max<std::int64_t>(most, 1));
        };
        const double most =
            std::max(above(own.peakActivation, limit.bytes), above(own.peakShare, limit.share));
        m_excess += most;
        if (most > 0)
            m_overload += overloadOf(DeviceId(device));
    }
}

double HostedTimes::overloadOf(DeviceId device)
{
    m_levels.clear();
    for (std::size_t i = 0; i < m_nodeAt.size(); ++i) {
        const std::int32_t node = m_nodeAt[i];
        if (m_problem->device(node) != device)
            continue;
        m_levels.push_back({m_result.start[i], m_adds[at(node)]});
        m_levels.push_back({m_result.end[i], m_gives[at(node)]});
    }
    for (const HostCopy& copy : m_result.copies) {
        if (copy.device != device)
            continue;
        m_levels.push_back({copy.outEnd, {-copy.bytes, -copy.share}});
        if (copy.needed >= 0)
            m_levels.push_back({copy.backStart, {copy.bytes, copy.share}});
    }
    std::sort(m_levels.begin(), m_levels.end(),
              [](const HeldChange& a, const HeldChange& b) { return a.time < b.time; });
    const HeldActivation& limit = m_problem->limit(device);
    const auto above = [](std::int64_t level, std::int64_t most) {
        return most == HeldActivation::unlimited || level <= most
                   ? 0.0
                   : static_cast<double>(level - most) /
                         static_cast<double>(std::max<std::int64_t>(most, 1));
    };
    double sum = 0;
    ActivationChange level;
    for (std::size_t i = 0; i + 1 < m_levels.size(); ++i) {
        level.bytes += m_levels[i].change.bytes;
        level.share += m_levels[i].change.share;
        sum += static_cast<double>(m_levels[i + 1].time - m_levels[i].time) *
               std::max(above(level.bytes, limit.bytes), above(level.share, limit.share));
    }
    return m_objective > 0 ? sum / static_cast<double>(m_objective) : 0;
}

/// A pass whose copy it waited for waited for the F that the copy there came behind, or for the
/// pass before it, which asked too late.
void HostedTimes::followCopies()
{
    for (const HostCopy& copy : m_result.copies) {
        if (copy.needed < 0 || copy.wait <= 0)
            continue;
        const std::int32_t node = m_nodeAt[at(copy.needed)];
        m_cause[at(node)] = copy.backStart == copy.outEnd ? m_nodeAt[at(copy.forward)]
                                                          : m_nodeAt[at(copy.needed - 1)];
    }
}

} // namespace pw
