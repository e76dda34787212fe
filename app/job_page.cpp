// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/job_page.h"

#include "app/web_application.h"
#include "core/io/lanes_json.h"
#include "core/io/page_json.h"
#include "core/job/job_sentences.h"
#include "core/job/job_views.h"
#include "core/trace/match.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace pw::app {

namespace {

constexpr auto oneLine = JsonText::Layout::OneLine;
constexpr std::size_t mostNumbers = 250'000; ///< of all steps with lanes; a page of some 2 MB
constexpr std::size_t numbersOfEntry = 2;
constexpr std::size_t mostDifferent = 4; ///< replicas of a step, where not all are in the page
constexpr std::size_t columns = 240;     ///< of the strip of a step

/// Four digits: what a map shows has no more.
double rounded(double value)
{
    constexpr double digits = 1e4;
    return std::round(value * digits) / digits;
}

/// What a page has room for.
class JobPageText
{
public:
    JobPageText(const Trace& trace, const JobAnalysis& analysis)
        : m_trace(trace)
        , m_analysis(analysis)
        , m_job(analysis.job)
    {
        constexpr Ticks fine = 1'000'000, ten = 10;
        while (m_unit * fine * ten <= analysis.stepTime)
            m_unit *= ten;
        chooseSteps();
        takeOrders();
    }

    std::string text(const std::string& title)
    {
        m_json.beginObject();
        m_json.member("mode", "job");
        m_json.member("title", std::string_view(title));
        m_json.key("colours");
        m_json.beginObject();
        writeColours(m_json);
        m_json.endObject();
        writeHead();
        writeSteps();
        writeWorkers();
        writeCauses();
        writeRepairs();
        writeOrders();
        writeShown();
        m_json.endObject();
        return m_json.text();
    }

private:
    void chooseSteps();
    void takeOrders();
    std::vector<std::int32_t> replicasOf(std::size_t step, const AlikeReplicas& alike) const;
    void place(std::int32_t replica, DeviceId device, std::int32_t step);
    void writeHead();
    void writeSteps();
    void writeWorkers();
    void writeValues(std::optional<std::size_t> step);
    void writeCauses();
    void writeRepairs();
    void writeOrders();
    void writeShown();
    void writeStep(std::size_t step);
    void writeBusy(std::size_t step, const StepWindow& window);
    void writeTimes(std::size_t step, std::int32_t replica, const StepWindow& window);

    std::size_t entriesOf(std::size_t replica) const
    {
        return static_cast<std::size_t>(m_job.replicas[replica]->schedule->entryCount());
    }

    const Trace& m_trace;
    const JobAnalysis& m_analysis;
    const Job& m_job;
    Ticks m_unit = 1; // of times of passes: a millionth of a step or less
    std::size_t m_usual = 0;
    std::vector<std::size_t> m_steps;   // that have lanes, in order
    bool m_whole = true;                // every replica has lanes in them
    std::set<std::int32_t> m_named;     // replicas that causes and repairs name
    std::vector<std::size_t> m_orders;  // replicas, each with an order of its own
    std::vector<std::size_t> m_orderOf; // by replica, of `m_orders`
    JsonText m_json;
};

void JobPageText::chooseSteps()
{
    std::vector<std::size_t> counted = m_job.counted();
    std::stable_sort(counted.begin(), counted.end(), [this](std::size_t a, std::size_t b) {
        return m_job.steps[a].time < m_job.steps[b].time;
    });
    m_usual = counted[(counted.size() - 1) / 2];
    std::vector<std::size_t> wanted = {m_usual, counted.back(), counted.front()};
    const auto named = [&](std::int32_t replica, std::int32_t step) {
        if (replica >= 0)
            m_named.insert(replica);
        if (step >= 0)
            wanted.push_back(static_cast<std::size_t>(step));
    };
    for (const FoundCause& one : m_analysis.causes)
        named(one.replica, one.step);
    for (const JobWhatIf& one : m_analysis.whatIfs)
        named(one.replica, one.step);
    for (std::size_t step = 0; step < m_job.steps.size(); ++step)
        wanted.push_back(step);
    std::size_t all = 0;
    for (std::size_t r = 0; r < m_job.replicas.size(); ++r)
        all += numbersOfEntry * entriesOf(r);
    constexpr std::size_t stepsAtLeast = 3;
    m_whole = all * stepsAtLeast <= mostNumbers;
    const std::size_t each =
        (m_whole ? all : numbersOfEntry * entriesOf(0) * (mostDifferent + m_named.size() + 1)) +
        workerMeasureCount * m_job.workers().size();
    std::set<std::size_t> chosen;
    for (const std::size_t step : wanted)
        if ((chosen.empty() || (chosen.size() + 1) * each <= mostNumbers) &&
            windowOf(m_job, step).has_value())
            chosen.insert(step);
    m_steps.assign(chosen.begin(), chosen.end());
}

void JobPageText::takeOrders()
{
    for (std::size_t r = 0; r < m_job.replicas.size(); ++r) {
        const auto same = std::find_if(m_orders.begin(), m_orders.end(), [&](std::size_t other) {
            return *m_job.replicas[other]->schedule == *m_job.replicas[r]->schedule;
        });
        m_orderOf.push_back(static_cast<std::size_t>(same - m_orders.begin()));
        if (same == m_orders.end())
            m_orders.push_back(r);
    }
}

std::vector<std::int32_t> JobPageText::replicasOf(std::size_t step,
                                                  const AlikeReplicas& alike) const
{
    std::set<std::int32_t> shown = m_named;
    for (std::size_t i = 0; i < std::min(mostDifferent, alike.different.size()); ++i)
        shown.insert(alike.different[i]);
    shown.insert(std::max(0, alike.typical));
    const auto count = static_cast<std::int32_t>(m_job.replicas.size());
    for (std::int32_t r = 0; m_whole && r < count; ++r)
        shown.insert(r);
    std::vector<std::int32_t> there;
    for (const std::int32_t replica : shown)
        if (m_job.steps[step].iteration[static_cast<std::size_t>(replica)] >= 0)
            there.push_back(replica);
    return there;
}

void JobPageText::writeHead()
{
    const RecoveredPipeline& first = *m_job.replicas.front();
    if (m_trace.origin != "executed")
        m_json.member("origin", std::string_view(m_trace.origin));
    if (!first.family.matches.empty())
        m_json.member("family", std::string_view(describe(first.family.matches.front())));
    m_json.member("ranks", m_job.ranks);
    m_json.member("replicas", static_cast<std::int64_t>(m_job.replicas.size()));
    m_json.member("devices", m_job.devices());
    m_json.member("stages", first.stages);
    m_json.member("micro_batches", first.microBatches);
    m_json.member("segments", first.segments);
    m_json.member("step", m_analysis.stepTime);
    m_json.member("unit", m_unit);
    const JobEfficiency& of = m_analysis.efficiency;
    m_json.key("efficiency");
    m_json.beginObject(oneLine);
    m_json.member("parallel", of.parallel());
    m_json.member("replicas", of.replicas);
    m_json.member("stages", of.stages);
    m_json.member("order", of.order);
    m_json.member("links", of.links);
    m_json.endObject();
}

/// Time, and whether it counts; flat.
void JobPageText::writeSteps()
{
    m_json.key("steps");
    m_json.beginArray(oneLine);
    for (const JobStep& step : m_job.steps) {
        m_json.value(step.number);
        m_json.value(step.time);
        m_json.value(step.complete && !step.warmUp ? 1 : 0);
    }
    m_json.endArray();
    m_json.member("usual", static_cast<std::int64_t>(m_usual));
}

void JobPageText::writeWorkers()
{
    m_json.key("workers");
    m_json.beginArray();
    for (const WorkerTimes& one : m_analysis.workers) {
        const TraceRank& rank = m_trace.ranks[one.rank.index()];
        m_json.beginObject(oneLine);
        m_json.member("rank", rank.number);
        if (!rank.process.empty())
            m_json.member("process", std::string_view(rank.process));
        m_json.member("forward", one.forward);
        m_json.member("backward", one.backward);
        m_json.member("forward_ratio", rounded(one.forwardRatio));
        m_json.member("backward_ratio", rounded(one.backwardRatio));
        m_json.endObject();
    }
    m_json.endArray();
    writeValues(std::nullopt);
}

void JobPageText::writeValues(std::optional<std::size_t> step)
{
    m_json.key("values");
    m_json.beginObject(oneLine);
    for (int i = 0; i < workerMeasureCount; ++i) {
        const auto measure = static_cast<WorkerMeasure>(i);
        const std::vector<std::optional<double>> values = workerValues(m_job, measure, step);
        if (std::none_of(values.begin(), values.end(), [](const auto& one) { return one; }))
            continue;
        m_json.key(name(measure));
        m_json.beginArray(oneLine);
        const bool part = measure == WorkerMeasure::Work || measure == WorkerMeasure::Idle;
        for (const std::optional<double>& value : values) {
            if (!value)
                m_json.null();
            else
                m_json.value(part ? rounded(*value) : std::round(*value));
        }
        m_json.endArray();
    }
    m_json.endObject();
}

void JobPageText::place(std::int32_t replica, DeviceId device, std::int32_t step)
{
    if (replica >= 0)
        m_json.member("replica", replica);
    if (device.valid())
        m_json.member("device", device.value);
    if (step >= 0)
        m_json.member("at", step);
}

void JobPageText::writeCauses()
{
    m_json.key("causes");
    m_json.beginArray();
    for (const FoundCause& one : m_analysis.causes) {
        m_json.beginObject(oneLine);
        m_json.member("kind", name(one.cause));
        m_json.key("sentence");
        writeSentence(m_json, one.sentence);
        place(one.replica, one.device.valid() ? one.device : one.from, one.step);
        m_json.endObject();
    }
    m_json.endArray();
    if (m_analysis.causes.empty()) {
        m_json.key("no_cause");
        writeSentence(m_json, noCauseText());
    }
}

void JobPageText::writeRepairs()
{
    m_json.key("repairs");
    m_json.beginArray();
    for (const JobWhatIf& one : m_analysis.whatIfs) {
        if (one.gain < leastToldGain)
            continue;
        m_json.beginObject(oneLine);
        m_json.key("sentence");
        writeSentence(m_json, repairText(m_analysis, one));
        m_json.member("step", std::round(one.stepTicks));
        m_json.member("gain", rounded(one.gain));
        place(one.replica, one.device, one.step);
        m_json.endObject();
    }
    m_json.endArray();
}

/// Passes in their order, without times: those of each step follow.
void JobPageText::writeOrders()
{
    m_json.key("orders");
    m_json.beginArray();
    for (const std::size_t replica : m_orders) {
        const Schedule& schedule = *m_job.replicas[replica]->schedule;
        SimResult still;
        still.start.assign(static_cast<std::size_t>(schedule.entryCount()), 0);
        still.end = still.start;
        m_json.beginObject(oneLine);
        writeLaneEntries(m_json, draftOf(schedule), draftTimesOf(schedule, still));
        m_json.endObject();
    }
    m_json.endArray();
    m_json.numbers("order_of", m_orderOf);
}

void JobPageText::writeShown()
{
    m_json.key("shown");
    m_json.beginArray();
    for (const std::size_t step : m_steps)
        writeStep(step);
    m_json.endArray();
}

void JobPageText::writeStep(std::size_t step)
{
    const StepWindow window = *windowOf(m_job, step);
    const AlikeReplicas alike = alikeReplicas(m_job, step);
    m_json.beginObject(oneLine);
    m_json.member("at", static_cast<std::int64_t>(step));
    m_json.member("length", window.last - window.first);
    m_json.numbers("alike", alike.alike);
    m_json.member("typical", alike.typical);
    m_json.member("within", rounded(alike.within));
    m_json.numbers("different", alike.different);
    writeBusy(step, window);
    writeValues(step);
    m_json.key("replicas");
    m_json.beginArray(oneLine);
    for (const std::int32_t replica : replicasOf(step, alike))
        writeTimes(step, replica, window);
    m_json.endArray();
    m_json.endObject();
}

/// Workers in a pass of each kind, thousandths of all, column by column.
void JobPageText::writeBusy(std::size_t step, const StepWindow& window)
{
    constexpr double thousandths = 1000;
    const auto all = static_cast<double>(m_job.workers().size());
    m_json.key("busy");
    m_json.beginArray(oneLine);
    for (const BusyByKind& column : busyWorkers(m_job, step, window, columns))
        for (const float workers : column)
            m_json.value(std::round(thousandths * static_cast<double>(workers) / all));
    m_json.endArray();
}

/// The replica, then begin after the window's and length of every entry of its order, in units.
void JobPageText::writeTimes(std::size_t step, std::int32_t replica, const StepWindow& window)
{
    const RecoveredPipeline& pipeline = *m_job.replicas[static_cast<std::size_t>(replica)];
    const std::int32_t at = m_job.steps[step].iteration[static_cast<std::size_t>(replica)];
    const RecoveredIteration& iteration = pipeline.iterations[static_cast<std::size_t>(at)];
    const Result<SimResult> measured = measuredResult(*pipeline.schedule, iteration.passes, {});
    if (!measured)
        return; // passes of another order
    const Ticks shift = iteration.first - window.first;
    m_json.beginArray(oneLine);
    m_json.value(replica);
    for (std::size_t entry = 0; entry < measured->start.size(); ++entry) {
        const Ticks begin = (measured->start[entry] + shift) / m_unit;
        m_json.value(begin);
        m_json.value((measured->end[entry] + shift) / m_unit - begin);
    }
    m_json.endArray();
}

} // namespace

Result<std::string> jobPage(const Trace& trace, const JobAnalysis& analysis,
                            const std::string& title)
{
    return pageWithData(PageKind::Tells, JobPageText(trace, analysis).text(title));
}

} // namespace pw::app
