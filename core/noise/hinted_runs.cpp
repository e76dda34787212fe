// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/noise/hinted_runs.h"

#include "core/base/try.h"
#include "core/model/offload.h"
#include "core/noise/hinted_device.h"
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
        for (const DeviceId device : Ids<DeviceId>(m_problem.devices()))
            m_devices.emplace_back(m_problem, runs.m_orders[at(device)], device, runs.m_ahead);
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
        for (HintedDevice& device : m_devices)
            device.begin();
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
    std::int32_t choose(DeviceId device, double time)
    {
        double soonest = std::numeric_limits<double>::infinity();
        HintedDevice& own = m_devices[at(device)];
        const std::int32_t node = own.choose([&](std::int32_t one, std::size_t) {
            if (m_missing[at(one)] > 0)
                return false;
            if (m_arrival[at(one)] <= time)
                return true;
            soonest = std::min(soonest, m_arrival[at(one)]);
            return false;
        });
        if (node >= 0)
            own.take(node);
        else if (std::isfinite(soonest))
            m_events.emplace(soonest, device);
        return node;
    }

    void finish(std::int32_t node, NoiseDraws& draws)
    {
        const DeviceId from = m_problem.device(node);
        const double end = m_free[at(from)];
        m_events.emplace(end, from);
        for (const OrderProblem::Arc& arc : m_problem.outputs(node)) {
            const DeviceId to = m_problem.device(arc.node);
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
    using Event = std::pair<double, DeviceId>;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> m_events;
    std::vector<double> m_free, m_arrival, m_time;
    std::vector<HintedDevice> m_devices;
    std::vector<std::int32_t> m_missing;
};

HintProblem hintProblem(const Schedule& schedule, const Costs& costs)
{
    const auto devices = at(schedule.devices());
    const HeldActivation none{HeldActivation::unlimited, HeldActivation::unlimited};
    NodeOrders orders(devices);
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        orders[at(device)].resize(at(schedule.end(device) - schedule.begin(device)));
        std::iota(orders[at(device)].begin(), orders[at(device)].end(), schedule.begin(device));
    }
    const OrderProblem open(schedule, costs, OrderAim::Makespan,
                            std::vector<HeldActivation>(devices, none));
    // An order that turns equal work round is not a hint for one that keeps it.
    if (!open.inOrder(orders))
        orders = open.given();
    std::vector<HeldActivation> peaks = peaksOf(open, orders);
    return {OrderProblem(schedule, costs, OrderAim::Makespan, std::move(peaks)), std::move(orders)};
}

Result<HintedRuns> HintedRuns::make(const Schedule& schedule, const Costs& costs, int ahead)
{
    if (schedule.spec().messages == MessageRule::Committed)
        return fail(ErrorCode::BadValue,
                    "noise is for early messages, and those of this schedule are committed");
    PW_DO(refuseOffload(costs, schedule.spec(),
                        "an order that is only a hint knows no copies to the host"));
    PW_DO(simulate(schedule, costs));
    if (ahead < 1)
        return fail(ErrorCode::BadValue, "a pass goes ahead by at least 1 place, not %1", ahead);
    HintProblem hint = hintProblem(schedule, costs);
    return HintedRuns(std::move(hint.problem), std::move(hint.orders), costs.linkTrace, ahead);
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
