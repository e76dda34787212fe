// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/run_kernels.h"

#include "app/text_table.h"
#include "core/base/percent.h"
#include "core/base/text.h"
#include "executor/api/recording_sink.h"

#include <algorithm>

namespace pw::app {

namespace {

/// Kernels that are told of: those that take the most.
constexpr std::size_t mostNames = 5;
/// Shares that a screen shows, and that the log keeps.
constexpr std::size_t mostShown = 24;
constexpr std::size_t mostKept = 12;

/// All that kernels of passes took.
Ticks sumOf(const std::vector<exec::KernelTotal>& names)
{
    Ticks sum = 0;
    for (const exec::KernelTotal& total : names)
        sum += total.time;
    return sum;
}

double rateOf(const exec::KernelTotal& total, Ticks sum)
{
    return sum == 0 ? 0 : static_cast<double>(total.time) / static_cast<double>(sum);
}

std::string lostText(const RunKernels& kernels)
{
    if (kernels.count.lost == 0)
        return {};
    return countText(kernels.count.lost, "record was", "records were") +
           " lost, for want of room or of times; the passes of such kernels are busier than is "
           "said "
           "here.";
}

std::string millisecondsOf(Ticks time)
{
    return plainNumber(msFromTicks(time));
}

std::string sharesTable(const RunKernels& kernels, const PipelineSpec& spec, const Screen& screen)
{
    using Align = TextTable::Align;
    TextTable table(screen, {{"passes", "", Align::Left},
                             {"busy", "", Align::Right, 3},
                             {"kernels", "a pass"},
                             {"kernel time", "ms"},
                             {"pass", "ms"},
                             {"while counted", "ms", Align::Right, 2, 10}});
    for (std::size_t i = 0; i < std::min(mostShown, kernels.shares.size()); ++i) {
        const exec::KernelShare& share = kernels.shares[i];
        table.append({exec::nameOf(share, spec), screen.bold(percentText(share.share())),
                      groupedNumber(share.kernels), millisecondsOf(share.busy),
                      millisecondsOf(share.ordinary), millisecondsOf(share.watched)});
    }
    return table.text();
}

std::string namesTable(const RunKernels& kernels, const Screen& screen)
{
    using Align = TextTable::Align;
    TextTable table(screen, {{"kernels that take the most", "", Align::Left},
                             {"part", "", Align::Right, 3},
                             {"times", ""},
                             {"ms", ""}});
    const Ticks sum = sumOf(kernels.count.names);
    for (std::size_t i = 0; i < std::min(mostNames, kernels.count.names.size()); ++i) {
        const exec::KernelTotal& total = kernels.count.names[i];
        table.append({total.name, percentText(rateOf(total, sum)), groupedNumber(total.count),
                      millisecondsOf(total.time)});
    }
    return table.text();
}

std::string notCounted(const RunKernels& kernels)
{
    return "Kernels were not counted: " + kernels.missing;
}

} // namespace

Option kernelsOption()
{
    return {.name = "kernels",
            .summary = "counts the GPU's kernels in an iteration of its own behind the measured "
                       "ones: how far they fill the passes, and which take the most",
            .section = "Output"};
}

RunKernels countedKernels(const exec::RunPlan& plan, std::span<const RecordedPass> ordinary,
                          exec::Backend& backend, const exec::Stop& stop)
{
    exec::RunPlan watched = plan;
    watched.warmup = backend.info().warmup;
    watched.iterations = 1;
    watched.faults.clear();
    watched.forecast.reset();
    // The first launches under a library that watches take as long as it needs to get ready.
    constexpr Ticks patience = 60 * ticksPerSecond;
    watched.patience = std::max(watched.patience, patience);
    exec::RecordingSink heard;
    RunKernels kernels;
    Result<exec::KernelCount> count = backend.kernelsOf(watched, heard, stop);
    if (!count) {
        kernels.missing = count.error().message.english();
        return kernels;
    }
    kernels.count = std::move(*count);
    kernels.shares =
        exec::kernelShares(plan.schedule, kernels.count, ordinary, heard.record().passes);
    kernels.limit = exec::limitText(kernels.shares, plan.schedule.spec());
    if (kernels.shares.empty())
        kernels.missing = "no pass that was measured has launched any that has times";
    return kernels;
}

std::string kernelsText(const RunKernels& kernels, const PipelineSpec& spec, const Screen& screen)
{
    if (!kernels.missing.empty())
        return "\n" + wrapped(notCounted(kernels), screen.width);
    std::string text = "\nKernels, counted in an iteration of their own\n";
    text += sharesTable(kernels, spec, screen);
    if (kernels.shares.size() > mostShown)
        text += "  and " + std::to_string(kernels.shares.size() - mostShown) +
                " more; --json has all\n";
    text += wrapped(kernels.limit, screen.width, 2);
    if (const std::string lost = lostText(kernels); !lost.empty())
        text += wrapped(lost, screen.width, 2);
    return text + "\n" + namesTable(kernels, screen);
}

void writeKernels(JsonText& json, const RunKernels* kernels)
{
    json.key("kernels");
    if (kernels == nullptr) {
        json.null();
        return;
    }
    const auto textOrNull = [&json](const char* name, const std::string& text) {
        json.key(name);
        if (text.empty())
            json.null();
        else
            json.value(std::string_view(text));
    };
    json.beginObject();
    textOrNull("missing", kernels->missing);
    textOrNull("limit", kernels->limit);
    json.member("lost", kernels->count.lost);
    json.key("passes");
    json.beginArray();
    for (const exec::KernelShare& share : kernels->shares) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("kind", share.paired ? std::string_view("F+BW") : name(share.kind));
        json.member("stage", share.stage);
        json.member("segment", share.segment);
        json.member("count", share.passes);
        json.member("busy_rate", share.share());
        json.member("kernels", share.kernels);
        json.member("busy_ms", msFromTicks(share.busy));
        json.member("median_ms", msFromTicks(share.ordinary));
        json.member("counted_median_ms", msFromTicks(share.watched));
        json.endObject();
    }
    json.endArray();
    json.key("names");
    json.beginArray();
    const Ticks sum = sumOf(kernels->count.names);
    for (const exec::KernelTotal& total : kernels->count.names) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("name", std::string_view(total.name));
        json.member("count", total.count);
        json.member("time_ms", msFromTicks(total.time));
        json.member("time_rate", rateOf(total, sum));
        json.endObject();
    }
    json.endArray();
    json.endObject();
}

std::vector<RunLog> kernelLogs(const RunKernels& kernels, const PipelineSpec& spec, Ticks time)
{
    std::vector<RunLog> logs;
    const auto add = [&](std::string text, LogLevel level = LogLevel::Info) {
        if (!text.empty())
            logs.push_back({time, RankId::none(), level, std::move(text)});
    };
    if (!kernels.missing.empty()) {
        add(notCounted(kernels), LogLevel::Warning);
        return logs;
    }
    std::vector<exec::KernelShare> least = kernels.shares;
    std::stable_sort(least.begin(), least.end(),
                     [](const auto& a, const auto& b) { return a.share() < b.share(); });
    add(kernels.limit);
    for (std::size_t i = 0; i < std::min(mostKept, least.size()); ++i) {
        const exec::KernelShare& share = least[i];
        add("kernels fill " + percentText(share.share()) + " of " + exec::nameOf(share, spec) +
            ": " + countText(share.kernels, "kernel") + " a pass, " + timeText(share.busy) +
            " of " + timeText(share.ordinary));
    }
    const Ticks sum = sumOf(kernels.count.names);
    for (std::size_t i = 0; i < std::min(mostNames, kernels.count.names.size()); ++i) {
        const exec::KernelTotal& total = kernels.count.names[i];
        add("kernel " + total.name + ": " + percentText(rateOf(total, sum)) +
            " of the kernels' time, " + countText(total.count, "time"));
    }
    add(lostText(kernels), LogLevel::Warning);
    return logs;
}

} // namespace pw::app
