// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/plan_report.h"

#include "app/text_table.h"
#include "core/base/text.h"
#include "core/io/json_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pw::app {

namespace {

using plan::Configuration;
using plan::Evaluation;

constexpr double planGb = 1e9;
constexpr double planMs = 1e3;

double planTokensPerSecond(const PlanQuestion& question, const Evaluation& row)
{
    return static_cast<double>(row.configuration.globalBatch) * question.model.dense.sequence /
           row.seconds();
}

std::string planNumber(double value, int decimals)
{
    const std::array<double, 1> one = {value};
    std::string text = columnNumbers(one, decimals).front();
    return text;
}

std::string planPercent(double part)
{
    return plainNumber(100 * part, 3) + " %";
}

/// Degrees in one word: "pp8 tp4 dp2".
std::string planDegreesText(const Configuration& c)
{
    std::string text = "pp" + std::to_string(c.pipelineParallel) + " tp" +
                       std::to_string(c.tensorParallel) + " dp" + std::to_string(c.dataParallel);
    if (c.contextParallel > 1)
        text += " cp" + std::to_string(c.contextParallel);
    if (c.expertParallel > 1)
        text += " ep" + std::to_string(c.expertParallel);
    return text;
}

/// Equal neighbours of a split together: "10×7 9".
std::string planSplitText(const std::vector<int>& split)
{
    std::string text;
    for (std::size_t i = 0; i < split.size();) {
        std::size_t end = i;
        while (end < split.size() && split[end] == split[i])
            ++end;
        text += (text.empty() ? "" : " ") + std::to_string(split[i]);
        if (end - i > 1)
            text += "×" + std::to_string(end - i);
        i = end;
    }
    return text;
}

std::string planRowName(const Evaluation& row)
{
    const Configuration& c = row.configuration;
    std::string text = c.family + " " + planDegreesText(c) + ", micro-batches of " +
                       std::to_string(c.microBatchSize);
    if (c.chunks > 1)
        text += ", " + std::to_string(c.chunks) + " chunks";
    if (c.recompute != RecomputePolicy::None)
        text += ", recompute " + std::string(name(c.recompute));
    return text;
}

struct PlanPart
{
    const char* name;
    double seconds;
};

std::vector<PlanPart> planPartsOf(const Evaluation& row)
{
    const plan::IterationParts& parts = row.parts;
    return {{"matrix products", parts.busiest.products},
            {"attention", parts.busiest.attention},
            {"element-wise kernels", parts.busiest.traffic},
            {"waiting for the host", parts.busiest.host},
            {"tensor collectives", parts.busiest.tensor},
            {"expert exchange", parts.busiest.expert},
            {"context exchange", parts.busiest.context},
            {"messages between stages", parts.exchange},
            {"bubble of the busiest device", parts.idle},
            {"sum of gradients", parts.reduction},
            {"tied embedding", parts.tied},
            {"optimizer", parts.optimizer},
            {"rest of a step", parts.other}};
}

/// Why a row is where it is: for JSON, and for people.
std::string planReason(const Evaluation& row, const Evaluation& best)
{
    if (!row.fits)
        return row.reason;
    if (row.configuration == best.configuration)
        return "fastest that fits";
    const std::vector<PlanPart> mine = planPartsOf(row), others = planPartsOf(best);
    std::size_t most = 0;
    for (std::size_t i = 1; i < mine.size(); ++i) {
        if (mine[i].seconds - others[i].seconds > mine[most].seconds - others[most].seconds)
            most = i;
    }
    return planPercent(row.seconds() / best.seconds() - 1) + " slower: " + mine[most].name +
           " take " + plainNumber(planMs * (mine[most].seconds - others[most].seconds), 4) +
           " ms more";
}

void planRowJson(JsonText& json, const PlanQuestion& question, const Evaluation& row,
                 const Evaluation& best)
{
    const Configuration& c = row.configuration;
    json.beginObject(JsonText::Layout::OneLine);
    json.member("family", std::string_view(c.family));
    json.key("parameters");
    json.beginObject(JsonText::Layout::OneLine);
    for (const auto& [parameter, value] : c.parameters)
        json.member(parameter, value);
    json.endObject();
    json.member("pipeline_parallel", c.pipelineParallel);
    json.member("tensor_parallel", c.tensorParallel);
    json.member("data_parallel", c.dataParallel);
    json.member("context_parallel", c.contextParallel);
    json.member("expert_parallel", c.expertParallel);
    json.member("micro_batch_size", c.microBatchSize);
    json.member("micro_batches", c.microBatches());
    json.member("chunks", c.chunks);
    json.member("recompute", name(c.recompute));
    json.key("split");
    json.beginArray(JsonText::Layout::OneLine);
    for (const int layers : c.split)
        json.value(layers);
    json.endArray();
    json.member("iteration_ms", planMs * row.seconds());
    json.member("tokens_per_second", planTokensPerSecond(question, row));
    json.member("mfu", plan::modelUtilisation(question.model, question.cluster, row));
    json.key("peak_bytes");
    json.beginArray(JsonText::Layout::OneLine);
    for (const plan::MemoryParts& memory : row.memory)
        json.value(static_cast<std::int64_t>(std::llround(std::min(memory.total(), 4e18))));
    json.endArray();
    json.member("fits", row.fits);
    json.member("reason", std::string_view(planReason(row, best)));
    json.endObject();
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
                             {"peak", "GB"},
                             {"bubble", "%"},
                             {"comm.", "%"},
                             {"layers", "", TextTable::Align::Left}});
    for (std::size_t i = 0; i < std::min(rows.size(), most); ++i) {
        const Evaluation& row = rows[i];
        const Configuration& c = row.configuration;
        table.append(
            {std::to_string(i + 1), c.family, planDegreesText(c), std::to_string(c.microBatchSize),
             std::to_string(c.microBatches()), std::to_string(c.chunks),
             std::string(name(c.recompute)), planNumber(planMs * row.seconds(), 1),
             groupedNumber(
                 static_cast<std::int64_t>(std::min(planTokensPerSecond(question, row), 4e18))),
             planNumber(100 * plan::modelUtilisation(question.model, question.cluster, row), 1),
             planNumber(row.peakBytes() / planGb, 1), planNumber(100 * row.bubble, 1),
             planNumber(100 * row.exposedCommunication / row.seconds(), 1),
             planSplitText(c.split)});
    }
    return table.text();
}

} // namespace

std::string planJson(const PlanQuestion& question, const plan::PlanTable& table)
{
    JsonText json;
    json.beginArray();
    const std::size_t most =
        std::min(table.rows.size(), static_cast<std::size_t>(question.wish.rows));
    for (std::size_t i = 0; i < most; ++i)
        planRowJson(json, question, table.rows[i], table.rows.front());
    if (table.rows.empty() && table.nearest)
        planRowJson(json, question, *table.nearest, *table.nearest);
    json.endArray();
    return json.text();
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
    return text;
}

std::string runnerUpText(const PlanQuestion& question, const plan::PlanTable& table)
{
    (void)question;
    if (table.rows.size() < 2)
        return {};
    const Evaluation& best = table.rows[0];
    const Evaluation& second = table.rows[1];
    const std::vector<PlanPart> a = planPartsOf(best), b = planPartsOf(second);
    std::vector<std::pair<double, const char*>> differences;
    for (std::size_t i = 0; i < a.size(); ++i)
        differences.emplace_back(b[i].seconds - a[i].seconds, a[i].name);
    std::sort(differences.begin(), differences.end(),
              [](const auto& x, const auto& y) { return std::abs(x.first) > std::abs(y.first); });
    std::string text = "Row 2, " + planRowName(second) + ", is " +
                       planPercent(second.seconds() / best.seconds() - 1) + " slower:";
    constexpr std::size_t named = 3;
    for (std::size_t i = 0; i < named; ++i) {
        const double ms = planMs * differences[i].first;
        constexpr double noticed = 0.01;
        if (std::abs(ms) < noticed)
            break;
        text += std::string(i == 0 ? " " : ", ") + differences[i].second + " " +
                (ms > 0 ? "+" : "") + plainNumber(ms, 4) + " ms";
    }
    return text;
}

std::string whyText(const PlanQuestion& question, const Evaluation& row, const Screen& screen)
{
    (void)question;
    std::string text = screen.bold("What the iteration takes") + ": " + planRowName(row) + "\n";
    TextTable times(screen, {{"", "", TextTable::Align::Left}, {"time", "ms"}, {"part", "%"}});
    for (const PlanPart& part : planPartsOf(row)) {
        if (part.seconds > 0)
            times.append({part.name, planNumber(planMs * part.seconds, 2),
                          planNumber(100 * part.seconds / row.seconds(), 1)});
    }
    times.append({"all", planNumber(planMs * row.seconds(), 2), "100"});
    text += times.text() + "\n" + screen.bold("What every pipeline rank holds") + ", GB\n";
    TextTable bytes(screen, {{"rank"},
                             {"weights"},
                             {"gradients"},
                             {"optimizer"},
                             {"activations"},
                             {"working"},
                             {"buffers"},
                             {"fragments"},
                             {"all"}});
    for (std::size_t rank = 0; rank < row.memory.size(); ++rank) {
        const plan::MemoryParts& memory = row.memory[rank];
        std::vector<std::string> cells = {std::to_string(rank)};
        for (const double part :
             {memory.weights, memory.gradients, memory.optimizer, memory.activations,
              memory.working, memory.buffers, memory.fragments, memory.total()})
            cells.push_back(planNumber(part / planGb, 2));
        bytes.append(std::move(cells));
    }
    return text + bytes.text();
}

std::string planWhatIfs(const PlanQuestion& question, const plan::PlanTable& table,
                        const std::atomic<bool>& stop)
{
    if (table.rows.empty())
        return {};
    const double now = table.rows.front().seconds();
    plan::Wish wish = question.wish;
    wish.rows = 1;
    std::string text;
    const auto line = [&](const std::string& what, const plan::Cluster& cluster) {
        if (stop.load())
            return;
        const Result<plan::PlanTable> other = plan::search(question.model, cluster, wish, &stop);
        text += "  " + what + ": ";
        if (!other || other->rows.empty()) {
            text += "nothing, for no configuration uses it" +
                    (other ? std::string() : " (" + other.error().message + ")") + "\n";
            return;
        }
        const Evaluation& row = other->rows.front();
        const double gain = now / row.seconds() - 1;
        constexpr double noticed = 0.0005;
        const std::string with =
            plainNumber(planMs * row.seconds(), 5) + " ms with " + planRowName(row) + "\n";
        text += gain > noticed ? planPercent(gain) + " more tokens a second, " + with
                               : "nothing; the best that uses it takes " + with;
    };
    plan::Cluster cluster = question.cluster;
    ++cluster.devices;
    line("one more GPU", cluster);
    cluster = question.cluster;
    cluster.device.memory *= 1.1;
    line("10 % more memory", cluster);
    cluster = question.cluster;
    cluster.device.insideBandwidth *= 2;
    cluster.device.nodeBandwidth *= 2;
    line("links twice as fast", cluster);
    return "What would help\n" + text;
}

} // namespace pw::app
