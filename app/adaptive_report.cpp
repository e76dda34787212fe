// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/adaptive_report.h"

#include "app/stretch_table.h"
#include "app/text_table.h"
#include "core/base/text.h"
#include "core/io/json_text.h"

#include <algorithm>
#include <cmath>

namespace pw::app {

namespace {

std::string adaptiveSeconds(Ticks time)
{
    return plainNumber(static_cast<double>(time) / ticksPerSecond, 4);
}

/// How much longer than simulated, as a part.
double deviationOf(Ticks run, Ticks simulated)
{
    return simulated > 0 ? static_cast<double>(run) / static_cast<double>(simulated) - 1 : 0;
}

std::string deviationText(double part)
{
    const double percent = std::round(1000 * part) / 10;
    return (percent > 0 ? "+" : "") + plainNumber(percent) + " %";
}

/// Every fixed k and the one that follows the network: run and simulated.
std::string adaptiveTotals(const AdaptiveReport& report, const Screen& screen)
{
    using Align = TextTable::Align;
    TextTable table(screen, {{"", "", Align::Left},
                             {"k"},
                             {"micro-batch", "samples"},
                             {"run", "s"},
                             {"simulated", "s"},
                             {"run over simulated"},
                             {"throughput over 1F1B", "as run"}});
    const std::vector<GroupingPair>& pairs = report.simulated.pairs;
    const auto append = [&](const std::string& name, const GroupingPair* pair,
                            const exec::AdaptiveRun* run, Ticks simulated) {
        const bool compared = run != nullptr && !report.fixed.empty() && run->total > 0;
        table.append(
            {name, pair == nullptr ? "" : std::to_string(pair->group),
             pair == nullptr ? "" : std::to_string(pair->microBatch),
             run == nullptr ? "–" : adaptiveSeconds(run->total), adaptiveSeconds(simulated),
             run == nullptr ? "–" : deviationText(deviationOf(run->total, simulated)),
             compared ? deviationText(deviationOf(report.fixed[0].total, run->total)) : "–"});
    };
    for (std::size_t i = 0; i < pairs.size(); ++i)
        append(i == 0 ? "1F1B" : "fixed", &pairs[i],
               report.fixed.empty() ? nullptr : &report.fixed[i], report.simulated.fixed[i].total);
    append(screen.bold("adaptive"), nullptr, &report.adaptive, report.simulated.adaptive.total);
    return table.text(0);
}

/// A line for each stretch of one k.
std::string adaptiveChart(const AdaptiveReport& report, const Screen& screen)
{
    std::vector<StretchRow> rows;
    for (const auto& [first, count] : report.adaptive.stretches()) {
        const auto begin = report.adaptive.iterations.begin() + first;
        double slowdown = 0;
        std::for_each(begin, begin + count,
                      [&](const exec::AdaptiveIteration& one) { slowdown += one.slowdown; });
        const exec::AdaptiveIteration& last = *(begin + count - 1);
        const int k = report.simulated.pairs[static_cast<std::size_t>(begin->pair)].group;
        const RunNumber run = rows.size() < report.stored.size() ? report.stored[rows.size()] : 0;
        rows.push_back({run, begin->start, last.start + last.time, count, slowdown / count, k});
    }
    return stretchTable(rows, screen);
}

std::string stretchesText(const AdaptiveReport& report)
{
    if (report.stored.empty())
        return {};
    std::string numbers;
    for (const RunNumber number : report.stored)
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(number);
    return std::string(report.stored.size() == 1 ? "run " : "runs ") + numbers + " in " +
           report.storePath + ", one a stretch; pipewright show " +
           std::to_string(report.stored.front());
}

void writeAdaptiveRun(JsonText& json, const exec::AdaptiveRun& run, Ticks simulated)
{
    json.member("run_ms", msFromTicks(run.total));
    json.member("simulated_ms", msFromTicks(simulated));
    json.member("run_over_simulated", deviationOf(run.total, simulated));
}

void writeGroupingPair(JsonText& json, const GroupingPair& pair)
{
    json.member("k", pair.group);
    json.member("micro_batch", pair.microBatch);
    json.member("micro_batches", pair.microBatches);
}

void writeIteration(JsonText& json, const exec::AdaptiveIteration& one, int k)
{
    json.member("start_ms", msFromTicks(one.start));
    json.member("time_ms", msFromTicks(one.time));
    json.member("k", k);
    json.member("slowdown", one.slowdown);
}

void writeReport(JsonText& json, const AdaptiveReport& report, JsonText::Layout layout)
{
    json.beginObject(layout);
    json.key("fixed");
    json.beginArray(layout);
    for (std::size_t i = 0; i < report.simulated.pairs.size(); ++i) {
        const GroupingPair& pair = report.simulated.pairs[i];
        json.beginObject(JsonText::Layout::OneLine);
        writeGroupingPair(json, pair);
        if (report.fixed.empty())
            json.member("simulated_ms", msFromTicks(report.simulated.fixed[i].total));
        else
            writeAdaptiveRun(json, report.fixed[i], report.simulated.fixed[i].total);
        json.endObject();
    }
    json.endArray();
    json.key("adaptive");
    json.beginObject(JsonText::Layout::OneLine);
    writeAdaptiveRun(json, report.adaptive, report.simulated.adaptive.total);
    json.member("switches", report.adaptive.switches);
    json.member("between_ms", msFromTicks(report.adaptive.between));
    if (report.trains) {
        json.member("first_loss", report.adaptive.firstLoss);
        json.member("last_loss", report.adaptive.lastLoss);
    }
    json.endObject();
    json.key("iterations");
    json.beginArray(layout);
    for (const exec::AdaptiveIteration& one : report.adaptive.iterations) {
        json.beginObject(JsonText::Layout::OneLine);
        writeIteration(json, one, report.simulated.pairs[static_cast<std::size_t>(one.pair)].group);
        json.endObject();
    }
    json.endArray();
    json.key("stored");
    json.beginArray(JsonText::Layout::OneLine);
    for (const RunNumber number : report.stored)
        json.value(static_cast<std::int64_t>(number));
    json.endArray();
    json.endObject();
}

} // namespace

std::string textOf(const AdaptiveReport& report, const Screen& screen)
{
    const GroupingProblem& problem = report.problem;
    std::string text = screen.bold("kFkB, adaptive  " + countText(problem.devices, "device") +
                                   ", " + countText(problem.samples, "sample") + " a step, " +
                                   countText(report.iterations, "iteration")) +
                       "\n";
    std::string about = report.backendText + ". A sample takes F " + timeText(problem.forward) +
                        ", BW " + timeText(problem.backward) + " a stage; every pass " +
                        timeText(problem.fixed) + " more. A device holds " +
                        countText(problem.held, "sample") + ". Messages are measured every " +
                        countText(report.every, "iteration") + ".";
    text += screen.paint(wrapped(about, screen.width), Role::Secondary) + "\n" +
            adaptiveTotals(report, screen) + "\n" + adaptiveChart(report, screen) + "\n";
    std::string after = countText(report.adaptive.switches, "switch", "switches") + "; " +
                        "between the iterations " + timeText(report.adaptive.between) +
                        " went by that are not counted, to begin and to switch.";
    if (report.trains)
        after += " Loss, first and last step: " + plainNumber(report.adaptive.firstLoss) + ", " +
                 plainNumber(report.adaptive.lastLoss) + ".";
    text += wrapped(after, screen.width);
    if (const std::string stored = stretchesText(report); !stored.empty())
        text += wrapped(stored, screen.width);
    return text;
}

std::string jsonOf(const AdaptiveReport& report)
{
    JsonText json;
    writeReport(json, report, JsonText::Layout::Lines);
    return json.text();
}

std::string outlineLine(const AdaptiveReport& report, const std::vector<exec::GroupingPlan>& plans)
{
    JsonText json;
    json.beginObject(JsonText::Layout::OneLine);
    json.key("adaptive");
    json.beginObject(JsonText::Layout::OneLine);
    json.member("backend", report.backendText);
    json.member("devices", report.problem.devices);
    json.member("samples", report.problem.samples);
    json.member("iterations", report.iterations);
    json.member("every", report.every);
    json.key("pairs");
    json.beginArray(JsonText::Layout::OneLine);
    for (const exec::GroupingPlan& plan : plans) {
        json.beginObject(JsonText::Layout::OneLine);
        writeGroupingPair(json, plan.pair);
        json.endObject();
    }
    json.endArray();
    json.endObject();
    json.endObject();
    return json.text();
}

std::string iterationLine(const exec::AdaptiveIteration& iteration, int k)
{
    JsonText json;
    json.beginObject(JsonText::Layout::OneLine);
    json.key("iteration");
    json.beginObject(JsonText::Layout::OneLine);
    writeIteration(json, iteration, k);
    json.endObject();
    json.endObject();
    return json.text();
}

std::string sayingLine(const std::string& what)
{
    JsonText json;
    json.beginObject(JsonText::Layout::OneLine);
    json.member("saying", what);
    json.endObject();
    return json.text();
}

std::string resultLine(const AdaptiveReport& report)
{
    JsonText json;
    json.beginObject(JsonText::Layout::OneLine);
    json.key("result");
    writeReport(json, report, JsonText::Layout::OneLine);
    json.endObject();
    return json.text();
}

} // namespace pw::app
