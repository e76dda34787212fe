// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/simulated_adapt.h"

#include "app/grouping_options.h"
#include "app/interrupt.h"
#include "app/noise_options.h"
#include "app/text_table.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/families/family_traits.h"
#include "core/io/json_text.h"
#include "core/noise/adaptive_k.h"

#include <algorithm>
#include <array>
#include <ostream>

namespace pw::app {

namespace {

tl::expected<GroupingProblem, Failure> problemOf(const Arguments& arguments)
{
    GroupingProblem usual;
    usual.devices = arguments.whole("devices", usual.devices);
    usual.forward = ticksFromMs(arguments.number("forward", 1));
    usual.backward = ticksFromMs(arguments.number("backward", 2));
    usual.fixed = ticksFromMs(1);
    usual.latency = ticksFromMs(0.05);
    usual.message = ticksFromMs(0.1);
    tl::expected<GroupingProblem, Failure> asked = groupingOf(arguments, std::move(usual));
    if (!asked)
        return asked;
    GroupingProblem& problem = *asked;
    if (arguments.has("jitter") || arguments.has("slow") || arguments.has("slow-link") ||
        arguments.has("trace-link")) {
        PW_TRY(NoiseModel noise, noiseOf(arguments, problem.devices));
        problem.noise = std::move(noise);
        if (!arguments.has("jitter"))
            problem.noise.passSpread = {};
        problem.linkTraces = std::move(problem.noise.linkTraces);
        problem.noise.linkTraces.clear();
    }
    return asked;
}

/// How much faster than 1F1B, as a part of its throughput.
double gainOver(const AdaptedRun& run, const AdaptedRun& reference)
{
    return run.total > 0 ? static_cast<double>(reference.total) / static_cast<double>(run.total) - 1
                         : 0;
}

void writePair(JsonText& json, const GroupingPair& pair)
{
    json.member("k", pair.group);
    json.member("micro_batch", pair.microBatch);
    json.member("micro_batches", pair.microBatches);
}

std::string jsonOf(const AdaptComparison& found)
{
    JsonText json;
    json.beginObject();
    json.key("fixed");
    json.beginArray();
    for (std::size_t i = 0; i < found.pairs.size(); ++i) {
        json.beginObject(JsonText::Layout::OneLine);
        writePair(json, found.pairs[i]);
        json.member("total_ms", msFromTicks(found.fixed[i].total));
        json.member("gain_over_1f1b", gainOver(found.fixed[i], found.fixed[0]));
        json.endObject();
    }
    json.endArray();
    json.member("adaptive_ms", msFromTicks(found.adaptive.total));
    json.member("gain_over_1f1b", gainOver(found.adaptive, found.fixed[0]));
    json.member("switches", found.adaptive.switches);
    json.key("iterations");
    json.beginArray();
    for (const AdaptedIteration& one : found.adaptive.iterations) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("start_ms", msFromTicks(one.start));
        json.member("time_ms", msFromTicks(one.time));
        json.member("k", found.pairs[static_cast<std::size_t>(one.pair)].group);
        json.member("slowdown", one.slowdown);
        json.endObject();
    }
    json.endArray();
    json.endObject();
    return json.text();
}

std::string fixedTable(const AdaptComparison& found, const Screen& screen)
{
    std::vector<double> times, gains;
    const auto add = [&](const AdaptedRun& run) {
        times.push_back(static_cast<double>(run.total) / ticksPerSecond);
        gains.push_back(100 * gainOver(run, found.fixed[0]));
    };
    for (const AdaptedRun& run : found.fixed)
        add(run);
    add(found.adaptive);
    const std::vector<std::string> timeTexts = columnNumbers(times);
    const std::vector<std::string> gainTexts = columnNumbers(gains, 2);
    TextTable table(screen, {{"", "", TextTable::Align::Left},
                             {"k"},
                             {"micro-batch", "samples"},
                             {"all iterations", "s"},
                             {"throughput", "% over 1F1B"}});
    for (std::size_t i = 0; i < found.pairs.size(); ++i) {
        table.append({i == 0 ? "1F1B" : "fixed", std::to_string(found.pairs[i].group),
                      std::to_string(found.pairs[i].microBatch), timeTexts[i], gainTexts[i]});
    }
    table.append({screen.bold("adaptive"), "", "", timeTexts.back(),
                  screen.paint(gainTexts.back(), Role::Accent)});
    return table.text(0);
}

/// k over time over the network: a line for each stretch of one k.
std::string chart(const AdaptComparison& found, const Screen& screen)
{
    constexpr std::size_t mostLines = 40;
    const auto& iterations = found.adaptive.iterations;
    TextTable table(screen, {{"from", "s"},
                             {"to", "s"},
                             {"links slower", "times"},
                             {"k"},
                             {"", "", TextTable::Align::Left}});
    std::size_t lines = 0;
    for (std::size_t i = 0; i < iterations.size() && lines < mostLines; ++lines) {
        std::size_t next = i;
        double slowdown = 0;
        while (next < iterations.size() && iterations[next].pair == iterations[i].pair)
            slowdown += iterations[next++].slowdown;
        slowdown /= static_cast<double>(next - i);
        const Ticks end = iterations[next - 1].start + iterations[next - 1].time;
        const int k = found.pairs[static_cast<std::size_t>(iterations[i].pair)].group;
        const auto seconds = [](Ticks time) {
            return plainNumber(static_cast<double>(time) / ticksPerSecond, 4);
        };
        std::string bar;
        for (int n = 0; n < std::min(k, 40); ++n)
            bar += "█";
        table.append({seconds(iterations[i].start), seconds(end), plainNumber(slowdown, 3),
                      std::to_string(k), screen.paint(bar, Role::Forward)});
        i = next;
    }
    return screen.bold("k over time") + "\n" + table.text();
}

/// All that --adapt heeds: its own options, and those of noise that it has in common with it.
std::vector<Option> heededOptions()
{
    std::vector<Option> all = simulatedAdaptOptions();
    const std::vector<Option> noise = noiseOptions();
    all.insert(all.end(), noise.begin(), noise.end());
    for (const char* name : {"devices", "forward", "backward", "link-trace", "seed", "json",
                             "color", "families", memoryLimitName})
        all.push_back({.name = name});
    return all;
}

} // namespace

std::vector<Option> simulatedAdaptOptions()
{
    const char* const section = "A k that follows the network (kfkb)";
    std::vector<Option> all = {
        {.name = "adapt",
         .summary = "of kfkb: every fixed k and a k that follows the network, beside 1F1B, with "
                    "8 devices, F 1 ms and BW 2 ms of a sample and --link-trace " +
                    std::string(usualLinkTrace) + ", where nothing else is said",
         .section = section}};
    const std::vector<Option> common = groupingOptions({section, section, section, "128", ""});
    all.insert(all.end(), common.begin(), common.end());
    all.push_back(countOption("iterations", "N", "iterations (default 100)", section, 1e6));
    return all;
}

tl::expected<void, Failure> checkSimulatedAdapt(const Arguments& arguments)
{
    if (!arguments.has("adapt")) {
        for (const Option& option : simulatedAdaptOptions())
            if (arguments.has(option.name))
                return usage("--" + option.name + " needs --adapt");
        return {};
    }
    const Family& family = regroupingFamily();
    if (arguments.words().size() != 1 || !sameName(arguments.words()[0], family.id))
        return usage("--adapt is for " + std::string(family.id) + " alone");
    const std::vector<Option> heeded = heededOptions();
    for (const std::string& name : arguments.names())
        if (std::none_of(heeded.begin(), heeded.end(),
                         [&name](const Option& option) { return option.name == name; }))
            return usage("--" + name +
                         " and --adapt exclude each other: micro-batches and k change on the way, "
                         "and the times are its own (--global-batch, --latency, --message)");
    return {};
}

Outcome simulateAdapting(const Arguments& arguments, Console& console)
{
    PW_TRY(const GroupingProblem problem, problemOf(arguments));
    exec::Stop stop;
    const int iterations = arguments.whole("iterations", 100);
    const int every = measuredEvery(arguments);
    const Result<AdaptComparison> found = [&] {
        const Interrupt interrupt(stop);
        return compareGroupings(problem, iterations, every,
                                static_cast<std::uint64_t>(arguments.number("seed", 1)),
                                [&stop] { return stop.requested(); });
    }();
    if (stop.requested())
        return wrong("stopped");
    if (!found)
        return wrong(found.error());
    if (arguments.has("json")) {
        console.out << jsonOf(*found);
        return ExitCode::Good;
    }
    const Screen& screen = console.screen;
    console.out << screen.bold(countText(problem.devices, "device") + ", " +
                               countText(problem.samples, "sample") + " a step, " +
                               countText(iterations, "iteration"))
                << "\n"
                << screen.paint(wrapped("A sample takes F " + timeText(problem.forward) + ", BW " +
                                            timeText(problem.backward) + " a stage and " +
                                            timeText(problem.message) + " a message; every pass " +
                                            timeText(problem.fixed) + " and every message " +
                                            timeText(problem.latency) + " more. A device holds " +
                                            countText(problem.held, "sample") +
                                            ". The tuner chooses k every " +
                                            countText(every, "iteration") +
                                            "; measuring and switching take no time.",
                                        screen.width),
                                Role::Secondary)
                << "\n"
                << fixedTable(*found, screen) << "\n"
                << chart(*found, screen);
    return ExitCode::Good;
}

} // namespace pw::app
