// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/job_report.h"

#include "app/text_table.h"
#include "core/base/text.h"
#include "core/job/job_sentences.h"

#include <algorithm>
#include <cmath>

namespace pw::app {

namespace {

constexpr double ticksPerMs = 1e6;

double msOf(double ticks)
{
    return ticks / ticksPerMs;
}

std::string ofName(const Job& job)
{
    const RecoveredPipeline& first = *job.replicas.front();
    return first.family.matches.empty() ? std::string()
                                        : std::string(first.family.matches.front().family->id);
}

void memberOf(JsonText& text, const char* key, std::int32_t number)
{
    if (number >= 0)
        text.member(key, number);
}

/// Counted from 0, and its number as the trace has it.
void stepOf(JsonText& text, const Job& job, std::int32_t step)
{
    if (step < 0)
        return;
    text.member("step", step);
    text.member("step_number", job.steps[static_cast<std::size_t>(step)].number);
}

void efficiencyJson(JsonText& text, const JobEfficiency& efficiency)
{
    text.key("efficiency");
    text.beginObject(JsonText::Layout::OneLine);
    text.member("parallel", efficiency.parallel());
    text.member("replicas", efficiency.replicas);
    text.member("stages", efficiency.stages);
    text.member("order", efficiency.order);
    text.member("links", efficiency.links);
    text.endObject();
}

/// Of ranks that share its tensors all, where none of them stands out.
void ranksJson(JsonText& text, const std::vector<TraceRank>& ranks, const WorkerTimes& worker)
{
    if (worker.alike.empty())
        return;
    text.key("ranks");
    text.beginArray(JsonText::Layout::OneLine);
    for (const TraceRankId rank : worker.alike)
        text.value(ranks[rank.index()].number);
    text.endArray();
}

void workersJson(JsonText& text, const Trace& trace, const JobAnalysis& analysis)
{
    text.key("workers");
    text.beginArray();
    for (const WorkerTimes& one : analysis.workers) {
        text.beginObject(JsonText::Layout::OneLine);
        text.member("replica", one.worker.replica);
        text.member("stage", one.worker.device.value);
        text.member("rank", trace.ranks[one.rank.index()].number);
        ranksJson(text, trace.ranks, one);
        text.member("forward_ms", msFromTicks(one.forward));
        text.member("backward_ms", msFromTicks(one.backward));
        text.member("forward_ratio", one.forwardRatio);
        text.member("backward_ratio", one.backwardRatio);
        text.endObject();
    }
    text.endArray();
}

/// Where a cause or a repair applies.
void placeJson(JsonText& text, const Trace& trace, const JobAnalysis& analysis,
               std::int32_t replica, DeviceId device, std::int32_t step)
{
    // Of one replica a stage is a worker, and a rank is where to look.
    if (device.valid() && analysis.job.replicas.size() == 1)
        replica = 0;
    memberOf(text, "replica", replica);
    memberOf(text, "stage", device.value);
    for (const WorkerTimes& one : analysis.workers)
        if (one.worker == Worker{replica, device}) {
            memberOf(text, "rank", trace.ranks[one.rank.index()].number);
            ranksJson(text, trace.ranks, one);
        }
    stepOf(text, analysis.job, step);
}

void causesJson(JsonText& text, const Trace& trace, const JobAnalysis& analysis)
{
    text.key("causes");
    text.beginArray();
    for (const FoundCause& one : analysis.causes) {
        text.beginObject(JsonText::Layout::OneLine);
        text.member("kind", name(one.cause));
        placeJson(text, trace, analysis, one.replica, one.device, one.step);
        memberOf(text, "from", one.from.value);
        memberOf(text, "to", one.to.value);
        text.member("cost_ms", msOf(one.costTicks));
        text.member("share", one.share);
        text.member("sentence", std::string_view(one.sentence));
        text.endObject();
    }
    text.endArray();
}

void whatIfsJson(JsonText& text, const Trace& trace, const JobAnalysis& analysis)
{
    text.key("what_if");
    text.beginArray();
    for (const JobWhatIf& one : analysis.whatIfs) {
        text.beginObject(JsonText::Layout::OneLine);
        text.member("what", name(one.what));
        placeJson(text, trace, analysis, one.replica, one.device, one.step);
        if (!one.family.empty())
            text.member("family", std::string_view(one.family));
        text.member("step_ms", msOf(one.stepTicks));
        text.member("gain", one.gain);
        text.endObject();
    }
    text.endArray();
}

std::string ms(double ticks)
{
    constexpr int digits = 5;
    return millisecondText(static_cast<Ticks>(std::llround(ticks)), digits);
}

std::string percent(double part)
{
    constexpr double whole = 100;
    return plainNumber(part * whole, 3) + " %";
}

/// Causes of one kind that differ by their place only would be a list of ranks.
std::string causesText(const JobAnalysis& analysis, const Screen& screen)
{
    constexpr std::size_t most = 6;
    std::string out;
    for (std::size_t i = 0; i < std::min(analysis.causes.size(), most); ++i) {
        const FoundCause& one = analysis.causes[i];
        out += wrapped(std::to_string(i + 1) + ". " + one.sentence.english(), screen.width, 5, 2);
    }
    if (analysis.causes.size() > most)
        out += "  and " + groupedNumber(static_cast<std::int64_t>(analysis.causes.size() - most)) +
               " more, in --json\n";
    return out.empty() ? "  " + noCauseText().english() + "\n" : out;
}

} // namespace

void jobJson(JsonText& text, const Trace& trace, const JobAnalysis& analysis)
{
    const Job& job = analysis.job;
    text.key("job");
    text.beginObject();
    text.member("replicas", static_cast<std::int64_t>(job.replicas.size()));
    text.member("stages", job.replicas.front()->stages);
    text.member("micro_batches", job.replicas.front()->microBatches);
    text.member("steps", static_cast<std::int64_t>(job.steps.size()));
    text.member("ranks", job.ranks);
    text.member("family", std::string_view(ofName(job)));
    text.member("step_ms", msFromTicks(analysis.stepTime));
    efficiencyJson(text, analysis.efficiency);
    workersJson(text, trace, analysis);
    causesJson(text, trace, analysis);
    whatIfsJson(text, trace, analysis);
    text.endObject();
}

std::string jobText(const JobAnalysis& analysis, const Screen& screen)
{
    const Job& job = analysis.job;
    const auto replicas = static_cast<std::int64_t>(job.replicas.size());
    TextTable head(screen, {{"", "", TextTable::Align::Left}, {"", "", TextTable::Align::Left}});
    head.append({"job", countText(replicas, "replica") + " of " +
                            countText(job.replicas.front()->stages, "stage") + ", " +
                            countText(job.steps.size(), "step") + ", " +
                            countText(job.ranks, "rank")});
    head.append({"step", ms(static_cast<double>(analysis.stepTime)) + " in the median of " +
                             countText(job.counted().size(), "step") + " that count"});
    head.append({"efficiency", efficiencyText(analysis)});
    std::string out = "\n" + screen.bold("The job") + "\n" + head.text() + "\n" +
                      screen.bold("What costs it time") + "\n" + causesText(analysis, screen);
    TextTable repairs(screen, {{"if", "", TextTable::Align::Left}, {"step"}, {"shorter by"}});
    bool any = false;
    for (const JobWhatIf& one : analysis.whatIfs) {
        if (one.gain < leastToldGain)
            continue;
        any = true;
        repairs.append({repairText(analysis, one), ms(one.stepTicks), percent(one.gain)});
    }
    if (any)
        out += "\n" + repairs.text();
    return out;
}

} // namespace pw::app
