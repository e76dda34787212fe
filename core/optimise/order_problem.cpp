// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/order_problem.h"

#include "core/base/assert.h"
#include "core/model/known_sizes.h"
#include "core/optimise/order_constraints.h"

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
    sortEdges(OrderConstraints(*this).edges(schedule, costs));
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

void OrderProblem::sortEdges(const std::vector<OrderEdge>& edges)
{
    const std::size_t count = m_entries.size();
    const auto fill = [&](auto& lists, bool across, auto key, auto value) {
        lists.begin.assign(count + 1, 0);
        for (const OrderEdge& edge : edges) {
            if ((device(edge.from) != device(edge.to)) == across)
                ++lists.begin[at(key(edge)) + 1];
        }
        for (std::size_t i = 0; i < count; ++i)
            lists.begin[i + 1] += lists.begin[i];
        lists.all.resize(at(lists.begin.back()));
        std::vector<std::int32_t> next(lists.begin.begin(), lists.begin.end() - 1);
        for (const OrderEdge& edge : edges) {
            if ((device(edge.from) != device(edge.to)) == across)
                lists.all[at(next[at(key(edge))]++)] = value(edge);
        }
    };
    const auto from = [](const OrderEdge& edge) { return edge.from; };
    const auto to = [](const OrderEdge& edge) { return edge.to; };
    fill(m_inputs, true, to, [](const OrderEdge& edge) { return Arc{edge.from, edge.delay}; });
    fill(m_outputs, true, from, [](const OrderEdge& edge) { return Arc{edge.to, edge.delay}; });
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
