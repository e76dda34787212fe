// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/run_details.h"

#include "core/base/text.h"
#include "core/sim/metrics.h"
#include "ui/charts/step_chart.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/document/schedule_document.h"
#include "ui/panels/pass_rows.h"
#include "ui/timeline/schedule_links.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/value_text.h"
#include "ui/window/run_header.h"
#include "ui/window/run_page.h"

#include <algorithm>

namespace pw::ui {

namespace {

QString runTime(Ticks ticks)
{
    return durationText(static_cast<double>(ticks));
}

NumberRow runBubbleRow(const QString& name, const Bubble& bubble, const Bubble& planned)
{
    return {.name = name,
            .value =
                QStringLiteral("%1 (%2)").arg(runTime(bubble.idle), percentText(bubble.rate())),
            .note = RunPage::tr("planned %1").arg(percentText(planned.rate()))};
}

/// The most memory of any device, as the trace told it of the iteration.
Bytes countedPeak(const RunRecords* records)
{
    double peak = 0;
    if (records != nullptr)
        for (const TraceCounter& counter : records->counters)
            for (const CounterSample& sample : counter.samples)
                peak = std::max(peak, sample.value);
    constexpr double furthest = 1e18;
    return peak < furthest ? static_cast<Bytes>(peak) : 0;
}

/// All that the fullest device held, as it was sampled.
WholePeak sampledMemory(const RunRecords* records)
{
    WholePeak most;
    if (records != nullptr)
        for (const std::vector<MemorySample>& samples : records->memory)
            if (const WholePeak own = wholePeak(samples); own.total > most.total)
                most = own;
    return most;
}

std::int64_t updateCount(const Schedule& schedule)
{
    std::int64_t count = 0;
    for (const EntryId entry : schedule.entries())
        count += schedule.entry(entry).pass.kind == PassKind::U ? 1 : 0;
    return count;
}

DetailsPart runPart(const RunTimeline& run, const RunRecords* records)
{
    DetailsPart part{run.title(), {}, {}};
    const SimResult& measured = run.measured;
    const SimResult& predicted = run.predicted;
    part.rows.push_back({RunPage::tr("Shown"), iterationText(run.iteration)});
    part.rows.push_back({.name = RunPage::tr("Makespan"),
                         .value = runTime(measured.makespan),
                         .verdict = offText(measured.makespan, predicted.makespan),
                         .note = RunPage::tr("planned %1").arg(runTime(predicted.makespan))});
    part.rows.push_back(
        runBubbleRow(RunPage::tr("Span bubble"), spanBubble(measured), spanBubble(predicted)));
    part.rows.push_back(
        runBubbleRow(RunPage::tr("Wall bubble"), wallBubble(measured), wallBubble(predicted)));
    if (const WholePeak whole = sampledMemory(records); whole.known())
        part.rows.push_back({.name = RunPage::tr("Peak memory"),
                             .value = text(byteText(whole.total)),
                             .note = kindsText(whole)});
    else if (const Bytes peak = countedPeak(records); peak > 0)
        part.rows.push_back({RunPage::tr("Peak memory"), text(byteText(peak))});
    if (const Bytes peak = sampledPeak(records); peak > 0)
        part.rows.push_back({RunPage::tr("Peak activation"), text(byteText(peak))});
    // As everywhere else, where the updates that only runs have are no passes.
    const std::int64_t updates = updateCount(*run.schedule);
    part.rows.push_back({RunPage::tr("Passes"), text(groupedNumber(run.passCount() - updates))});
    if (updates > 0)
        part.rows.push_back({RunPage::tr("Updates"), text(groupedNumber(updates))});
    if (run.unrecorded > 0)
        part.rows.push_back({.name = RunPage::tr("Not recorded"),
                             .value = text(groupedNumber(run.unrecorded)),
                             .bad = true});
    if (const QString trust = trustText(run); !trust.isEmpty())
        part.rows.push_back({RunPage::tr("Times"), trust});
    return part;
}

DetailsPart passPart(const RunTimeline& run, SpanRef span)
{
    DetailsPart part{RunPage::tr("Selected pass"),
                     {},
                     RunPage::tr("None. Click a pass, or walk with the arrow keys.")};
    if (!run.lanes->holds(span))
        return part;
    const PipelineSpec& spec = run.schedule->spec();
    const Lane& lane = run.lanes->lanes()[static_cast<std::size_t>(span.lane)];
    const auto index = static_cast<std::size_t>(span.index);
    const auto entry = static_cast<std::size_t>(lane.entry[index]);
    const Ticks took = lane.end[index] - lane.start[index];
    const Ticks planned = run.predicted.end[entry] - run.predicted.start[entry];
    part.rows.push_back({RunPage::tr("Pass"), shortName(run.lanes->pass(span), spec)});
    if (lane.look[index].paired)
        part.rows.push_back({RunPage::tr("Beside"), shortName(run.lanes->pass(span, true), spec)});
    part.rows.push_back({RunPage::tr("Device"), QString::number(span.lane)});
    part.rows.push_back(
        {RunPage::tr("Start – end"),
         spanText(static_cast<double>(lane.start[index]), static_cast<double>(lane.end[index]))});
    part.rows.push_back({.name = RunPage::tr("Took"),
                         .value = runTime(took),
                         .verdict = offText(took, planned),
                         .note = RunPage::tr("planned %1").arg(runTime(planned))});
    part.rows.push_back({RunPage::tr("Ends against the plan"),
                         shiftText(lane.end[index] - run.predicted.end[entry])});
    for (const SpanRef from : linkedSpans(*run.lanes, *run.schedule, span, -1))
        part.rows.push_back(
            {RunPage::tr("Waited for"), RunPage::tr("%1 on device %2")
                                            .arg(shortName(run.lanes->pass(from), spec))
                                            .arg(from.lane)});
    if (run.trust[entry] > Trust::Host)
        part.rows.push_back({RunPage::tr("Time"), coreWords(name(run.trust[entry]))});
    return part;
}

} // namespace

Bytes sampledPeak(const RunRecords* records)
{
    Bytes peak = 0;
    if (records != nullptr)
        for (const std::vector<MemorySample>& samples : records->memory)
            for (const MemorySample& sample : samples)
                peak = std::max(peak, sample.activation());
    return peak;
}

PageDetails runDetails(const RunTimeline& run, const RunRecords* records, SpanRef selected)
{
    return {RunPage::tr("Run"), {runPart(run, records), passPart(run, selected)}};
}

HoverNews runPassNews(const RunTimeline& run, SpanRef span)
{
    const Schedule& schedule = *run.schedule;
    const Lane& spans = run.lanes->lanes()[static_cast<std::size_t>(span.lane)];
    const auto duration = [](Ticks ticks) { return durationText(static_cast<double>(ticks)); };
    const auto index = static_cast<std::size_t>(span.index);
    const auto entry = static_cast<std::size_t>(spans.entry[index]);
    const Ticks start = spans.start[index], end = spans.end[index];
    const Ticks planned = run.predicted.end[entry] - run.predicted.start[entry];
    const QString late = shiftText(end - run.predicted.end[entry]);
    const Trust trust = run.trust[entry];
    HoverNews news;
    news.title = passText(run.lanes->pass(span), schedule.spec());
    news.sentence = RunPage::tr("%1, %2 – %3: took %4, planned %5; ends %6 against the plan")
                        .arg(news.title, duration(start), duration(end), duration(end - start),
                             duration(planned), late);
    news.lines += spanText(static_cast<double>(start), static_cast<double>(end));
    news.lines += RunPage::tr("took %1, planned %2").arg(duration(end - start), duration(planned));
    news.lines += RunPage::tr("ends %1 against the plan").arg(late);
    if (trust > Trust::Host) {
        const QString how = coreWords(name(trust));
        news.sentence += RunPage::tr("; time: %1").arg(how);
        news.lines += RunPage::tr("time: %1").arg(how);
    }
    news.lit = linkedSpans(*run.lanes, schedule, span, -1);
    for (const SpanRef from : news.lit) {
        news.lines +=
            from.lane == span.lane
                ? RunPage::tr("waited for %1").arg(passText(run.lanes->pass(from), schedule.spec()))
                : RunPage::tr("waited for %1 of device %2")
                      .arg(passText(run.lanes->pass(from), schedule.spec()))
                      .arg(from.lane);
        if (from.lane != span.lane)
            news.arrows.push_back({from, span});
    }
    return news;
}

HoverNews runGapNews(const RunTimeline& run, const Gap& gap)
{
    const QString length = durationText(static_cast<double>(gap.end - gap.start));
    const Schedule& schedule = *run.schedule;
    HoverNews news;
    news.title = RunPage::tr("Device %1 idles for %2").arg(gap.device).arg(length);
    news.lines += coreSentence(gap.text);
    news.sentence = RunPage::tr("device %1 idles for %2: %3")
                        .arg(gap.device)
                        .arg(length, coreSentence(gap.text));
    const SpanRef next = spanOf(*run.lanes, schedule, gap.next);
    const SpanRef cause =
        spanOf(*run.lanes, schedule, schedule.entryOf(schedule.table().id(gap.cause)));
    const std::vector<SpanRef> waited = linkedSpans(*run.lanes, schedule, next, -1);
    if (std::find(waited.begin(), waited.end(), cause) != waited.end()) {
        news.lit = {cause};
        news.arrows.push_back({cause, next});
    }
    return news;
}

} // namespace pw::ui
