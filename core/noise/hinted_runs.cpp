// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/noise/hinted_runs.h"

#include "core/base/try.h"
#include "core/noise/noise_draws.h"
#include "core/sim/simulator.h"

#include <queue>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pw {

namespace {

/// The most that each device holds at once in an order.
std::vector<HeldActivation> peaksOf(const OrderProblem& problem, const NodeOrders& orders)
{
    std::vector<HeldActivation> peaks(orders.size());
    for (std::size_t device = 0; device < orders.size(); ++device) {
        HeldActivation held;
        for (const std::int32_t node : orders[device]) {
            held += problem.adds(node);
            peaks[device].bytes = std::max(peaks[device].bytes, held.bytes);
            peaks[device].share = std::max(peaks[device].share, held.share);
            held += problem.gives(node);
        }
    }
    return peaks;
}

} // namespace

/// One run, event by event; keeps its buffers for the next.
class HintedRuns::OneRun
{
public:
    OneRun(const HintedRuns& runs, const NoiseModel& model, const NoiseTables& tables)
        : m_runs(runs)
        , m_problem(runs.m_problem)
        , m_model(model)
        , m_tables(tables)
    {
    }

    double makespan(std::uint64_t seed)
    {
        NoiseDraws draws(seed);
        begin(draws);
        double last = 0;
        while (!m_events.empty()) {
            const auto [time, device] = m_events.top();
            m_events.pop();
            if (time < m_free[at(device)])
                continue; // it has begun something else since
            const std::int32_t node = choose(device, time);
            if (node < 0)
                continue;
            m_free[at(device)] = time + m_time[at(node)];
            last = std::max(last, m_free[at(device)]);
            finish(node, draws);
        }
        return last;
    }

private:
    void begin(NoiseDraws& draws)
    {
        const auto nodes = at(m_problem.nodes());
        const auto devices = at(m_problem.devices());
        m_free.assign(devices, 0);
        m_next.assign(devices, 0);
        m_held.assign(devices, {});
        m_done.assign(nodes, 0);
        m_arrival.assign(nodes, 0);
        m_missing.resize(nodes);
        m_time.resize(nodes);
        std::vector<double> ranks(devices);
        for (std::size_t device = 0; device < devices; ++device) {
            ranks[device] = draws.of(m_tables.rank) *
                            (m_model.rankFactor.empty() ? 1 : m_model.rankFactor[device]);
            m_events.emplace(0, static_cast<int>(device));
        }
        for (std::int32_t node = 0; node < m_problem.nodes(); ++node) {
            const auto kind = static_cast<std::size_t>(m_problem.entry(node).pass.kind);
            m_missing[at(node)] = static_cast<std::int32_t>(m_problem.inputs(node).size());
            m_time[at(node)] = static_cast<double>(m_problem.time(node)) *
                               ranks[at(m_problem.device(node))] * draws.of(m_tables.pass[kind]);
        }
    }

    /// The first entry of a device that can run at a time, taken out of what is to do; −1: none.
    std::int32_t choose(int device, double time)
    {
        const auto& order = m_runs.m_orders[at(device)];
        std::size_t& next = m_next[at(device)];
        while (next < order.size() && m_done[at(order[next])] != 0)
            ++next;
        const std::size_t end = std::min(order.size(), next + 1 + at(m_runs.m_ahead));
        HeldActivation held = m_held[at(device)], room = m_problem.limit(device);
        double soonest = std::numeric_limits<double>::infinity();
        for (std::size_t i = next; i < end; ++i) {
            const std::int32_t node = order[i];
            if (m_done[at(node)] != 0)
                continue;
            if (ready(node, room)) {
                if (m_arrival[at(node)] <= time) {
                    m_done[at(node)] = 1;
                    m_held[at(device)] += m_problem.adds(node);
                    m_held[at(device)] += m_problem.gives(node);
                    return node;
                }
                soonest = std::min(soonest, m_arrival[at(node)]);
            }
            // What passes this one adds to what is held while it runs.
            held += m_problem.adds(node);
            room.bytes = std::min(room.bytes, m_problem.limit(device).bytes - held.bytes);
            room.share = std::min(room.share, m_problem.limit(device).share - held.share);
            held += m_problem.gives(node);
        }
        if (std::isfinite(soonest))
            m_events.emplace(soonest, device);
        return -1;
    }

    bool ready(std::int32_t node, const HeldActivation& room) const
    {
        if (m_missing[at(node)] > 0)
            return false;
        for (const std::int32_t first : m_problem.before(node)) {
            if (m_done[at(first)] == 0)
                return false;
        }
        const std::size_t next = m_next[at(m_problem.device(node))];
        // In the given order it fits; ahead of it, beside all that it passes.
        if (m_runs.m_orders[at(m_problem.device(node))][next] == node)
            return true;
        HeldActivation own = m_problem.adds(node);
        HeldActivation now = m_held[at(m_problem.device(node))];
        now += own;
        return (own.bytes <= 0 || own.bytes <= room.bytes) &&
               (own.share <= 0 || own.share <= room.share) &&
               now.within(m_problem.limit(m_problem.device(node)));
    }

    void finish(std::int32_t node, NoiseDraws& draws)
    {
        const int from = m_problem.device(node);
        const double end = m_free[at(from)];
        m_events.emplace(end, from);
        for (const OrderProblem::Arc& arc : m_problem.outputs(node)) {
            const int to = m_problem.device(arc.node);
            const auto link = at(std::int64_t{from} * m_problem.devices() + to);
            const double left = static_cast<double>(arc.delay) * draws.of(m_tables.message) *
                                (m_model.linkFactor.empty() ? 1 : m_model.linkFactor[link]);
            const bool own = !m_model.linkTraces.empty() && !m_model.linkTraces[link].empty();
            const double there =
                arrivalOver(own ? m_model.linkTraces[link] : m_runs.m_trace, end, left);
            m_arrival[at(arc.node)] = std::max(m_arrival[at(arc.node)], there);
            if (--m_missing[at(arc.node)] == 0)
                m_events.emplace(std::max(m_arrival[at(arc.node)], m_free[at(to)]), to);
        }
    }

    const HintedRuns& m_runs;
    const OrderProblem& m_problem;
    const NoiseModel& m_model;
    const NoiseTables& m_tables;
    using Event = std::pair<double, int>;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> m_events;
    std::vector<double> m_free, m_arrival, m_time;
    std::vector<std::size_t> m_next;
    std::vector<HeldActivation> m_held;
    std::vector<char> m_done;
    std::vector<std::int32_t> m_missing;
};

Result<HintedRuns> HintedRuns::make(const Schedule& schedule, const Costs& costs, int ahead)
{
    if (schedule.spec().messages == MessageRule::Committed)
        return fail(ErrorCode::BadValue, "noise is for early messages, and those of this "
                                         "schedule are committed");
    PW_DO(simulate(schedule, costs));
    if (ahead < 1)
        return fail(ErrorCode::BadValue,
                    "a pass goes ahead by at least 1 place, not " + std::to_string(ahead));
    const auto devices = at(schedule.devices());
    const HeldActivation none{HeldActivation::unlimited, HeldActivation::unlimited};
    NodeOrders orders(devices);
    for (int device = 0; device < schedule.devices(); ++device) {
        orders[at(device)].resize(at(schedule.end(device) - schedule.begin(device)));
        std::iota(orders[at(device)].begin(), orders[at(device)].end(), schedule.begin(device));
    }
    const OrderProblem open(schedule, costs, OrderAim::Makespan,
                            std::vector<HeldActivation>(devices, none));
    // An order that turns equal work round is not a hint for one that keeps it.
    if (!open.inOrder(orders))
        orders = open.given();
    std::vector<HeldActivation> peaks = peaksOf(open, orders);
    OrderProblem problem(schedule, costs, OrderAim::Makespan, std::move(peaks));
    return HintedRuns(std::move(problem), std::move(orders), costs.linkTrace, ahead);
}

NoiseSamples HintedRuns::run(const NoiseModel& model, int samples, std::uint64_t seed,
                             const std::function<bool()>& stopped) const
{
    NoiseModel still = model;
    still.passSpread = {};
    still.messageSpread = still.rankSpread = 0;
    const NoiseTables none(still), tables(model);
    NoiseSamples result;
    result.nominal = std::llround(OneRun(*this, still, none).makespan(seed));
    OneRun one(*this, model, tables);
    for (int i = 0; i < std::max(samples, 1) && !(stopped && stopped()); ++i) {
        result.makespans.push_back(
            one.makespan(seed * 0x2545f4914f6cdd1dULL + static_cast<std::uint64_t>(i)));
    }
    result.mean = std::accumulate(result.makespans.begin(), result.makespans.end(), 0.0) /
                  static_cast<double>(std::max<std::size_t>(1, result.makespans.size()));
    std::sort(result.makespans.begin(), result.makespans.end());
    return result;
}

} // namespace pw
