// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/grouping_options.h"
#include "app/interrupt.h"
#include "app/noise_options.h"
#include "app/text_table.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/json_text.h"
#include "core/noise/adaptive_k.h"

#include <algorithm>
#include <array>
#include <ostream>

namespace pw::app::commands {

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

Outcome runAdapt(const Arguments& arguments, Console& console)
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

std::vector<Option> optionsOfAdapt()
{
    const GroupingHelp help;
    std::vector<Option> all = {
        countOption("devices", "P", "devices, p (default 8)", help.shape, 1024),
        timeOption("forward", "F of one sample on a stage (default 1)", help.times),
        timeOption("backward", "BW of one sample on a stage (default 2)", help.times)};
    const std::vector<Option> common = groupingOptions(help);
    all.insert(all.end(), common.begin(), common.end());
    all.push_back({.name = "link-trace",
                   .kind = ValueKind::Text,
                   .placeholder = "MS:FACTOR,…",
                   .summary = "from time MS on, messages take FACTOR times as long (default " +
                              std::string(usualLinkTrace) + ")",
                   .section = help.times});
    all.push_back(countOption("iterations", "N", "iterations (default 100)", help.tuner, 1e6));
    all.push_back({.name = "seed",
                   .kind = ValueKind::Whole,
                   .placeholder = "N",
                   .summary = "of the noise (default 1)",
                   .section = "Noise",
                   .minimum = 0,
                   .maximum = 1e9});
    const std::vector<Option> noise = noiseOptions("none");
    all.insert(all.end(), noise.begin(), noise.end());
    all.push_back({.name = "json", .summary = "for programs: one object", .section = "Output"});
    return all;
}

} // namespace

Command adapt()
{
    Command command;
    command.name = "adapt";
    command.group = CommandGroup::Design;
    command.summary = "kFkB whose k follows the network, beside every fixed k and 1F1B";
    command.words = "";
    command.about =
        "kFkB runs k forwards and k backwards in turn. A larger k hides messages behind the "
        "passes of a group, but needs smaller micro-batches in the same memory, which run less "
        "efficiently. For each k the fastest micro-batch that fits is taken; a tuner learns from "
        "each iteration how slow links were, and every few of them goes on with the k that is best "
        "for the last one, or was best for all where following has lost time.\n"
        "Everything is simulated: each fixed k and the tuner on the same network.";
    command.examples = {"pipewright adapt",
                        "pipewright adapt --devices 4 --batch 32 --link-trace 0:1,500:20,2500:1",
                        "pipewright adapt --jitter 5,message=30 --iterations 60 --json"};
    command.options = optionsOfAdapt;
    command.run = runAdapt;
    return command;
}

} // namespace pw::app::commands
