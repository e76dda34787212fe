// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/noise/noise.h"

#include "core/base/assert.h"
#include "core/base/index.h"
#include "core/base/try.h"
#include "core/model/offload.h"
#include "core/noise/noise_draws.h"
#include "core/optimise/order_problem.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <thread>

namespace pw {

namespace {

double factorOf(const std::vector<double>& table, std::size_t index)
{
    return table.empty() ? 1 : table[index];
}

std::ptrdiff_t offsetOf(std::size_t node)
{
    return static_cast<std::ptrdiff_t>(node * noiseLanes);
}

/// Of a batch, from the seed of all.
std::uint64_t seedOf(std::uint64_t seed, std::size_t batch)
{
    return seed * 0x2545f4914f6cdd1dULL + batch;
}

} // namespace

bool NoiseModel::quiet() const
{
    return messageSpread <= 0 && rankSpread <= 0 &&
           std::all_of(passSpread.begin(), passSpread.end(), [](double s) { return s <= 0; });
}

double NoiseSamples::quantile(double part) const
{
    PW_ASSERT(!makespans.empty());
    const double place = std::clamp(part, 0.0, 1.0) * static_cast<double>(makespans.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto above = std::min(below + 1, makespans.size() - 1);
    return std::lerp(makespans[below], makespans[above], place - std::floor(place));
}

Result<NoisyRuns> NoisyRuns::make(const Schedule& schedule, const Costs& costs)
{
    if (schedule.spec().messages == MessageRule::Committed)
        return fail(ErrorCode::BadValue,
                    "noise is for early messages, and those of this schedule are committed");
    PW_DO(refuseOffload(costs, schedule.spec(), "noise knows no copies to the host"));
    PW_DO(simulate(schedule, costs));
    const HeldActivation none{HeldActivation::unlimited, HeldActivation::unlimited};
    const OrderProblem problem(schedule, costs, OrderAim::Makespan,
                               std::vector<HeldActivation>(at(schedule.devices()), none));
    // What waits stands behind what it waits for.
    std::vector<std::int32_t> sequence(at(problem.nodes()));
    std::vector<std::int32_t> open(at(problem.nodes()), 0);
    std::size_t count = 0;
    const auto previous = [&](std::int32_t node) {
        return node > schedule.begin(problem.device(node)) ? node - 1 : -1;
    };
    for (std::int32_t node = 0; node < problem.nodes(); ++node) {
        open[at(node)] =
            static_cast<std::int32_t>(problem.inputs(node).size()) + (previous(node) >= 0 ? 1 : 0);
        if (open[at(node)] == 0)
            sequence[count++] = node;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t node = sequence[i];
        const auto done = [&](std::int32_t next) {
            if (--open[at(next)] == 0)
                sequence[count++] = next;
        };
        if (node + 1 < schedule.end(problem.device(node)))
            done(node + 1);
        for (const OrderProblem::Arc& arc : problem.outputs(node))
            done(arc.node);
    }
    NoisyRuns runs;
    runs.m_devices = schedule.devices();
    runs.m_trace = costs.linkTrace;
    std::vector<std::int32_t> place(at(problem.nodes()));
    for (std::size_t i = 0; i < count; ++i)
        place[at(sequence[i])] = static_cast<std::int32_t>(i);
    for (std::size_t i = 0; i < count; ++i) {
        const EntryId node(sequence[i]);
        Node made;
        made.device = problem.device(node);
        made.entry = node;
        made.previous = previous(node) >= 0 ? place[at(previous(node))] : -1;
        made.time = static_cast<double>(problem.time(node));
        made.kind = static_cast<std::uint8_t>(problem.entry(node).pass.kind);
        made.firstInput = static_cast<std::int32_t>(runs.m_inputs.size());
        for (const OrderProblem::Arc& arc : problem.inputs(node)) {
            runs.m_inputs.push_back({place[at(arc.node)],
                                     problem.device(arc.node) * runs.m_devices + made.device,
                                     static_cast<double>(arc.delay)});
        }
        made.lastInput = static_cast<std::int32_t>(runs.m_inputs.size());
        runs.m_nodes.push_back(made);
    }
    return runs;
}

bool NoisyRuns::linked(DeviceId from, DeviceId to) const
{
    return std::any_of(m_inputs.begin(), m_inputs.end(), [&](const Input& input) {
        return input.link == from * m_devices + to && input.delay > 0;
    });
}

void NoisyRuns::batch(const NoiseModel& model, const NoiseTables& tables, std::uint64_t seed,
                      std::span<double> makespans, std::vector<double>& ends,
                      std::vector<double>* starts) const
{
    NoiseDraws draws(seed);
    std::array<std::uint16_t, noiseLanes> places = {};
    std::array<double, noiseLanes> start = {}, last = {};
    std::vector<std::array<double, noiseLanes>> ranks(at(m_devices));
    for (std::size_t device = 0; device < ranks.size(); ++device) {
        draws.places(places);
        for (std::size_t lane = 0; lane < noiseLanes; ++lane) {
            ranks[device][lane] = factorOf(model.rankFactor, device) *
                                  (tables.rank.empty() ? 1 : tables.rank[places[lane]]);
        }
    }
    ends.resize(m_nodes.size() * noiseLanes);
    for (std::size_t n = 0; n < m_nodes.size(); ++n) {
        const Node& node = m_nodes[n];
        const double* before = node.previous >= 0 ? &ends[at(node.previous) * noiseLanes] : nullptr;
        for (std::size_t lane = 0; lane < noiseLanes; ++lane)
            start[lane] = before != nullptr ? before[lane] : 0;
        for (std::int32_t i = node.firstInput; i < node.lastInput; ++i) {
            const Input& input = m_inputs[at(i)];
            const double* sent = &ends[at(input.node) * noiseLanes];
            const double delay = input.delay * factorOf(model.linkFactor, at(input.link));
            std::array<double, noiseLanes> left;
            left.fill(delay);
            if (!tables.message.empty()) {
                draws.places(places);
                for (std::size_t lane = 0; lane < noiseLanes; ++lane)
                    left[lane] = delay * tables.message[places[lane]];
            }
            const auto* own =
                model.linkTraces.empty() ? nullptr : &model.linkTraces[at(input.link)];
            const auto& trace = own != nullptr && !own->empty() ? *own : m_trace;
            if (trace.empty()) {
                for (std::size_t lane = 0; lane < noiseLanes; ++lane)
                    start[lane] = std::max(start[lane], sent[lane] + left[lane]);
            } else {
                for (std::size_t lane = 0; lane < noiseLanes; ++lane)
                    start[lane] = std::max(start[lane], arrivalOver(trace, sent[lane], left[lane]));
            }
        }
        if (starts != nullptr)
            std::copy(start.begin(), start.end(), starts->begin() + offsetOf(n));
        double* end = &ends[n * noiseLanes];
        const auto& rank = ranks[at(node.device)];
        const std::vector<double>& table = tables.pass[node.kind];
        if (table.empty()) {
            for (std::size_t lane = 0; lane < noiseLanes; ++lane)
                end[lane] = start[lane] + node.time * rank[lane];
        } else {
            draws.places(places);
            for (std::size_t lane = 0; lane < noiseLanes; ++lane)
                end[lane] = start[lane] + node.time * rank[lane] * table[places[lane]];
        }
        for (std::size_t lane = 0; lane < noiseLanes; ++lane)
            last[lane] = std::max(last[lane], end[lane]);
    }
    std::copy_n(last.begin(), makespans.size(), makespans.begin());
}

NoiseSamples NoisyRuns::run(const NoiseModel& model, int samples, std::uint64_t seed, int threads,
                            const std::function<bool()>& stopped) const
{
    const NoiseTables tables(model);
    NoiseSamples result;
    {
        NoiseModel still = model;
        still.passSpread = {};
        still.messageSpread = still.rankSpread = 0;
        std::vector<double> ends;
        std::array<double, 1> one = {};
        batch(still, NoiseTables(still), seed, one, ends);
        result.nominal = std::llround(one[0]);
    }
    const auto count = at(std::max(samples, 1));
    const std::size_t batches = (count + noiseLanes - 1) / noiseLanes;
    std::vector<double> makespans(batches * noiseLanes);
    std::vector<char> done(batches, 0);
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    const auto work = [&](bool asks) {
        std::vector<double> ends;
        for (std::size_t b = next++; b < batches && !stop; b = next++) {
            batch(model, tables, seedOf(seed, b),
                  std::span(makespans).subspan(b * noiseLanes, noiseLanes), ends);
            done[b] = 1;
            if (asks && b % 16 == 0 && stopped && stopped())
                stop = true;
        }
    };
    const auto wanted =
        threads > 0 ? at(threads) : std::max<std::size_t>(1, std::thread::hardware_concurrency());
    std::vector<std::thread> others;
    for (std::size_t t = 1; t < std::min(wanted, batches); ++t)
        others.emplace_back(work, false);
    work(true);
    for (std::thread& other : others)
        other.join();
    for (std::size_t i = 0; i < count; ++i) {
        if (done[i / noiseLanes] != 0)
            result.makespans.push_back(makespans[i]);
    }
    result.mean = std::accumulate(result.makespans.begin(), result.makespans.end(), 0.0) /
                  static_cast<double>(std::max<std::size_t>(1, result.makespans.size()));
    std::sort(result.makespans.begin(), result.makespans.end());
    return result;
}

void NoisyRuns::each(const NoiseModel& model, int samples, std::uint64_t seed,
                     const VisitRun& visit, const std::function<bool()>& stopped) const
{
    const NoiseTables tables(model);
    std::array<double, noiseLanes> makespans = {};
    std::vector<double> starts(m_nodes.size() * noiseLanes), ends(starts.size());
    std::vector<Ticks> start(m_nodes.size()), end(m_nodes.size());
    const auto count = at(std::max(samples, 1));
    for (std::size_t run = 0; run < count; ++run) {
        const std::size_t lane = run % noiseLanes;
        if (lane == 0) {
            if (stopped && stopped())
                return;
            batch(model, tables, seedOf(seed, run / noiseLanes), makespans, ends, &starts);
        }
        for (std::size_t n = 0; n < m_nodes.size(); ++n) {
            const std::size_t entry = at(m_nodes[n].entry);
            start[entry] = std::llround(starts[n * noiseLanes + lane]);
            end[entry] = std::llround(ends[n * noiseLanes + lane]);
        }
        visit(start, end);
    }
}

Sensitivity sensitivityOf(const NoisyRuns& runs, const NoiseModel& model, int samples,
                          std::uint64_t seed, const std::function<bool()>& stopped)
{
    Sensitivity found;
    const auto p = at(runs.devices());
    const double before = runs.run(model, samples, seed, 0, stopped).mean;
    const auto longer = [&](const NoiseModel& slower) {
        return runs.run(slower, samples, seed, 0, stopped).mean / before - 1;
    };
    NoiseModel slower = model;
    slower.rankFactor.resize(p, 1);
    slower.linkFactor.resize(p * p, 1);
    for (const DeviceId device : Ids<DeviceId>(p)) {
        double& factor = slower.rankFactor[device.index()];
        const double usual = factor;
        factor *= 1 + found.rankSlower;
        found.ranks.push_back({device, longer(slower)});
        factor = usual;
    }
    for (std::size_t link = 0; link < p * p; ++link) {
        const DeviceId from(link / p), to(link % p);
        if (!runs.linked(from, to))
            continue;
        const double usual = slower.linkFactor[link];
        slower.linkFactor[link] *= 1 + found.linkSlower;
        found.links.push_back({from, to, longer(slower)});
        slower.linkFactor[link] = usual;
    }
    const auto worst = [](const auto& a, const auto& b) { return a.longer > b.longer; };
    std::stable_sort(found.ranks.begin(), found.ranks.end(), worst);
    std::stable_sort(found.links.begin(), found.links.end(), worst);
    return found;
}

} // namespace pw
