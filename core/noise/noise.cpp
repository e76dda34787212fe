// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/noise/noise.h"

#include "core/base/assert.h"
#include "core/base/index.h"
#include "core/optimise/order_problem.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <thread>

namespace pw {

namespace {

/// Runs that are evaluated side by side.
constexpr std::size_t lanes = 8;
/// Values of a distribution that are drawn from; each is equally likely.
constexpr std::size_t tableBits = 12;
constexpr std::size_t tableSize = std::size_t{1} << tableBits;

/// Fast, small, good enough for draws from a table. @source xoshiro256+, Blackman & Vigna
class Draws
{
public:
    explicit Draws(std::uint64_t seed)
    {
        // splitmix64, as its authors advise for seeding.
        for (std::uint64_t& word : m_state) {
            seed += 0x9e3779b97f4a7c15ULL;
            std::uint64_t z = seed;
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
            z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
            word = z ^ (z >> 31);
        }
    }

    /// Places in a table for all lanes.
    void places(std::array<std::uint16_t, lanes>& out)
    {
        // Five places fit the upper 60 bits of a word.
        std::uint64_t word = 0;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            if (lane % 5 == 0)
                word = next() >> 4;
            out[lane] = static_cast<std::uint16_t>(word & (tableSize - 1));
            word >>= tableBits;
        }
    }

private:
    std::uint64_t next()
    {
        const std::uint64_t result = m_state[0] + m_state[3];
        const std::uint64_t t = m_state[1] << 17;
        m_state[2] ^= m_state[0];
        m_state[3] ^= m_state[1];
        m_state[1] ^= m_state[2];
        m_state[0] ^= m_state[3];
        m_state[2] ^= t;
        m_state[3] = (m_state[3] << 45) | (m_state[3] >> 19);
        return result;
    }

    std::array<std::uint64_t, 4> m_state = {};
};

/// The value that a standard normal variable stays below with probability `part`.
/// @source bisection of the error function; only for tables
double normalQuantile(double part)
{
    double low = -9, high = 9;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (0.5 * std::erfc(-middle / std::sqrt(2.0)) < part ? low : high) = middle;
    }
    return (low + high) / 2;
}

/// Equally likely factors, log-normal with mean 1; empty where there is no spread.
std::vector<double> factorTable(double spread)
{
    if (spread <= 0)
        return {};
    static const std::vector<double> normal = [] {
        std::vector<double> values(tableSize);
        for (std::size_t i = 0; i < tableSize; ++i)
            values[i] =
                normalQuantile((static_cast<double>(i) + 0.5) / static_cast<double>(tableSize));
        return values;
    }();
    const double sigma = std::sqrt(std::log1p(spread * spread));
    std::vector<double> table(tableSize);
    for (std::size_t i = 0; i < tableSize; ++i)
        table[i] = std::exp(sigma * normal[i] - sigma * sigma / 2);
    const double mean =
        std::accumulate(table.begin(), table.end(), 0.0) / static_cast<double>(tableSize);
    for (double& factor : table)
        factor /= mean;
    return table;
}

/// Arrival of a message that takes `left` over a link of full speed.
double arrivalOver(const std::vector<LinkPhase>& trace, double sent, double left)
{
    if (trace.empty() || left <= 0)
        return sent + left;
    auto phase =
        std::upper_bound(trace.begin(), trace.end(), sent, [](double time, const LinkPhase& one) {
            return time < static_cast<double>(one.start);
        });
    double pace = phase == trace.begin() ? 1 : std::prev(phase)->slowdown;
    double now = sent;
    for (; phase != trace.end(); ++phase) {
        const double until = static_cast<double>(phase->start);
        if (now + left * pace <= until)
            break;
        left -= (until - now) / pace;
        now = until;
        pace = phase->slowdown;
    }
    return now + left * pace;
}

double factorOf(const std::vector<double>& table, std::size_t index)
{
    return table.empty() ? 1 : table[index];
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

struct NoisyRuns::Tables
{
    std::array<std::vector<double>, passKindCount> pass;
    std::vector<double> message, rank;
};

Result<NoisyRuns> NoisyRuns::make(const Schedule& schedule, const Costs& costs)
{
    if (schedule.spec().messages == MessageRule::Committed)
        return fail(ErrorCode::BadValue, "noise is for early messages, and those of this "
                                         "schedule are committed");
    const Result<SimResult> nominal = simulate(schedule, costs);
    if (!nominal)
        return fail(nominal.error());
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
        const std::int32_t node = sequence[i];
        Node made;
        made.device = problem.device(node);
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

bool NoisyRuns::linked(int from, int to) const
{
    return std::any_of(m_inputs.begin(), m_inputs.end(), [&](const Input& input) {
        return input.link == from * m_devices + to && input.delay > 0;
    });
}

void NoisyRuns::batch(const NoiseModel& model, const Tables& tables, std::uint64_t seed,
                      std::span<double> makespans, std::vector<double>& ends) const
{
    Draws draws(seed);
    std::array<std::uint16_t, lanes> places = {};
    std::array<double, lanes> start = {}, last = {};
    std::vector<std::array<double, lanes>> ranks(at(m_devices));
    for (std::size_t device = 0; device < ranks.size(); ++device) {
        draws.places(places);
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            ranks[device][lane] = factorOf(model.rankFactor, device) *
                                  (tables.rank.empty() ? 1 : tables.rank[places[lane]]);
        }
    }
    ends.resize(m_nodes.size() * lanes);
    for (std::size_t n = 0; n < m_nodes.size(); ++n) {
        const Node& node = m_nodes[n];
        const double* before = node.previous >= 0 ? &ends[at(node.previous) * lanes] : nullptr;
        for (std::size_t lane = 0; lane < lanes; ++lane)
            start[lane] = before != nullptr ? before[lane] : 0;
        for (std::int32_t i = node.firstInput; i < node.lastInput; ++i) {
            const Input& input = m_inputs[at(i)];
            const double* sent = &ends[at(input.node) * lanes];
            const double delay = input.delay * factorOf(model.linkFactor, at(input.link));
            std::array<double, lanes> left;
            left.fill(delay);
            if (!tables.message.empty()) {
                draws.places(places);
                for (std::size_t lane = 0; lane < lanes; ++lane)
                    left[lane] = delay * tables.message[places[lane]];
            }
            const auto* own =
                model.linkTraces.empty() ? nullptr : &model.linkTraces[at(input.link)];
            const auto& trace = own != nullptr && !own->empty() ? *own : m_trace;
            if (trace.empty()) {
                for (std::size_t lane = 0; lane < lanes; ++lane)
                    start[lane] = std::max(start[lane], sent[lane] + left[lane]);
            } else {
                for (std::size_t lane = 0; lane < lanes; ++lane)
                    start[lane] = std::max(start[lane], arrivalOver(trace, sent[lane], left[lane]));
            }
        }
        double* end = &ends[n * lanes];
        const auto& rank = ranks[at(node.device)];
        const std::vector<double>& table = tables.pass[node.kind];
        if (table.empty()) {
            for (std::size_t lane = 0; lane < lanes; ++lane)
                end[lane] = start[lane] + node.time * rank[lane];
        } else {
            draws.places(places);
            for (std::size_t lane = 0; lane < lanes; ++lane)
                end[lane] = start[lane] + node.time * rank[lane] * table[places[lane]];
        }
        for (std::size_t lane = 0; lane < lanes; ++lane)
            last[lane] = std::max(last[lane], end[lane]);
    }
    std::copy_n(last.begin(), makespans.size(), makespans.begin());
}

NoiseSamples NoisyRuns::run(const NoiseModel& model, int samples, std::uint64_t seed, int threads,
                            const std::function<bool()>& stopped) const
{
    Tables tables;
    for (std::size_t kind = 0; kind < passKindCount; ++kind)
        tables.pass[kind] = factorTable(model.passSpread[kind]);
    tables.message = factorTable(model.messageSpread);
    tables.rank = factorTable(model.rankSpread);
    NoiseSamples result;
    {
        NoiseModel still = model;
        still.passSpread = {};
        still.messageSpread = still.rankSpread = 0;
        std::vector<double> ends;
        std::array<double, 1> one = {};
        batch(still, {}, seed, one, ends);
        result.nominal = std::llround(one[0]);
    }
    const auto count = at(std::max(samples, 1));
    const std::size_t batches = (count + lanes - 1) / lanes;
    std::vector<double> makespans(batches * lanes);
    std::vector<char> done(batches, 0);
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    const auto work = [&](bool asks) {
        std::vector<double> ends;
        for (std::size_t b = next++; b < batches && !stop; b = next++) {
            batch(model, tables, seed * 0x2545f4914f6cdd1dULL + b,
                  std::span(makespans).subspan(b * lanes, lanes), ends);
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
        if (done[i / lanes] != 0)
            result.makespans.push_back(makespans[i]);
    }
    result.mean = std::accumulate(result.makespans.begin(), result.makespans.end(), 0.0) /
                  static_cast<double>(std::max<std::size_t>(1, result.makespans.size()));
    std::sort(result.makespans.begin(), result.makespans.end());
    return result;
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
    for (std::size_t device = 0; device < p; ++device) {
        const double usual = slower.rankFactor[device];
        slower.rankFactor[device] *= 1 + found.rankSlower;
        found.ranks.push_back({static_cast<int>(device), longer(slower)});
        slower.rankFactor[device] = usual;
    }
    for (std::size_t link = 0; link < p * p; ++link) {
        const int from = static_cast<int>(link / p), to = static_cast<int>(link % p);
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
