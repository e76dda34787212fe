// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/run_report.h"

#include "app/job_report.h"
#include "app/study.h"
#include "app/text_table.h"
#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/io/json_text.h"
#include "core/io/pass_label.h"
#include "core/noise/hinted_runs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace pw::app {

namespace {

/// Lines of the log that are told; the store has them all.
constexpr std::size_t mostNotes = 200;

/// Start and end of an entry in one iteration.
struct EntryTimes
{
    Ticks start = 0;
    Ticks end = 0;
    RankId rank{0};
};

using EntryKey = std::pair<std::int32_t, EntryId>; ///< iteration, entry

std::map<EntryKey, EntryTimes> entriesOf(const std::vector<RecordedPass>& passes)
{
    std::map<EntryKey, EntryTimes> entries;
    for (const RecordedPass& pass : passes) {
        if (pass.iteration < 0 || pass.entry < 0)
            continue;
        const auto [place, fresh] = entries.try_emplace(
            {pass.iteration, pass.entry}, EntryTimes{pass.start, pass.end, pass.rank});
        // The two passes of a pair share an entry.
        place->second.start = std::min(place->second.start, pass.start);
        place->second.end = std::max(place->second.end, pass.end);
        (void)fresh;
    }
    return entries;
}

/// Keeps the single entry that differs most.
void takeWorst(const exec::RunPlan& plan, const EntryKey& key, const EntryTimes& times,
               RunReport& report)
{
    const OrderEntry entry = plan.schedule.entry(key.second);
    const Ticks predicted = entryTime(plan.costs, plan.schedule.spec(), entry);
    const Ticks measured = times.end - times.start;
    if (!report.worst ||
        std::abs(measured - predicted) > std::abs(report.worst->measured - report.worst->predicted))
        report.worst = SinglePass{entryLabel(entry), key.first, times.rank, predicted, measured};
}

void comparePasses(const exec::RunPlan& plan, const std::vector<RecordedPass>& passes,
                   const std::vector<RecordedPass>& extremes, RunReport& report)
{
    const PipelineSpec& spec = plan.schedule.spec();
    std::map<std::tuple<PassKind, bool, StageId, int>, std::pair<Ticks, std::vector<Ticks>>> groups;
    for (const auto& [key, times] : entriesOf(passes)) {
        const OrderEntry entry = plan.schedule.entry(key.second);
        const Pass& told =
            entry.paired && entry.partner.kind == PassKind::F ? entry.partner : entry.pass;
        const Ticks predicted = entryTime(plan.costs, spec, entry);
        const Ticks measured = times.end - times.start;
        auto& group = groups[{told.kind, entry.paired, told.stage, told.segment}];
        group.first = predicted;
        group.second.push_back(measured);
        takeWorst(plan, key, times, report);
    }
    for (const auto& [key, times] : entriesOf(extremes))
        takeWorst(plan, key, times, report);
    for (auto& [place, group] : groups) {
        const auto& [kind, paired, stage, segment] = place;
        report.passes.push_back(
            {kind, paired, stage, segment, group.first, spreadOf(std::move(group.second))});
    }
    std::stable_sort(report.passes.begin(), report.passes.end(),
                     [](const PassComparison& a, const PassComparison& b) {
                         return std::abs(a.difference()) > std::abs(b.difference());
                     });
}

/// "+3.2 %" of a measured value against a predicted one; empty where nothing was predicted.
std::string offBy(double measured, double predicted)
{
    if (predicted <= 0)
        return {};
    const double off = 100 * (measured / predicted - 1);
    const std::string text = plainNumber(std::round(off * 10) / 10);
    return (off > 0 && text[0] != '-' && text != "0" ? "+" : "") + text + " %";
}

std::string signedPercent(double rate)
{
    const double percent = std::round(1000 * rate) / 10;
    return (percent > 0 ? "+" : "") + plainNumber(percent == 0 ? 0 : percent) + " %";
}

std::string nameOf(const PassComparison& passes, const PipelineSpec& spec)
{
    std::string text = passes.paired ? "F+BW" : std::string(name(passes.kind));
    text += " of stage " + std::to_string(passes.stage);
    if (spec.segments() > 1)
        text += ", segment " + std::to_string(passes.segment);
    return text;
}

std::string figuresTable(const exec::RunPlan& plan, const RunReport& report,
                         const RunContext& context, const Screen& screen)
{
    using Align = TextTable::Align;
    TextTable table(screen, {{"", "", Align::Left},
                             {"predicted", "", Align::Right, 3},
                             {"measured", "", Align::Right, 3},
                             {"", "", Align::Left, 3}});
    const RunFigures& figures = report.figures;
    const auto ms = [](Ticks time) { return millisecondText(time, 4); };
    std::string range;
    if (figures.iterations > 1)
        range = ", from " + ms(figures.makespanLow) + " to " + ms(figures.makespanHigh) + " in " +
                std::to_string(figures.iterations) + " iterations";
    table.append({"makespan", ms(figures.predictedMakespan), screen.bold(ms(figures.makespan)),
                  offBy(static_cast<double>(figures.makespan),
                        static_cast<double>(figures.predictedMakespan)) +
                      range});
    if (report.hinted > 0)
        table.append(
            {"  as a hint", ms(report.hinted), "",
             offBy(static_cast<double>(figures.makespan), static_cast<double>(report.hinted)) +
                 " of a device that runs what is ready"});
    const auto interval = [&](const char* name, Ticks low, Ticks high, std::string from) {
        table.append({name, ms(low) + " to " + ms(high),
                      std::string(intervalWord(figures.makespan, low, high)), std::move(from)});
    };
    if (figures.predictedHigh > 0)
        interval("  90 % interval", figures.predictedLow, figures.predictedHigh,
                 "from the spread of what was measured before");
    if (context.bothSides)
        interval("  the same, both sides", context.bothSides->low, context.bothSides->high,
                 "the machine drifted, so it was measured again after the run");
    if (report.model)
        table.append({"  with its own times", ms(report.model->predicted), "",
                      signedPercent(report.model->middle) +
                          " model error: each iteration from the times of the others"});
    table.append({"span bubble", tablePercent(figures.predictedSpanBubble),
                  screen.bold(tablePercent(figures.spanBubble)), ""});
    const auto known = [](Bytes bytes) { return bytes > 0; };
    if (std::any_of(report.peak.begin(), report.peak.end(), known)) {
        for (const DeviceId device : Ids<DeviceId>(report.peak.size())) {
            const Bytes predicted = report.predictedPeak[device.index()];
            const Bytes peak = report.peak[device.index()];
            table.append({"peak activation, device " + std::to_string(device),
                          groupedNumber(predicted) + " B", screen.bold(groupedNumber(peak) + " B"),
                          peak == predicted
                              ? "exactly"
                              : offBy(static_cast<double>(peak), static_cast<double>(predicted))});
        }
    }
    if (figures.firstLoss > 0) {
        table.append({"loss, first and last step", plainNumber(figures.firstLoss),
                      screen.bold(plainNumber(figures.lastLoss)),
                      std::to_string(exec::totalSteps(plan)) + " optimizer steps"});
    }
    return table.text();
}

std::string passesTable(const exec::RunPlan& plan, const RunReport& report,
                        const RunContext& context, const Screen& screen)
{
    if (report.passes.empty())
        return {};
    using Align = TextTable::Align;
    TextTable table(screen, {{"passes", "", Align::Left},
                             {"predicted", "ms", Align::Right, 3},
                             {"median", "ms"},
                             {"quartiles", "ms", Align::Left},
                             {"", "", Align::Left, 3}});
    constexpr std::size_t shown = 5;
    const auto ms = [](Ticks time) { return plainNumber(msFromTicks(time)); };
    for (std::size_t i = 0; i < std::min(shown, report.passes.size()); ++i) {
        const PassComparison& passes = report.passes[i];
        table.append({nameOf(passes, plan.schedule.spec()), ms(passes.predicted),
                      ms(passes.measured.median),
                      ms(passes.measured.low) + "–" + ms(passes.measured.high),
                      offBy(static_cast<double>(passes.measured.median),
                            static_cast<double>(passes.predicted))});
    }
    std::string text = report.passes.size() > shown ? "The passes that differ most\n" : "Passes\n";
    text += table.text();
    if (context.stride > 1)
        text += wrapped("Medians and quartiles are of every " + std::to_string(context.stride) +
                            "th iteration; the store has all of them.",
                        screen.width, 2);
    if (report.worst) {
        text +=
            wrapped("The single one that differs most: " + report.worst->label + " in iteration " +
                        std::to_string(report.worst->iteration) + " on device " +
                        std::to_string(report.worst->rank) + ", " + ms(report.worst->measured) +
                        " ms for " + ms(report.worst->predicted) + " ms",
                    screen.width, 2);
    }
    return text;
}

void writePrediction(JsonText& json, const RunReport& report, const RunContext& context)
{
    const RunFigures& figures = report.figures;
    const auto orNull = [&json](const char* name, bool known, auto value) {
        json.key(name);
        known ? json.value(value) : json.null();
    };
    const bool any = figures.predictedHigh > 0;
    orNull("predicted_makespan_low_ms", any, msFromTicks(figures.predictedLow));
    orNull("predicted_makespan_high_ms", any, msFromTicks(figures.predictedHigh));
    orNull("interval_holds", any && figures.iterations > 0,
           intervalWord(figures.makespan, figures.predictedLow, figures.predictedHigh) == "inside");
    const Forecast both = context.bothSides.value_or(Forecast{});
    orNull("both_sides_low_ms", context.bothSides.has_value(), msFromTicks(both.low));
    orNull("both_sides_high_ms", context.bothSides.has_value(), msFromTicks(both.high));
    const ModelError model = report.model.value_or(ModelError{});
    orNull("own_times_makespan_ms", report.model.has_value(), msFromTicks(model.predicted));
    orNull("model_error_rate", report.model.has_value(), model.middle);
}

void writeDevices(JsonText& json, const RunReport& report)
{
    json.key("per_device");
    json.beginArray();
    for (const DeviceId device : Ids<DeviceId>(report.predictedPeak.size())) {
        const std::size_t at = device.index();
        json.beginObject(JsonText::Layout::OneLine);
        json.member("device", device);
        json.key("peak_activation_bytes");
        at < report.peak.size() ? json.value(report.peak[at]) : json.null();
        json.member("predicted_peak_activation_bytes", report.predictedPeak[at]);
        json.endObject();
    }
    json.endArray();
}

void writePasses(JsonText& json, const RunReport& report)
{
    json.key("passes");
    json.beginArray();
    for (const PassComparison& passes : report.passes) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("kind", passes.paired ? std::string_view("F+BW") : name(passes.kind));
        json.member("stage", passes.stage);
        json.member("segment", passes.segment);
        json.member("count", passes.measured.count);
        json.member("predicted_ms", msFromTicks(passes.predicted));
        json.member("low_ms", msFromTicks(passes.measured.low));
        json.member("median_ms", msFromTicks(passes.measured.median));
        json.member("high_ms", msFromTicks(passes.measured.high));
        json.endObject();
    }
    json.endArray();
    json.key("worst_pass");
    if (report.worst) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("label", std::string_view(report.worst->label));
        json.member("iteration", report.worst->iteration);
        json.member("device", report.worst->rank);
        json.member("predicted_ms", msFromTicks(report.worst->predicted));
        json.member("measured_ms", msFromTicks(report.worst->measured));
        json.endObject();
    } else {
        json.null();
    }
}

} // namespace

RunReport reportOf(const exec::RunPlan& plan, const exec::RecordingSink::Record& record,
                   const std::vector<RecordedPass>& extremes)
{
    RunReport report;
    report.figures = record.figures;
    report.status = record.status;
    if (!record.memory.empty())
        report.peak.assign(static_cast<std::size_t>(plan.schedule.devices()), 0);
    for (const MemorySample& sample : record.memory) {
        Bytes& peak = report.peak[deviceOf(sample.rank).index()];
        peak = std::max(peak, sample.activation());
    }
    report.predictedPeak.assign(static_cast<std::size_t>(plan.schedule.devices()), 0);
    if (const Result<SimResult> predicted = simulate(plan.schedule, plan.costs)) {
        for (const DeviceId device : Ids<DeviceId>(predicted->devices.size()))
            report.predictedPeak[device.index()] =
                predicted->devices[device.index()].peakActivation;
    }
    comparePasses(plan, record.passes, extremes, report);
    if (plan.hint > 0) {
        if (const auto runs = HintedRuns::make(plan.schedule, plan.costs, plan.hint))
            report.hinted = runs->run({}, 1, 1).nominal;
    }
    // It knows nothing of passes that wait for copies from the host, nor of those that went ahead.
    if (plan.program.moves.empty() && plan.hint == 0) {
        if (const auto model = modelError(
                plan.schedule, recordedIterations(plan.schedule, record.passes, record.messages)))
            report.model = *model;
    }
    for (const Sentence& line : gpuConditions(record.gpus))
        report.notes.push_back(line);
    std::set<std::string> said;
    std::int64_t more = 0;
    for (const RunLog& log : record.logs) {
        const std::string text =
            (log.rank < 0 ? "" : "device " + std::to_string(log.rank) + ": ") + log.text;
        if (report.notes.size() >= mostNotes)
            ++more;
        else if (said.insert(text).second)
            report.notes.push_back(text);
    }
    if (more > 0)
        report.notes.push_back("and " + groupedNumber(more) + " more lines of the log");
    return report;
}

std::string_view intervalWord(Ticks makespan, Ticks low, Ticks high)
{
    return makespan < low ? "below" : makespan > high ? "above" : "inside";
}

std::string flushText(const PipelineSpec& spec)
{
    if (spec.updateRule == UpdateRule::Flush || spec.steps > 1)
        return {};
    return "An iteration is one step, and the pipeline empties behind each: that is a flush. "
           "--steps 8 runs eight steps of an iteration one behind the other without any.";
}

std::string runHeading(const exec::RunPlan& plan, const RunContext& context, const Screen& screen)
{
    std::string text = screen.bold(context.title) + "  " + shapeText(plan.schedule.spec()) + "\n";
    for (const std::string* line : {&context.backendText, &context.modelText, &context.costsText}) {
        if (!line->empty())
            text += screen.paint(wrapped(*line, screen.width), Role::Secondary);
    }
    if (const std::string flush = flushText(plan.schedule.spec()); !flush.empty())
        text += wrapped(flush, screen.width);
    if (plan.forecast) {
        const auto ms = [](Ticks time) { return millisecondText(time, 4); };
        text += wrapped("expects a makespan of " + ms(plan.forecast->low) + " to " +
                            ms(plan.forecast->high) + ", nine times in ten",
                        screen.width);
    }
    return text;
}

std::string runText(const exec::RunPlan& plan, const RunReport& report, const RunContext& context,
                    const Screen& screen)
{
    std::string text;
    if (report.figures.iterations > 0) {
        text += figuresTable(plan, report, context, screen);
        if (const std::string passes = passesTable(plan, report, context, screen); !passes.empty())
            text += "\n" + passes;
    }
    if (context.job.analysis)
        text += jobText(*context.job.analysis, screen);
    if (!report.notes.empty()) {
        text += text.empty() ? "Notes\n" : "\nNotes\n";
        for (const std::string& note : report.notes)
            text += wrapped(note, screen.width, 2);
    }
    if (!context.storedText.empty())
        text += (text.empty() ? "" : "\n") + context.storedText + "\n";
    return text;
}

std::string runJson(const exec::RunPlan& plan, const RunReport& report, const RunContext& context,
                    const RunEnvironment& environment, const std::string& error)
{
    const RunFigures& figures = report.figures;
    JsonText json;
    json.beginObject();
    const auto text = [&json](const char* name, const std::string& value) {
        json.member(name, std::string_view(value));
    };
    text("title", context.title);
    json.key("family");
    if (plan.family.empty())
        json.null();
    else
        json.value(std::string_view(plan.family));
    text("backend", environment.backend);
    text("transport", environment.transport);
    text("host", environment.host);
    text("picked", context.backendText);
    text("costs", context.costsText);
    text("model", context.modelText);
    json.member("devices", plan.schedule.devices());
    json.member("micro_batches", plan.schedule.spec().microBatches);
    json.member("status", name(report.status));
    json.key("error");
    if (error.empty())
        json.null();
    else
        json.value(std::string_view(error));
    json.member("warmup", plan.warmup);
    json.member("iterations", figures.iterations);
    json.member("makespan_ms", msFromTicks(figures.makespan));
    json.member("makespan_low_ms", msFromTicks(figures.makespanLow));
    json.member("makespan_high_ms", msFromTicks(figures.makespanHigh));
    json.member("predicted_makespan_ms", msFromTicks(figures.predictedMakespan));
    writePrediction(json, report, context);
    json.member("span_bubble_rate", figures.spanBubble);
    json.member("predicted_span_bubble_rate", figures.predictedSpanBubble);
    json.key("first_loss");
    figures.firstLoss > 0 ? json.value(figures.firstLoss) : json.null();
    json.key("last_loss");
    figures.firstLoss > 0 ? json.value(figures.lastLoss) : json.null();
    writeDevices(json, report);
    writePasses(json, report);
    writeKernels(json, context.kernels ? &*context.kernels : nullptr);
    if (context.job.analysis) {
        jobJson(json, context.job.trace, *context.job.analysis);
    } else {
        json.key("job");
        json.null();
    }
    json.key("notes");
    json.beginArray();
    if (const std::string flush = flushText(plan.schedule.spec()); !flush.empty())
        json.value(std::string_view(flush));
    for (const std::string& note : report.notes)
        json.value(std::string_view(note));
    json.endArray();
    json.key("store");
    if (context.storedRun > 0) {
        json.beginObject(JsonText::Layout::OneLine);
        text("file", context.storePath);
        json.member("run", context.storedRun);
        json.endObject();
    } else {
        json.null();
    }
    json.endObject();
    return json.text();
}

} // namespace pw::app
