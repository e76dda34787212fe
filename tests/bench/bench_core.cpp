// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Times of the core, one thread. Build the release preset, then: build/release/tests/bench_core
//
// Every figure is the best and the median of several repeats, since other work on a machine only
// ever adds time.

#include "core/families/family.h"
#include "core/sim/dependencies.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <vector>

namespace {

long long allocations = 0;

} // namespace

void* operator new(std::size_t size)
{
    ++allocations;
    if (void* memory = std::malloc(size == 0 ? 1 : size))
        return memory;
    throw std::bad_alloc();
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

namespace {

using namespace pw;

struct Timing
{
    double best = 0;   ///< ms
    double median = 0; ///< ms
};

Timing measure(int repeats, const std::function<void()>& work)
{
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i) {
        const auto start = std::chrono::steady_clock::now();
        work();
        const auto stop = std::chrono::steady_clock::now();
        times.push_back(std::chrono::duration<double, std::milli>(stop - start).count());
    }
    std::sort(times.begin(), times.end());
    return {times.front(), times[times.size() / 2]};
}

FamilyOptions optionsOf(const Family& family, int p, int m)
{
    FamilyOptions options;
    options.devices = p;
    options.microBatches = m;
    for (const Parameter& parameter : family.parameters) {
        if (parameter.name == "chunks")
            options.parameters.emplace_back("chunks", 2);
    }
    return options;
}

[[noreturn]] void stop(const std::string& message)
{
    std::fprintf(stderr, "bench_core: %s\n", message.c_str());
    std::exit(1);
}

/// A schedule as bare arrays: what any simulation of it has to read and write, and nothing else.
class BareLoop
{
public:
    BareLoop(const Schedule& schedule, const Costs& costs)
    {
        const Dependencies rules(schedule);
        std::vector<Dependency> needed;
        for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
            m_begin.push_back(schedule.begin(device));
            for (const EntryId e : schedule.entries(device)) {
                const OrderEntry entry = schedule.entry(e);
                m_duration.push_back(entryTime(costs, schedule.spec(), entry));
                m_memory.push_back(entry.pass.kind == PassKind::F   ? 1
                                   : entry.pass.kind == PassKind::B ? 0
                                                                    : -1);
                needed.clear();
                rules.append(schedule.table().id(entry.pass), needed);
                std::int32_t producer = -1;
                for (const Dependency& one : needed)
                    if (one.message)
                        producer = schedule.entryOf(one.producer);
                m_producer.push_back(producer);
            }
        }
        m_begin.push_back(schedule.entryCount());
        m_start.resize(m_duration.size());
        m_end.resize(m_duration.size());
    }

    /// Discovers the order by a worklist, with start and end of every entry and the memory's peak.
    Ticks run(Ticks latency)
    {
        const std::size_t devices = m_begin.size() - 1;
        std::vector<std::int32_t> next(m_begin.begin(), m_begin.end() - 1);
        std::vector<Ticks> free(devices, 0);
        std::vector<std::int64_t> held(devices, 0), peak(devices, 0);
        std::vector<std::int32_t> ready(devices), waiter(m_duration.size(), -1);
        std::fill(m_end.begin(), m_end.end(), Ticks{-1});
        for (std::size_t d = 0; d < devices; ++d)
            ready[d] = static_cast<std::int32_t>(devices - 1 - d);
        Ticks makespan = 0;
        while (!ready.empty()) {
            const auto d = static_cast<std::size_t>(ready.back());
            ready.pop_back();
            Ticks clock = free[d];
            std::int32_t e = next[d];
            for (; e < m_begin[d + 1]; ++e) {
                const auto at = static_cast<std::size_t>(e);
                const std::int32_t producer = m_producer[at];
                if (producer >= 0) {
                    const Ticks sent = m_end[static_cast<std::size_t>(producer)];
                    if (sent < 0) {
                        waiter[static_cast<std::size_t>(producer)] = static_cast<std::int32_t>(d);
                        break;
                    }
                    clock = std::max(clock, sent + latency);
                }
                m_start[at] = clock;
                clock += m_duration[at];
                m_end[at] = clock;
                held[d] += m_memory[at];
                peak[d] = std::max(peak[d], held[d]);
                if (waiter[at] >= 0)
                    ready.push_back(waiter[at]);
            }
            next[d] = e;
            free[d] = clock;
            makespan = std::max(makespan, clock);
        }
        return makespan;
    }

private:
    std::vector<std::int32_t> m_begin, m_producer;
    std::vector<Ticks> m_duration, m_start, m_end;
    std::vector<std::int64_t> m_memory;
};

void timeSimulator()
{
    std::printf(
        "simulate: times, bubbles and peaks of a known schedule, ns a pass; beside it the bare "
        "loop over the same arrays\n");
    std::printf("%-22s %9s %10s %8s %8s %8s %6s %s\n", "schedule", "passes", "best ms", "median",
                "ns/pass", "bare ms", "ratio", "allocations on a repeat");
    struct Case
    {
        const char* id;
        int p, m;
    };
    for (const Case& one : {Case{"zb-h1", 8, 32}, Case{"zb-h1", 64, 512}, Case{"1f1b", 64, 512},
                            Case{"zb-v", 64, 512}, Case{"interleaved-1f1b", 128, 2048}}) {
        const auto family = findFamily(one.id);
        if (!family)
            continue;
        const FamilyOptions options = optionsOf(**family, one.p, one.m);
        const auto schedule = buildUniform(**family, options, UniformCosts{});
        if (!schedule)
            stop(schedule.error().message);
        const Costs costs = expand(UniformCosts{}, schedule->spec());
        Simulator simulator;
        SimResult result;
        auto run = [&] {
            if (!simulator.run(*schedule, costs, result))
                stop("the schedule deadlocks");
        };
        run();
        const long long before = allocations;
        run();
        const long long repeat = allocations - before;
        BareLoop bare(*schedule, costs);
        if (bare.run(costs.link.latency) != result.makespan)
            stop("the bare loop has another makespan");
        // In turns, so that both meet the same machine.
        Timing timing, loop;
        for (int round = 0; round < 10; ++round) {
            const Timing ours = measure(10, run);
            const Timing theirs = measure(10, [&] { bare.run(costs.link.latency); });
            timing.best = round == 0 ? ours.best : std::min(timing.best, ours.best);
            loop.best = round == 0 ? theirs.best : std::min(loop.best, theirs.best);
            timing.median = round == 0 ? ours.median : std::min(timing.median, ours.median);
        }
        const auto passes = static_cast<double>(schedule->passCount());
        const std::string title =
            std::string(one.id) + " " + std::to_string(one.p) + "×" + std::to_string(one.m);
        std::printf("%-22s %9.0f %10.3f %8.3f %8.2f %8.3f %6.2f %lld\n", title.c_str(), passes,
                    timing.best, timing.median, timing.best * 1e6 / passes, loop.best,
                    timing.best / loop.best, repeat);
    }
}

void timeFamilies()
{
    std::printf(
        "\ngenerate, check and simulate, p=64, m=512, 2 chunks where a family has chunks\n");
    std::printf("%-22s %9s %10s %10s %10s %10s\n", "family", "passes", "build ms", "simulate",
                "sum", "median sum");
    for (const Family& family : allFamilies()) {
        if (family.search)
            continue;
        const FamilyOptions options = optionsOf(family, 64, 512);
        std::int64_t passes = 0;
        double build = 0;
        const Timing whole = measure(7, [&] {
            const auto start = std::chrono::steady_clock::now();
            const auto schedule = buildUniform(family, options, UniformCosts{});
            if (!schedule)
                stop(std::string(family.id) + ": " + schedule.error().message);
            const std::chrono::duration<double, std::milli> took =
                std::chrono::steady_clock::now() - start;
            build = build == 0 ? took.count() : std::min(build, took.count());
            const auto result = simulate(*schedule, expand(UniformCosts{}, schedule->spec()));
            if (!result)
                stop(std::string(family.id) + ": " + result.error().message);
            passes = schedule->passCount();
        });
        std::printf("%-22s %9lld %10.2f %10.2f %10.2f %10.2f\n", std::string(family.id).c_str(),
                    static_cast<long long>(passes), build, whole.best - build, whole.best,
                    whole.median);
    }
}

/// A search, and what the reference schedulers took for the same on another day on a like machine.
struct SearchCase
{
    const char* id;
    const char* reference;
    double limit;      ///< micro-batches; 0: the family's default
    double seconds[3]; ///< of the reference: 8×32, 16×64, 32×256; 0: did not finish in 120 s
};

void timeSearches()
{
    // Reference seconds are from golden/wall_times.json.
    const SearchCase cases[] = {{"zb-auto", "sail.zb_limp", 1, {0.00895, 0.03611, 0.30608}},
                                {"zb-auto", "sail.zb_lim2p", 2, {0.00884, 0.03697, 0.29428}},
                                {"zb-v", "sail.zbv", 0, {0.01897, 0.08224, 0.55842}},
                                {"v-min", "sail.vmin", 0, {0.07249, 0.46948, 7.76431}},
                                {"v-min", "primus.v-min", 0, {0.00812, 0.03349, 0.39802}},
                                {"v-half", "sail.vhalf", 0, {0.10307, 0.76303, 11.283}},
                                {"v-half", "primus.v-half", 0, {0.011, 0.06016, 0.87227}},
                                {"v-auto", "sail.v_auto_limp", 0.5, {0.40341, 6.73542, 126.89261}},
                                {"v-auto", "sail.v_auto_lim2p", 1, {4.39586, 40.18351, 0}}};
    const int sizes[3][2] = {{8, 32}, {16, 64}, {32, 256}};
    std::printf("\nsearches and greedy builders against the reference schedulers' own times\n");
    std::printf("%-10s %-18s %-8s %12s %12s %8s\n", "family", "reference", "p×m", "ours ms",
                "reference ms", "ratio");
    for (const SearchCase& one : cases) {
        const auto family = findFamily(one.id);
        if (!family)
            continue;
        for (int i = 0; i < 3; ++i) {
            FamilyOptions options;
            options.devices = sizes[i][0];
            options.microBatches = sizes[i][1];
            if (one.limit > 0)
                options.parameters.emplace_back("memory-limit", one.limit * sizes[i][0]);
            const Timing timing = measure(3, [&] {
                const auto schedule = buildUniform(**family, options, UniformCosts{});
                if (!schedule)
                    stop(std::string(one.id) + ": " + schedule.error().message);
            });
            const double reference = one.seconds[i] * 1000;
            const std::string size =
                std::to_string(sizes[i][0]) + "×" + std::to_string(sizes[i][1]);
            if (reference > 0) {
                std::printf("%-10s %-18s %-8s %12.3f %12.1f %7.0f×\n", one.id, one.reference,
                            size.c_str(), timing.best, reference, reference / timing.best);
            } else {
                std::printf("%-10s %-18s %-8s %12.3f %12s\n", one.id, one.reference, size.c_str(),
                            timing.best, "> 120000");
            }
        }
    }
}

} // namespace

int main()
{
#ifndef NDEBUG
    std::printf("This is a debug build; take figures from the release preset.\n\n");
#endif
    timeSimulator();
    timeFamilies();
    timeSearches();
    return 0;
}
