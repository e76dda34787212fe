// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/order_problem.h"

#include "core/base/assert.h"
#include "core/model/known_sizes.h"
#include "core/sim/dependencies.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pw {

namespace {

HeldActivation heldOf(const ActivationChange& change)
{
    return {change.bytes, change.share};
}

} // namespace

OrderProblem::OrderProblem(const Schedule& schedule, const Costs& costs, OrderAim aim,
                           std::vector<HeldActivation> limits)
    : m_spec(schedule.spec())
    , m_table(schedule.table())
    , m_aim(aim)
    , m_limits(std::move(limits))
{
    PW_ASSERT(m_limits.size() == static_cast<std::size_t>(m_spec.devices));
    markHosted(costs);
    addNodes(schedule, costs);
    addClasses();
    m_symmetric = costs.single.empty() && equalClasses();
    std::vector<Edge> edges = dependencies(schedule, costs);
    appendClassOrder(edges);
    appendMemoryOrder(edges);
    sortEdges(edges);
}

void OrderProblem::markHosted(const Costs& costs)
{
    if (costs.offload.cells.empty())
        return;
    m_hosted.assign(at(m_spec.routeCount() * m_spec.stages() * m_spec.segments()), 0);
    for (const Pass& cell : costs.offload.cells)
        m_hosted[at((cell.route * m_spec.stages() + cell.stage) * m_spec.segments() +
                    cell.segment)] = 1;
}

bool OrderProblem::hosted(const Pass& pass) const
{
    return !m_hosted.empty() && pass.kind != PassKind::U && pass.kind != PassKind::W &&
           m_hosted[at((pass.route * m_spec.stages() + pass.stage) * m_spec.segments() +
                       pass.segment)] != 0;
}

void OrderProblem::addNodes(const Schedule& schedule, const Costs& costs)
{
    const std::int32_t count = schedule.entryCount();
    m_nodeOf.assign(at(m_table.size()), -1);
    for (const DeviceId device : Ids<DeviceId>(devices())) {
        m_begin.push_back(schedule.begin(device));
        m_device.insert(m_device.end(), at(schedule.end(device) - schedule.begin(device)), device);
    }
    m_begin.push_back(count);
    for (const EntryId node : Ids<EntryId>(count)) {
        const OrderEntry entry = schedule.entry(node);
        HeldActivation adds, gives;
        const auto account = [&](const Pass& pass) {
            m_nodeOf[at(m_table.id(pass).value)] = node;
            if (pass.kind == PassKind::U)
                return;
            const ActivationChange change =
                activationChange(costs.activation[cellIndex(m_spec, pass.stage, pass.segment)],
                                 pass.kind, schedule.recomputed(pass));
            // A B that computes its forward again may leave more bytes than it found.
            const bool more = pass.kind == PassKind::F || pass.kind == PassKind::R;
            (more || change.bytes > 0 ? adds : gives) += {change.bytes, 0};
            (more || change.share > 0 ? adds : gives) += {0, change.share};
            if (!hosted(pass))
                return;
            const bool recomputed = schedule.recomputed(pass);
            const HeldActivation left = heldOf(
                activationChange(costs.activation[cellIndex(m_spec, pass.stage, pass.segment)],
                                 PassKind::F, recomputed));
            if (pass.kind == PassKind::F)
                gives += {-left.bytes, -left.share};
            else if (pass.kind == PassKind::R || !recomputed)
                adds += left;
        };
        account(entry.pass);
        if (entry.paired)
            account(entry.partner);
        m_paired = m_paired || entry.paired;
        m_entries.push_back(entry);
        m_time.push_back(entryTime(costs, m_spec, entry));
        m_adds.push_back(adds);
        m_gives.push_back(gives);
    }
}

void OrderProblem::addClasses()
{
    // Micro-batches of a class are in order of their numbers.
    using Key = std::tuple<int, int, PassKind, int, int>;
    std::map<Key, std::vector<std::pair<int, std::int32_t>>> found;
    for (std::int32_t node = 0; node < nodes(); ++node) {
        const Pass& pass = entry(node).pass;
        const int step = pass.kind == PassKind::U || m_spec.updateRule != UpdateRule::Flush
                             ? 0
                             : pass.microBatch / m_spec.microBatches;
        found[{pass.stage, pass.route, pass.kind, pass.segment, step}].emplace_back(pass.microBatch,
                                                                                    node);
    }
    m_class.resize(m_entries.size());
    m_item.resize(m_entries.size());
    m_deviceClasses.resize(m_limits.size());
    m_classBegin.push_back(0);
    for (auto& [key, members] : found) {
        std::sort(members.begin(), members.end());
        const int cls = static_cast<int>(m_classBegin.size()) - 1;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const std::int32_t node = members[i].second;
            m_class[at(node)] = cls;
            m_item[at(node)] = static_cast<std::int32_t>(i);
            m_classItems.push_back(node);
        }
        m_classBegin.push_back(static_cast<std::int32_t>(m_classItems.size()));
        m_deviceClasses[at(device(members.front().second))].push_back(cls);
    }
}

/// Whether every class has all micro-batches of its route in a step, and all its nodes are alike.
bool OrderProblem::equalClasses() const
{
    if (m_paired || m_spec.updateRule != UpdateRule::Flush)
        return false;
    std::vector<std::int32_t> perRoute(at(m_spec.routeCount()));
    for (int j = 0; j < m_spec.microBatches; ++j)
        ++perRoute[at(m_spec.route(j))];
    for (int cls = 0; cls < classes(); ++cls) {
        const auto items = itemsOf(cls);
        const Pass& first = entry(items.front()).pass;
        if (first.kind == PassKind::U)
            continue;
        if (static_cast<std::int32_t>(items.size()) != perRoute[first.route])
            return false;
        for (const std::int32_t node : items) {
            if (time(node) != time(items.front()) ||
                adds(node).share != adds(items.front()).share ||
                adds(node).bytes != adds(items.front()).bytes)
                return false;
        }
    }
    return true;
}

std::vector<OrderProblem::Edge> OrderProblem::dependencies(const Schedule& schedule,
                                                           const Costs& costs) const
{
    std::vector<Edge> edges;
    const Dependencies rules(schedule);
    std::vector<Dependency> needed;
    for (std::int32_t node = 0; node < nodes(); ++node) {
        const OrderEntry& own = entry(node);
        const auto append = [&](const Pass& pass) {
            needed.clear();
            rules.append(m_table.id(pass), needed);
            for (const Dependency& one : needed) {
                const std::int32_t from = m_nodeOf[at(one.producer.value)];
                if (from < 0 || from == node)
                    continue;
                const Ticks delay =
                    one.message
                        ? nominalMessageTime(
                              costs, m_spec, device(from), device(node),
                              messageBytes(costs, m_spec, schedule.pass(one.producer), pass.kind))
                        : 0;
                edges.push_back({from, node, delay});
            }
        };
        append(own.pass);
        if (own.paired)
            append(own.partner);
    }
    if (m_spec.updates) {
        // A later step reads what the update of the one before has made, on the same device.
        for (int cls = 0; cls < classes(); ++cls) {
            for (const std::int32_t node : itemsOf(cls)) {
                const Pass& pass = entry(node).pass;
                const int step = pass.microBatch / m_spec.microBatches;
                if (pass.kind != PassKind::F || step == 0 || m_spec.updateRule != UpdateRule::Flush)
                    continue;
                const std::int32_t update =
                    m_nodeOf[at(m_table.updateId(pass.route, pass.stage, step - 1).value)];
                if (update >= 0)
                    edges.push_back({update, node, 0});
            }
        }
    }
    return edges;
}

void OrderProblem::appendClassOrder(std::vector<Edge>& edges) const
{
    if (!m_symmetric)
        return;
    for (int cls = 0; cls < classes(); ++cls) {
        const auto items = itemsOf(cls);
        for (std::size_t i = 1; i < items.size(); ++i)
            edges.push_back({items[i - 1], items[i], 0});
    }
}

void OrderProblem::appendMemoryOrder(std::vector<Edge>& edges) const
{
    if (!m_symmetric || m_spec.steps != 1)
        return;
    for (int cls = 0; cls < classes(); ++cls) {
        if (entry(itemsOf(cls).front()).pass.kind == PassKind::F)
            memoryOrderOf(cls, edges);
    }
}

/// What must be over before the i-th F of a class: it finds i + 1 micro-batches on its own stage
/// and on earlier ones of the device, and no more backwards there than on its own stage.
void OrderProblem::memoryOrderOf(int cls, std::vector<Edge>& edges) const
{
    const Pass& own = entry(itemsOf(cls).front()).pass;
    const DeviceId here = device(itemsOf(cls).front());
    HeldActivation whole, kept; // of one micro-batch, and what of it waits for W
    int backward = -1;
    std::vector<int> weights;
    for (const int other : classesOf(here)) {
        const std::int32_t node = itemsOf(other).front();
        const Pass& pass = entry(node).pass;
        if (pass.route != own.route || pass.stage > own.stage || pass.segment > own.segment)
            continue;
        // What is on the host between its passes forces nothing, and neither does what it keeps
        // for W: the rest alone holds, too.
        const bool away =
            hosted({PassKind::F, pass.route, pass.stage, pass.microBatch, pass.segment});
        if (pass.kind == PassKind::F && !away)
            whole += adds(node);
        if (isBackward(pass.kind) && pass.stage == own.stage && pass.segment == own.segment)
            backward = other;
        if (pass.kind == PassKind::R)
            return; // what is held then depends on when
        if (pass.kind == PassKind::W && !away) {
            kept += HeldActivation{-gives(node).bytes, -gives(node).share};
            weights.push_back(other);
        }
    }
    const auto count = static_cast<std::int64_t>(itemsOf(cls).size());
    const auto cover = [](std::int64_t amount, std::int64_t each) {
        return each > 0 && amount > 0 ? (amount + each - 1) / each : 0;
    };
    const auto each = [&](std::int64_t limit, std::int64_t all, std::int64_t left, bool bytes) {
        if (limit == HeldActivation::unlimited || all <= 0)
            return;
        const bool grows = left > all; // behind B: then no W is forced by what F needs
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int32_t node = itemsOf(cls)[at(i)];
            const std::int64_t ends = cover((i + 1) * all - limit, all);
            if (ends > 0 && ends <= i && backward >= 0)
                edges.push_back({itemsOf(backward)[at(ends - 1)], node, 0});
            const std::int64_t open = (i + 1) * all - limit - i * (all - left);
            for (const int weight : weights) {
                if (grows)
                    break;
                const HeldActivation& given = gives(itemsOf(weight).front());
                const std::int64_t part = bytes ? -given.bytes : -given.share;
                const std::int64_t done = cover(open - i * (left - part), part);
                if (done > 0 && done <= i)
                    edges.push_back({itemsOf(weight)[at(done - 1)], node, 0});
            }
        }
    };
    each(limit(here).bytes, whole.bytes, kept.bytes, true);
    each(limit(here).share, whole.share, kept.share, false);
}

void OrderProblem::sortEdges(const std::vector<Edge>& edges)
{
    const std::size_t count = m_entries.size();
    const auto fill = [&](auto& lists, bool across, auto key, auto value) {
        lists.begin.assign(count + 1, 0);
        for (const Edge& edge : edges) {
            if ((device(edge.from) != device(edge.to)) == across)
                ++lists.begin[at(key(edge)) + 1];
        }
        for (std::size_t i = 0; i < count; ++i)
            lists.begin[i + 1] += lists.begin[i];
        lists.all.resize(at(lists.begin.back()));
        std::vector<std::int32_t> next(lists.begin.begin(), lists.begin.end() - 1);
        for (const Edge& edge : edges) {
            if ((device(edge.from) != device(edge.to)) == across)
                lists.all[at(next[at(key(edge))]++)] = value(edge);
        }
    };
    const auto from = [](const Edge& edge) { return edge.from; };
    const auto to = [](const Edge& edge) { return edge.to; };
    fill(m_inputs, true, to, [](const Edge& edge) { return Arc{edge.from, edge.delay}; });
    fill(m_outputs, true, from, [](const Edge& edge) { return Arc{edge.to, edge.delay}; });
    fill(m_before, false, to, from);
    fill(m_behind, false, from, to);
}

NodeOrders OrderProblem::given() const
{
    NodeOrders orders(m_limits.size());
    std::vector<std::int32_t> next(at(classes()), 0);
    for (const DeviceId device : Ids<DeviceId>(devices())) {
        for (std::int32_t node = m_begin[at(device)]; node < m_begin[at(device) + 1]; ++node) {
            const int cls = classOf(node);
            orders[at(device)].push_back(m_symmetric ? itemsOf(cls)[at(next[at(cls)]++)] : node);
        }
    }
    return orders;
}

NodeOrders OrderProblem::nodesOf(const Schedule& schedule) const
{
    if (schedule.entryCount() != nodes() || schedule.devices() != devices())
        return {};
    NodeOrders orders(m_limits.size());
    std::vector<std::int32_t> next(at(classes()), 0);
    for (const DeviceId device : Ids<DeviceId>(devices())) {
        for (const EntryId i : schedule.entries(device)) {
            const OrderEntry own = schedule.entry(i);
            const std::int32_t node = m_nodeOf[at(m_table.id(own.pass).value)];
            if (node < 0 || !(entry(node) == own) || this->device(node) != device)
                return {};
            const int cls = classOf(node);
            orders[at(device)].push_back(m_symmetric ? itemsOf(cls)[at(next[at(cls)]++)] : node);
        }
    }
    return orders;
}

DeviceOrders OrderProblem::entriesOf(const NodeOrders& orders) const
{
    DeviceOrders entries(orders.size());
    for (std::size_t device = 0; device < orders.size(); ++device) {
        for (const std::int32_t node : orders[device])
            entries[device].push_back(entry(node));
    }
    return entries;
}

bool OrderProblem::fits(const NodeOrders& orders) const
{
    for (const DeviceId device : Ids<DeviceId>(devices())) {
        HeldActivation held;
        for (const std::int32_t node : orders[at(device)]) {
            held += adds(node);
            if (!held.within(limit(device)))
                return false;
            held += gives(node);
        }
    }
    return true;
}

bool OrderProblem::inOrder(const NodeOrders& orders) const
{
    std::vector<std::int32_t> place(m_entries.size(), 0);
    for (const auto& order : orders) {
        for (std::size_t i = 0; i < order.size(); ++i)
            place[at(order[i])] = static_cast<std::int32_t>(i);
    }
    for (std::int32_t node = 0; node < nodes(); ++node) {
        for (const std::int32_t first : before(node)) {
            if (place[at(first)] > place[at(node)])
                return false;
        }
    }
    return true;
}

std::vector<HeldActivation> activationLimits(const PipelineSpec& spec, const Costs& costs)
{
    const std::vector<StandingMemory> standing = standingMemory(costs, spec);
    std::vector<HeldActivation> limits;
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        HeldActivation limit{HeldActivation::unlimited, HeldActivation::unlimited};
        const Bytes cap = costs.memoryCap.empty() ? 0 : costs.memoryCap[at(device)];
        if (cap > 0)
            limit.bytes = standing[at(device)].room(cap);
        if (costs.shareCap > 0)
            limit.share = costs.shareCap;
        limits.push_back(limit);
    }
    return limits;
}

} // namespace pw
