// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/order_dispatch.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

constexpr Ticks noStart = std::numeric_limits<Ticks>::max();

} // namespace

OrderDispatcher::OrderDispatcher(const OrderProblem& problem)
    : m_problem(problem)
    , m_backwardOf(at(problem.classes()), -1)
    , m_fills(at(problem.devices()))
{
    for (const DeviceId device : Ids<DeviceId>(problem.devices())) {
        for (const int cls : problem.classesOf(device)) {
            const std::int32_t first = problem.itemsOf(cls).front();
            const Pass& pass = problem.entry(first).pass;
            if (pass.kind == PassKind::F || pass.kind == PassKind::R)
                m_fills[at(device)].push_back(cls);
            if (pass.kind != PassKind::F)
                continue;
            for (const int other : problem.classesOf(device)) {
                const std::int32_t node = problem.itemsOf(other).front();
                const Pass& back = problem.entry(node).pass;
                if (isBackward(back.kind) && back.stage == pass.stage && back.route == pass.route &&
                    back.segment == pass.segment && back.microBatch == pass.microBatch)
                    m_backwardOf[at(cls)] = other;
            }
        }
    }
}

std::vector<DispatchRule> OrderDispatcher::usualRules() const
{
    const auto classes = at(m_problem.classes());
    std::vector<DispatchRule> rules;
    const int p = m_problem.devices();
    // Forwards in flight on a stage: all that fit, 1F1B's number, and twice that.
    for (int flight = 0; flight < 3; ++flight) {
        for (const double wait : {0.0, 0.5, 1.0, 3.0}) {
            DispatchRule rule;
            rule.delay.assign(classes, 0);
            rule.open.assign(classes, std::numeric_limits<std::int32_t>::max());
            for (int cls = 0; cls < m_problem.classes(); ++cls) {
                const std::int32_t node = m_problem.itemsOf(cls).front();
                const Pass& pass = m_problem.entry(node).pass;
                const Ticks own = m_problem.time(node);
                if (pass.kind == PassKind::W)
                    rule.delay[at(cls)] = static_cast<Ticks>(wait * static_cast<double>(own));
                if (pass.kind != PassKind::F)
                    continue;
                rule.delay[at(cls)] = own / 8;
                const int behind = m_problem.spec().stages() - pass.stage;
                if (flight == 1)
                    rule.open[at(cls)] = std::max(1, std::min(behind, 2 * p));
                if (flight == 2)
                    rule.open[at(cls)] = std::max(1, 2 * behind - 1);
            }
            rules.push_back(std::move(rule));
        }
    }
    return rules;
}

DispatchRule OrderDispatcher::changed(const DispatchRule& rule, std::mt19937_64& random) const
{
    DispatchRule made = rule;
    const int changes = 1 + static_cast<int>(random() % 3);
    for (int i = 0; i < changes; ++i) {
        const int cls = static_cast<int>(random() % at(m_problem.classes()));
        const std::int32_t node = m_problem.itemsOf(cls).front();
        const PassKind kind = m_problem.entry(node).pass.kind;
        if (kind == PassKind::F && random() % 2 == 0) {
            const auto most = static_cast<std::int32_t>(m_problem.itemsOf(cls).size());
            const std::int32_t now = std::min(made.open[at(cls)], most);
            const std::int32_t step = 1 + static_cast<std::int32_t>(random() % 2);
            made.open[at(cls)] =
                std::clamp(random() % 2 == 0 ? now - step : now + step, std::int32_t{1}, most);
        } else {
            const double factor = static_cast<double>(random() % 1000) / 400.0;
            made.delay[at(cls)] =
                static_cast<Ticks>(factor * static_cast<double>(m_problem.time(node)));
            if (random() % 3 == 0)
                made.delay[at(cls)] = 0;
        }
    }
    return made;
}

/// What is asked for beside the passes of the oldest micro-batch that has begun: after `cls` has
/// taken its part, what that one still adds must fit.
bool OrderDispatcher::leavesRoom(DeviceId device, int cls, const HeldActivation& held) const
{
    std::int32_t oldest = std::numeric_limits<std::int32_t>::max();
    for (const int other : m_fills[at(device)]) {
        if (m_next[at(other)] < static_cast<std::int32_t>(m_problem.itemsOf(other).size()))
            oldest = std::min(oldest, m_next[at(other)]);
    }
    if (m_next[at(cls)] <= oldest)
        return true;
    HeldActivation least = held;
    for (const int other : m_fills[at(device)]) {
        const auto items = m_problem.itemsOf(other);
        if (m_next[at(other)] <= oldest && oldest < static_cast<std::int32_t>(items.size()))
            least += m_problem.adds(items[at(oldest)]);
    }
    return least.within(m_problem.limit(device));
}

bool OrderDispatcher::admits(DeviceId device, int cls, std::int32_t node) const
{
    const PassKind kind = m_problem.entry(node).pass.kind;
    const HeldActivation& adds = m_problem.adds(node);
    if (adds.bytes == 0 && adds.share == 0 && kind != PassKind::F && kind != PassKind::R)
        return true;
    HeldActivation held = m_held[at(device)];
    held += adds;
    if (!held.within(m_problem.limit(device)))
        return false;
    // What a backward finds on the host again is gone when it ends.
    if (kind != PassKind::F && kind != PassKind::R)
        return true;
    if (!leavesRoom(device, cls, held))
        return false;
    const int backward = m_backwardOf[at(cls)];
    return m_rule == nullptr || backward < 0 ||
           m_next[at(cls)] - m_next[at(backward)] < m_rule->open[at(cls)];
}

OrderDispatcher::Choice OrderDispatcher::choose(DeviceId device) const
{
    Choice best{-1, noStart, noStart};
    Ticks rank = noStart, tie = noStart;
    for (const int cls : m_problem.classesOf(device)) {
        const auto items = m_problem.itemsOf(cls);
        if (m_next[at(cls)] >= static_cast<std::int32_t>(items.size()))
            continue;
        const std::int32_t node = items[at(m_next[at(cls)])];
        if (m_missing[at(node)] > 0 || !admits(device, cls, node))
            continue;
        const Ticks start = std::max(m_free[at(device)], m_ready[at(node)]);
        const Ticks wish = m_wish != nullptr ? (*m_wish)[at(node)] : 0;
        const Ticks own =
            m_wish != nullptr ? std::max(start, wish) : start + m_rule->delay[at(cls)];
        if (own < rank || (own == rank && wish < tie)) {
            rank = own;
            tie = wish;
            best = {cls, start, m_wish != nullptr ? own : start};
        }
    }
    return best;
}

void OrderDispatcher::place(DeviceId device, const Choice& choice)
{
    const std::int32_t node = m_problem.itemsOf(choice.cls)[at(m_next[at(choice.cls)]++)];
    const Ticks end = choice.start + m_problem.time(node);
    m_orders[at(device)].push_back(node);
    m_free[at(device)] = end;
    m_held[at(device)] += m_problem.adds(node);
    m_held[at(device)] += m_problem.gives(node);
    m_stale[at(device)] = true;
    for (const OrderProblem::Arc& arc : m_problem.outputs(node)) {
        m_ready[at(arc.node)] = std::max(m_ready[at(arc.node)], end + arc.delay);
        if (--m_missing[at(arc.node)] == 0)
            m_stale[at(m_problem.device(arc.node))] = true;
    }
    for (const std::int32_t next : m_problem.behind(node))
        --m_missing[at(next)];
}

std::optional<NodeOrders> OrderDispatcher::run(const DispatchRule& rule)
{
    m_rule = &rule;
    m_wish = nullptr;
    return dispatch();
}

std::optional<NodeOrders> OrderDispatcher::follow(const std::vector<Ticks>& wish)
{
    m_rule = nullptr;
    m_wish = &wish;
    return dispatch();
}

std::optional<NodeOrders> OrderDispatcher::dispatch()
{
    const std::int32_t count = m_problem.nodes();
    m_next.assign(at(m_problem.classes()), 0);
    m_missing.resize(at(count));
    for (std::int32_t node = 0; node < count; ++node) {
        m_missing[at(node)] = static_cast<std::int32_t>(m_problem.inputs(node).size() +
                                                        m_problem.before(node).size());
    }
    m_ready.assign(at(count), 0);
    m_free.assign(at(m_problem.devices()), 0);
    m_held.assign(at(m_problem.devices()), {});
    m_choice.assign(at(m_problem.devices()), {});
    m_stale.assign(at(m_problem.devices()), true);
    m_orders.assign(at(m_problem.devices()), {});
    for (std::int32_t placed = 0; placed < count; ++placed) {
        DeviceId first;
        for (const DeviceId device : Ids<DeviceId>(m_problem.devices())) {
            if (m_stale[at(device)]) {
                m_choice[at(device)] = choose(device);
                m_stale[at(device)] = false;
            }
            if (m_choice[at(device)].cls >= 0 &&
                (first < 0 || m_choice[at(device)].turn < m_choice[at(first)].turn))
                first = device;
        }
        if (first < 0)
            return std::nullopt;
        place(first, m_choice[at(first)]);
    }
    m_objective = 0;
    for (const DeviceId device : Ids<DeviceId>(m_problem.devices())) {
        Ticks from = 0;
        if (m_problem.aim() == OrderAim::Span && !m_orders[at(device)].empty()) {
            // Its inputs alone say when a device's first node starts.
            from = m_ready[at(m_orders[at(device)].front())];
        }
        m_objective = std::max(m_objective, m_free[at(device)] - from);
    }
    return m_orders;
}

std::vector<Ticks> bentStarts(const OrderProblem& problem, std::vector<Ticks> starts,
                              std::mt19937_64& random)
{
    const auto part = [&random] { return static_cast<double>(random() % 2001) / 1000 - 1; };
    Ticks end = 1;
    for (const Ticks start : starts)
        end = std::max(end, start);
    const auto move = [&](std::int32_t node, double times) {
        starts[at(node)] += static_cast<Ticks>(times * static_cast<double>(problem.time(node)));
    };
    switch (random() % 3) {
    case 0: // some kinds of work, in all of the time
        for (int changes = 1 + static_cast<int>(random() % 3); changes > 0; --changes) {
            const int cls = static_cast<int>(random() % at(problem.classes()));
            const double times = 4 * part();
            for (const std::int32_t node : problem.itemsOf(cls))
                move(node, times);
        }
        break;
    case 1: { // a stretch of time
        const Ticks from = static_cast<Ticks>(random() % static_cast<std::uint64_t>(end));
        const Ticks until = from + end / (4 + static_cast<Ticks>(random() % 12));
        for (std::int32_t node = 0; node < problem.nodes(); ++node) {
            if (starts[at(node)] >= from && starts[at(node)] < until)
                move(node, 3 * part());
        }
        break;
    }
    default: { // everything, a little
        const double most = 0.2 + 1.5 * std::abs(part());
        for (std::int32_t node = 0; node < problem.nodes(); ++node)
            move(node, most * part());
    }
    }
    return starts;
}

std::optional<NodeOrders> dispatchOrder(const OrderProblem& problem, Ticks enough,
                                        std::uint64_t seed, std::int64_t patience,
                                        SearchClock& clock)
{
    OrderDispatcher dispatcher(problem);
    std::mt19937_64 random(seed);
    std::optional<NodeOrders> best;
    Ticks bestObjective = noStart;
    DispatchRule bestRule, current;
    Ticks currentObjective = noStart;
    const auto attempt = [&](const DispatchRule& rule) {
        std::optional<NodeOrders> made = dispatcher.run(rule);
        const Ticks objective = made ? dispatcher.objective() : noStart;
        if (made && objective < bestObjective) {
            best = std::move(made);
            bestObjective = objective;
            bestRule = rule;
        }
        return objective;
    };
    for (const DispatchRule& rule : dispatcher.usualRules()) {
        if (clock.spent())
            return best;
        attempt(rule);
    }
    if (!best)
        return best;
    current = bestRule;
    currentObjective = bestObjective;
    std::int64_t since = 0;
    while (bestObjective > enough && since < patience && !clock.spent()) {
        const Ticks before = bestObjective;
        const DispatchRule rule = dispatcher.changed(current, random);
        const Ticks objective = attempt(rule);
        // Equal rules are taken: the way to a better one leads over them.
        if (objective <= currentObjective || (since % 50 == 49 && objective < noStart &&
                                              objective - bestObjective < bestObjective / 50)) {
            current = rule;
            currentObjective = objective;
        }
        since = bestObjective < before ? 0 : since + 1;
        if (since % 200 == 199) {
            current = bestRule;
            currentObjective = bestObjective;
        }
    }
    return best;
}

} // namespace pw
