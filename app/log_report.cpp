// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/log_report.h"

#include "app/text_table.h"
#include "core/analysis/step_curve.h"
#include "core/base/text.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace pw::app {

namespace {

std::string logMs(Ticks time)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.1f ms", msFromTicks(time));
    return text;
}

bool overRanks(TimerForm form)
{
    return form == TimerForm::Extremes || form == TimerForm::EachRank;
}

/// The timers that were told behind the last line that has any.
std::vector<const LoggedTimer*> lastTimers(const TrainingLog& log)
{
    std::int32_t last = -1;
    for (const LoggedTimer& timer : log.timers)
        last = std::max(last, timer.values.back().iteration);
    std::vector<const LoggedTimer*> found;
    for (const LoggedTimer& timer : log.timers)
        if (timer.values.back().iteration == last)
            found.push_back(&timer);
    return found;
}

Ticks medianTimeOf(const LoggedTimer& timer)
{
    std::vector<Ticks> times;
    for (const TimerValue& value : timer.values)
        times.push_back(value.most);
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

std::string timerTable(const TrainingLog& log, const Screen& screen)
{
    const std::vector<const LoggedTimer*> timers = lastTimers(log);
    if (timers.empty())
        return {};
    const bool several = overRanks(log.timerForm);
    std::vector<TextTable::Column> columns = {{"timer", "", TextTable::Align::Left}};
    if (several)
        columns.push_back({"least"});
    columns.insert(
        columns.end(),
        {{several || log.timerForm == TimerForm::Most ? "most" : "told last"}, {"median"}});
    TextTable table(screen, columns);
    for (const LoggedTimer* timer : timers) {
        std::vector<std::string> row = {timer->name};
        if (several)
            row.push_back(logMs(timer->values.back().least));
        row.push_back(logMs(timer->values.back().most));
        row.push_back(logMs(medianTimeOf(*timer)));
        table.append(std::move(row));
    }
    return "\n" + table.text();
}

void optionalNumber(JsonText& text, std::string_view key, const std::optional<double>& value)
{
    if (value)
        text.member(key, *value);
}

void timersJson(JsonText& text, const TrainingLog& log)
{
    constexpr std::array<std::string_view, 5> forms = {
        "none", "one rank", "each rank", "least and most over ranks", "most over ranks"};
    text.member("timers_of", forms[static_cast<std::size_t>(log.timerForm)]);
    text.key("timers");
    text.beginArray();
    for (const LoggedTimer* timer : lastTimers(log)) {
        text.beginObject(JsonText::Layout::OneLine);
        text.member("name", std::string_view(timer->name));
        if (timer->rank >= 0)
            text.member("rank", static_cast<std::int64_t>(timer->rank));
        if (overRanks(log.timerForm))
            text.member("least_ms", msFromTicks(timer->values.back().least));
        text.member("ms", msFromTicks(timer->values.back().most));
        text.member("median_ms", msFromTicks(medianTimeOf(*timer)));
        text.endObject();
    }
    text.endArray();
}

void stagesJson(JsonText& text, const TrainingLog& log)
{
    if (!log.stageMemory.empty()) {
        text.key("memory_by_stage_gb");
        text.beginArray(JsonText::Layout::OneLine);
        for (const double memory : log.stageMemory)
            text.value(memory);
        text.endArray();
    }
    if (!log.stageLayers.empty()) {
        std::vector<std::int64_t> layers;
        for (const auto& [stage, range] : log.stageLayers)
            layers.push_back(range.end - range.first);
        text.numbers("layers_by_stage", layers);
    }
    if (const auto parameters = parametersOfStages(log); !parameters.empty())
        text.numbers("parameters_by_stage", parameters);
}

void pointsJson(JsonText& text, const std::vector<StepCurve>& curves)
{
    std::map<std::int32_t, std::vector<std::pair<std::string_view, double>>> rows;
    for (const StepCurve& curve : curves)
        for (const CurvePoint& point : curve.points)
            rows[point.iteration].emplace_back(curve.of == CurveOf::Time     ? "ms"
                                               : curve.of == CurveOf::Memory ? "memory_gb"
                                                                             : name(curve.of),
                                               point.value);
    text.key("steps");
    text.beginArray();
    for (const auto& [iteration, values] : rows) {
        text.beginObject(JsonText::Layout::OneLine);
        text.member("iteration", static_cast<std::int64_t>(iteration));
        for (const auto& [key, value] : values)
            text.member(key, value);
        text.endObject();
    }
    text.endArray();
}

void findingsJson(JsonText& text, const std::vector<StepCurve>& curves)
{
    text.key("findings");
    text.beginArray();
    for (const CurveFinding& one : findingsOf(curves)) {
        text.beginObject(JsonText::Layout::OneLine);
        text.member("of", name(one.of));
        text.member("kind", name(one.event));
        text.member("from", static_cast<std::int64_t>(one.from));
        text.member("to", static_cast<std::int64_t>(one.to));
        if (one.every > 0)
            text.member("every", static_cast<std::int64_t>(one.every));
        text.member("count", static_cast<std::int64_t>(one.count));
        text.member("value", one.value);
        text.member("usual", one.usual);
        text.member("sentence", std::string_view(one.sentence));
        text.endObject();
    }
    text.endArray();
}

} // namespace

std::string logText(const Trace& trace, const Screen& screen)
{
    if (!trace.log.any())
        return {};
    std::string out = "\n" + screen.bold("What the log says") + "\n";
    for (const std::string& sentence : logSentences(trace.log))
        out += wrapped(sentence, screen.width, 4, 2);
    return out + timerTable(trace.log, screen);
}

std::string curveText(const Trace& trace, const RecoveredPipeline& pipeline, bool timesTold,
                      const Screen& screen)
{
    constexpr std::size_t mostShown = 8;
    const std::vector<StepCurve> curves = curvesOf(trace, pipeline);
    if (curves.empty() || curves.front().of != CurveOf::Time)
        return {};
    const std::vector<CurveFinding> found =
        timesTold ? findingsBesideTime(curves) : findingsOf(curves);
    if (timesTold && found.empty())
        return {};
    const CurveNoise noise = noiseOf(curves.front());
    char usual[128];
    std::snprintf(usual, sizeof usual, "usual is %.1f ms, ± %.1f ms from one to the next, over ",
                  noise.usual, noise.spread);
    std::string out =
        "\n" + screen.bold("From iteration to iteration") + "\n" +
        wrapped(usual + (curves.front().interval > 1
                             ? countText(curves.front().points.size(), "line", "lines") + " of " +
                                   std::to_string(curves.front().interval) + " iterations each"
                             : countText(curves.front().points.size(), "iteration")),
                screen.width, 4, 2);
    for (std::size_t i = 0; i < std::min(found.size(), mostShown); ++i)
        out += wrapped(found[i].sentence, screen.width, 4, 2);
    if (found.size() > mostShown)
        out += "  and " + groupedNumber(static_cast<std::int64_t>(found.size() - mostShown)) +
               " more\n";
    if (found.empty())
        out += "  none stands out\n";
    return out;
}

void logJson(JsonText& text, const Trace& trace)
{
    const TrainingLog& log = trace.log;
    if (!log.any())
        return;
    text.key("log");
    text.beginObject();
    text.member("program", std::string_view(programOf(log)));
    for (std::size_t i = 0; i < logFactCount; ++i)
        if (const auto value = log.facts[i])
            text.member(name(static_cast<LogFact>(i)), *value);
    text.member("iterations", static_cast<std::int64_t>(log.steps.size()));
    if (const auto median = medianTime(log))
        text.member("iteration_ms", msFromTicks(*median));
    optionalNumber(text, "tflops_per_device", medianOf(log, &LoggedStep::teraflops));
    optionalNumber(text, "tokens_per_second", medianOf(log, &LoggedStep::tokensPerSecond));
    optionalNumber(text, "samples_per_second", medianOf(log, &LoggedStep::samplesPerSecond));
    if (const auto waits = fillAndDrain(log)) {
        text.member("fill_ms", msFromTicks(waits->fill));
        text.member("fill_timer", std::string_view(waits->fillTimer));
        text.member("drain_ms", msFromTicks(waits->drain));
        text.member("drain_timer", std::string_view(waits->drainTimer));
        text.member("fill_and_drain", waits->share);
    }
    optionalNumber(text, "planned_bubble", plannedBubble(log));
    optionalNumber(text, "idle_on_every_rank", idleOnEveryRank(log));
    stagesJson(text, log);
    if (log.timerForm != TimerForm::None)
        timersJson(text, log);
    if (log.restarts > 0)
        text.member("restarts", static_cast<std::int64_t>(log.restarts));
    if (!log.error.empty())
        text.member("error", std::string_view(log.error));
    text.key("sentences");
    text.beginArray();
    for (const std::string& sentence : logSentences(log))
        text.value(std::string_view(sentence));
    text.endArray();
    text.endObject();
}

void curveJson(JsonText& text, const Trace& trace, const RecoveredPipeline& pipeline)
{
    const std::vector<StepCurve> curves = curvesOf(trace, pipeline);
    if (curves.empty())
        return;
    text.key("curve");
    text.beginObject();
    text.member("interval", static_cast<std::int64_t>(curves.front().interval));
    for (const StepCurve& curve : curves) {
        if (curve.of == CurveOf::Throughput)
            text.member("throughput_unit", std::string_view(curve.unit));
        if (curve.of != CurveOf::Time)
            continue;
        const CurveNoise noise = noiseOf(curve);
        text.member("usual_ms", noise.usual);
        text.member("spread_ms", noise.spread);
    }
    findingsJson(text, curves);
    pointsJson(text, curves);
    text.endObject();
}

} // namespace pw::app
