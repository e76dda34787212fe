// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/plan_report.h"

#include "app/text_table.h"
#include "core/base/text.h"
#include "core/plan/plan_json.h"
#include "core/plan/plan_words.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pw::app {

namespace {

using plan::Configuration;
using plan::Evaluation;

using plan::gibibyte;
constexpr double planGigabytes = 1e9; // of rates
constexpr double planMs = 1e3;

std::string planNumber(double value, int decimals)
{
    const std::array<double, 1> one = {value};
    std::string text = columnNumbers(one, decimals).front();
    return text;
}

std::string planTableText(const PlanQuestion& question, const std::vector<Evaluation>& rows,
                          std::size_t most, const Screen& screen)
{
    TextTable table(screen, {{"", ""},
                             {"family", "", TextTable::Align::Left},
                             {"degrees", "", TextTable::Align::Left},
                             {"size"},
                             {"m"},
                             {"v"},
                             {"recompute", "", TextTable::Align::Left},
                             {"iteration", "ms"},
                             {"tokens", "1/s"},
                             {"MFU", "%"},
                             {"peak", "GiB"},
                             {"bubble", "%"},
                             {"comm.", "%"},
                             {"layers", "", TextTable::Align::Left}});
    for (std::size_t i = 0; i < std::min(rows.size(), most); ++i) {
        const Evaluation& row = rows[i];
        const Configuration& c = row.configuration;
        table.append(
            {std::to_string(i + 1), c.family, plan::degreesText(c),
             std::to_string(c.microBatchSize), std::to_string(c.microBatches()),
             std::to_string(c.chunks), plan::recomputeText(c),
             planNumber(planMs * row.seconds(), 1),
             groupedNumber(static_cast<std::int64_t>(
                 std::min(plan::tokensPerSecond(question.model, row), 4e18))),
             planNumber(100 * plan::modelUtilisation(question.model, question.cluster, row), 1),
             planNumber(row.peakBytes() / gibibyte, 1), planNumber(100 * row.bubble, 1),
             planNumber(100 * row.exposedCommunication / row.seconds(), 1),
             plan::placedSplitText(question.cluster, c)});
    }
    return table.text();
}

/// The copies to the host of the busiest device: how long, what hides them, what is paid.
std::string offloadText(const PlanQuestion& question, const Evaluation& row, const Screen& screen)
{
    const plan::OffloadTimes& offload = row.offload;
    std::string text = screen.bold("What waits in the host's memory") + "\n";
    TextTable table(screen, {{"", "", TextTable::Align::Left}, {""}});
    std::string shares;
    for (const double share : row.configuration.offloadShares)
        shares += (shares.empty() ? "" : " ") + plainNumber(share, 3);
    table.append({"share of every stage", shares});
    table.append({"link to the host, GB/s",
                  planNumber(plan::hostRate(question.cluster) / planGigabytes, 1)});
    table.append({"copies there and back, ms", planNumber(planMs * offload.copies, 2)});
    table.append({"hidden under the passes, ms",
                  planNumber(planMs * (offload.copies - offload.exposed), 2)});
    table.append({"exposed, ms", planNumber(planMs * offload.exposed, 2)});
    table.append({"copies over passes", planNumber(offload.ratio, 3)});
    table.append(
        {"most in the host's memory, GiB a device", planNumber(offload.hostBytes / gibibyte, 2)});
    return text + table.text();
}

} // namespace

std::string planJson(const PlanQuestion& question, const plan::PlanTable& table)
{
    return plan::planJson(question.model, question.cluster, question.wish, table);
}

std::string planTables(const PlanQuestion& question, const plan::PlanTable& table,
                       const Screen& screen)
{
    std::string text =
        planTableText(question, table.rows, static_cast<std::size_t>(question.wish.rows), screen);
    if (table.pareto.size() > 1) {
        text += "\n" + screen.bold("Less memory, more time") + "\n" +
                planTableText(question, table.pareto, 12, screen);
    }
    if (!table.unflushed.empty())
        text += "\n" + screen.bold("Without a flush, on the shapes above") +
                ", with weights that are a step old or more\n" +
                planTableText(question, table.unflushed, table.unflushed.size(), screen);
    return text;
}

namespace {

/// What every rank holds, by kind; what only some engines hold has a column where there is some.
std::string planMemoryTable(const Evaluation& row, const Screen& screen)
{
    std::vector<std::vector<plan::NamedBytes>> ranks;
    for (const plan::MemoryParts& memory : row.memory)
        ranks.push_back(plan::namedBytes(memory));
    const std::size_t kinds = ranks.empty() ? 0 : ranks.front().size();
    std::vector<std::size_t> shown;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        if (std::any_of(ranks.begin(), ranks.end(), [kind](const auto& rank) {
                return !rank[kind].ofEngine || rank[kind].bytes > 0;
            }))
            shown.push_back(kind);
    }
    std::vector<TextTable::Column> columns = {{"rank"}};
    for (const std::size_t kind : shown)
        columns.push_back({.title = ranks.front()[kind].title});
    // Versions go first where there is no room, the sum last.
    columns[2].worth = TextTable::usualWorth - 1;
    columns.push_back({.title = "all", .worth = TextTable::usualWorth + 1});
    TextTable bytes(screen, columns);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        std::vector<std::string> cells = {std::to_string(rank)};
        for (const std::size_t kind : shown)
            cells.push_back(planNumber(ranks[rank][kind].bytes / gibibyte, 2));
        cells.push_back(planNumber(row.memory[rank].total() / gibibyte, 2));
        bytes.append(std::move(cells));
    }
    return bytes.text();
}

} // namespace

std::string whyText(const PlanQuestion& question, const Evaluation& row, const Screen& screen)
{
    std::string text = screen.bold("What the iteration takes") + ": " + plan::rowName(row) + "\n";
    TextTable times(screen, {{"", "", TextTable::Align::Left},
                             {"time", "ms"},
                             {"part", "%"},
                             {"from", "", TextTable::Align::Left}});
    for (const plan::NamedPart& part : plan::namedParts(row)) {
        if (part.seconds > 0)
            times.append({part.name, planNumber(planMs * part.seconds, 2),
                          planNumber(100 * part.seconds / row.seconds(), 1), part.source});
    }
    times.append({"all", planNumber(planMs * row.seconds(), 2), "100",
                  "constants: " + plan::constantsSource(question.cluster)});
    text += times.text() + "\n";
    if (row.configuration.offload != plan::OffloadPolicy::None)
        text += offloadText(question, row, screen) + "\n";
    text += screen.bold("What every pipeline rank holds") + ", GiB\n";
    text += planMemoryTable(row, screen);
    return text;
}

std::string planWhatIfs(const PlanQuestion& question, const plan::PlanTable& table,
                        const std::atomic<bool>& stop)
{
    std::string text;
    for (const std::string& line :
         plan::whatWouldHelp(question.model, question.cluster, question.wish, table, stop)) {
        // Where memory rules out what is faster.
        const bool offload = line.starts_with(plan::hostMemoryHelp) &&
                             line.find(" more tokens ") != std::string::npos;
        text += "  " + line + (offload ? "; --offload search looks for it" : "") + "\n";
    }
    return text.empty() ? text : "What would help\n" + text;
}

std::string nothingFitsText(const PlanQuestion& question, const plan::PlanTable& table,
                            const std::atomic<bool>* stop)
{
    if (!table.nearest)
        return "no configuration can be built for this model, batch and cluster";
    constexpr double mostShown = 4e18;
    const double needed = table.nearest->peakBytes();
    std::string text =
        "nothing fits: of all " +
        countText(static_cast<std::int64_t>(table.candidates), "configuration") + " of " +
        countText(static_cast<std::int64_t>(table.families), "family", "families") +
        " the leanest needs " + byteText(static_cast<Bytes>(std::min(needed, mostShown))) +
        " on a device that has " +
        byteText(static_cast<Bytes>(plan::mostUsableMemory(question.cluster))) + " (" +
        table.nearest->configuration.family + ", pipeline " +
        std::to_string(table.nearest->configuration.pipelineParallel) + ", tensor " +
        std::to_string(table.nearest->configuration.tensorParallel) + ", recompute " +
        std::string(name(table.nearest->configuration.recompute)) +
        "); it would fit with --memory-limit ";
    const plan::SmallestChange change =
        plan::smallestChange(question.model, question.cluster, question.wish, table, stop);
    text += plainNumber(change.memoryGib, 6);
    if (change.devices > 0)
        text += question.cluster.groups.empty()
                    ? ", or with --gpus " + std::to_string(change.devices)
                    : ", or with " + std::to_string(change.devices) + " GPUs in the same parts";
    if (change.offload)
        text += ", or with --offload " + std::string(name(*change.offload));
    return text;
}

} // namespace pw::app
