// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/order_constraints.h"

#include "core/base/index.h"
#include "core/sim/dependencies.h"

#include <utility>

namespace pw {

std::vector<OrderEdge> OrderConstraints::edges(const Schedule& schedule, const Costs& costs)
{
    m_edges.clear();
    addDependencies(schedule, costs);
    addUpdates();
    addClassOrder();
    addMemoryOrder();
    return std::move(m_edges);
}

void OrderConstraints::addDependencies(const Schedule& schedule, const Costs& costs)
{
    const Dependencies rules(schedule);
    std::vector<Dependency> needed;
    for (std::int32_t node = 0; node < m_problem.nodes(); ++node) {
        const OrderEntry& own = m_problem.entry(node);
        const auto append = [&](const Pass& pass) {
            needed.clear();
            rules.append(m_problem.table().id(pass), needed);
            for (const Dependency& one : needed) {
                const std::int32_t from = m_problem.nodeOf(one.producer);
                if (from < 0 || from == node)
                    continue;
                const Ticks delay =
                    one.message
                        ? nominalMessageTime(costs, m_problem.spec(), m_problem.device(from),
                                             m_problem.device(node),
                                             messageBytes(costs, m_problem.spec(),
                                                          schedule.pass(one.producer), pass.kind))
                        : 0;
                m_edges.push_back({from, node, delay});
            }
        };
        append(own.pass);
        if (own.paired)
            append(own.partner);
    }
}

/// A later step reads what the update of the one before has made, on the same device.
void OrderConstraints::addUpdates()
{
    const PipelineSpec& spec = m_problem.spec();
    if (!spec.updates || spec.updateRule != UpdateRule::Flush)
        return;
    for (int cls = 0; cls < m_problem.classes(); ++cls) {
        for (const std::int32_t node : m_problem.itemsOf(cls)) {
            const Pass& pass = m_problem.entry(node).pass;
            const int step = pass.microBatch / spec.microBatches;
            if (pass.kind != PassKind::F || step == 0)
                continue;
            const std::int32_t update =
                m_problem.nodeOf(m_problem.table().updateId(pass.route, pass.stage, step - 1));
            if (update >= 0)
                m_edges.push_back({update, node, 0});
        }
    }
}

void OrderConstraints::addClassOrder()
{
    if (!m_problem.symmetric())
        return;
    for (int cls = 0; cls < m_problem.classes(); ++cls) {
        const auto items = m_problem.itemsOf(cls);
        for (std::size_t i = 1; i < items.size(); ++i)
            m_edges.push_back({items[i - 1], items[i], 0});
    }
}

void OrderConstraints::addMemoryOrder()
{
    if (!m_problem.symmetric() || m_problem.spec().steps != 1)
        return;
    for (int cls = 0; cls < m_problem.classes(); ++cls) {
        if (m_problem.entry(m_problem.itemsOf(cls).front()).pass.kind == PassKind::F)
            addMemoryOrderOf(cls);
    }
}

/// What must be over before the i-th F of a class: it finds i + 1 micro-batches on its own stage
/// and on earlier ones of the device, and no more backwards there than on its own stage.
void OrderConstraints::addMemoryOrderOf(int cls)
{
    const Pass& own = m_problem.entry(m_problem.itemsOf(cls).front()).pass;
    const DeviceId here = m_problem.device(m_problem.itemsOf(cls).front());
    HeldActivation whole, kept; // of one micro-batch, and what of it waits for W
    int backward = -1;
    std::vector<int> weights;
    for (const int other : m_problem.classesOf(here)) {
        const std::int32_t node = m_problem.itemsOf(other).front();
        const Pass& pass = m_problem.entry(node).pass;
        if (pass.route != own.route || pass.stage > own.stage || pass.segment > own.segment)
            continue;
        // What is on the host between its passes forces nothing, and neither does what it keeps
        // for W: the rest alone holds, too.
        const bool away =
            m_problem.hosted({PassKind::F, pass.route, pass.stage, pass.microBatch, pass.segment});
        if (pass.kind == PassKind::F && !away)
            whole += m_problem.adds(node);
        if (isBackward(pass.kind) && pass.stage == own.stage && pass.segment == own.segment)
            backward = other;
        if (pass.kind == PassKind::R)
            return; // what is held then depends on when
        if (pass.kind == PassKind::W && !away) {
            kept += HeldActivation{-m_problem.gives(node).bytes, -m_problem.gives(node).share};
            weights.push_back(other);
        }
    }
    const auto count = static_cast<std::int64_t>(m_problem.itemsOf(cls).size());
    const auto cover = [](std::int64_t amount, std::int64_t each) {
        return each > 0 && amount > 0 ? (amount + each - 1) / each : 0;
    };
    const auto each = [&](std::int64_t limit, std::int64_t all, std::int64_t left, bool bytes) {
        if (limit == HeldActivation::unlimited || all <= 0)
            return;
        const bool grows = left > all; // behind B: then no W is forced by what F needs
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int32_t node = m_problem.itemsOf(cls)[at(i)];
            const std::int64_t ends = cover((i + 1) * all - limit, all);
            if (ends > 0 && ends <= i && backward >= 0)
                m_edges.push_back({m_problem.itemsOf(backward)[at(ends - 1)], node, 0});
            const std::int64_t open = (i + 1) * all - limit - i * (all - left);
            for (const int weight : weights) {
                if (grows)
                    break;
                const HeldActivation& given = m_problem.gives(m_problem.itemsOf(weight).front());
                const std::int64_t part = bytes ? -given.bytes : -given.share;
                const std::int64_t done = cover(open - i * (left - part), part);
                if (done > 0 && done <= i)
                    m_edges.push_back({m_problem.itemsOf(weight)[at(done - 1)], node, 0});
            }
        }
    };
    each(m_problem.limit(here).bytes, whole.bytes, kept.bytes, true);
    each(m_problem.limit(here).share, whole.share, kept.share, false);
}

} // namespace pw
