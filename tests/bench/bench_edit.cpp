// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Times of editing, one thread. Build the release preset, then: build/release/tests/bench_edit
//
// A trial is one mouse move: the new order, its times, and what is refused. Beside each the plain
// simulation of the same schedule, in turns with the trials.

#include "core/edit/drag.h"
#include "core/edit/phases.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace pw;

[[noreturn]] void stop(const std::string& message)
{
    std::fprintf(stderr, "bench_edit: %s\n", message.c_str());
    std::exit(1);
}

double milliseconds(const std::function<void()>& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    return took.count();
}

struct Times
{
    std::vector<double> all;

    double part(double rate)
    {
        std::sort(all.begin(), all.end());
        return all[static_cast<std::size_t>(rate * static_cast<double>(all.size() - 1))];
    }
};

void print(const char* what, Times& times)
{
    std::printf("  %-34s %8.2f %8.2f %8.2f %8.2f\n", what, times.part(0), times.part(0.5),
                times.part(0.95), times.part(1));
}

struct Body
{
    const char* what;
    std::vector<EntryAt> grabbed;
    double reach; ///< of the pointer, in parts of the makespan
};

void timeDrag(const Draft& draft, const Costs& costs, const Body& body, DragMode mode)
{
    const auto schedule = Schedule::make(draft.spec, draft.orders);
    if (!schedule)
        stop(schedule.error().message);
    auto drag = Drag::begin(draft, costs, body.grabbed, mode);
    if (!drag)
        stop(drag.error().message);
    Simulator simulator;
    SimResult result;
    const Ticks makespan = drag->times().times.makespan;
    std::mt19937 random(5);
    Times trials, plain, held;
    std::size_t wrong = 0;
    for (int i = 0; i < 100; ++i) {
        const double part = (static_cast<double>(random() % 2001) / 1000 - 1) * body.reach;
        const auto offset = static_cast<Ticks>(part * static_cast<double>(makespan));
        trials.all.push_back(milliseconds([&] { drag->trial(offset); }));
        held.all.push_back(milliseconds([&] { drag->held(); }));
        wrong += drag->schedule() == nullptr ? 1 : 0;
        plain.all.push_back(milliseconds([&] {
            if (!simulator.run(*schedule, costs, result))
                stop("the schedule deadlocks");
        }));
    }
    std::printf(" %s, %s, %zu of 100 trials with problems\n", body.what,
                mode == DragMode::Strict ? "strict" : "free", wrong);
    print("trial", trials);
    print("held times on top", held);
    print("plain simulate", plain);
}

void timeFamily(const char* id, int p, int m)
{
    const auto family = findFamily(id);
    if (!family)
        stop(family.error().message);
    FamilyOptions options;
    options.devices = p;
    options.microBatches = m;
    for (const Parameter& parameter : (*family)->parameters) {
        if (parameter.name == "chunks")
            options.parameters.emplace_back("chunks", 2);
    }
    const auto schedule = buildUniform(**family, options, UniformCosts{});
    if (!schedule)
        stop(schedule.error().message);
    const Draft draft = draftOf(*schedule);
    const Costs costs = expand(UniformCosts{}, draft.spec);
    std::printf("\n%s %d×%d, %lld passes; ms: best, median, 95th percentile, worst\n", id, p, m,
                static_cast<long long>(schedule->passCount()));
    const int middle = p / 2;
    const auto position =
        static_cast<std::int32_t>(draft.orders[static_cast<std::size_t>(middle)].size() / 2);
    const std::vector<Body> bodies = {{"one pass, near", {{DeviceId(middle), position}}, 0.02},
                                      {"one pass, anywhere", {{DeviceId(middle), position}}, 0.5},
                                      {"a strand, anywhere", strandOf(draft, m / 2), 0.5}};
    for (const Body& body : bodies) {
        timeDrag(draft, costs, body, DragMode::Strict);
        timeDrag(draft, costs, body, DragMode::Free);
    }
    Times grab, make, times, slack;
    for (int i = 0; i < 5; ++i) {
        grab.all.push_back(milliseconds([&] {
            if (!Drag::begin(draft, costs, bodies[0].grabbed, DragMode::Strict))
                stop("cannot be grabbed");
        }));
        make.all.push_back(milliseconds([&] {
            if (!Schedule::make(draft.spec, draft.orders))
                stop("cannot be made");
        }));
        times.all.push_back(milliseconds([&] {
            if (!draftTimes(draft, costs))
                stop("has no times");
        }));
        const auto result = simulate(*schedule, costs);
        slack.all.push_back(milliseconds([&] { slackOf(*schedule, costs, *result); }));
    }
    std::printf(" once\n");
    print("grab", grab);
    print("Schedule::make", make);
    print("draft times", times);
    print("slack of all passes", slack);
}

} // namespace

int main()
{
#ifndef NDEBUG
    std::printf("This is a debug build; take figures from the release preset.\n");
#endif
    timeFamily("zb-v", 64, 512);
    timeFamily("interleaved-1f1b", 64, 512);
    return 0;
}
