// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/job/job_words.h"

#include "core/base/text.h"
#include "core/job/job_sentences.h"
#include "ui/core_sentences.h"
#include "ui/plural.h"
#include "ui/text.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/value_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace pw::ui {

namespace {

struct JobWords
{
    Q_DECLARE_TR_FUNCTIONS(JobPage)
};

NumberRow factorRow(const QString& name, double value, const QString& note)
{
    return {.name = name, .value = percentText(value), .note = note};
}

DetailsPart jobPart(const ShownJob& job, std::size_t step)
{
    DetailsPart part{JobWords::tr("Job"), {}, {}};
    const Job& all = job.job();
    part.rows.push_back({JobWords::tr("Ranks"), text(groupedNumber(all.ranks))});
    part.rows.push_back({JobWords::tr("Pipelines"),
                         QStringLiteral("%1 × %2").arg(all.replicas.size()).arg(all.devices())});
    part.rows.push_back(
        {JobWords::tr("Micro-batches"), QString::number(all.replicas.front()->microBatches)});
    const auto warmUp = std::count_if(all.steps.begin(), all.steps.end(),
                                      [](const JobStep& one) { return one.warmUp; });
    part.rows.push_back(
        {.name = JobWords::tr("Steps"),
         .value = text(groupedNumber(static_cast<std::int64_t>(all.steps.size()))),
         .note = warmUp > 0 ? JobWords::tr("%1 of them warm-up").arg(warmUp) : QString()});
    part.rows.push_back(
        {JobWords::tr("Median step"), durationText(static_cast<double>(job.analysis.stepTime))});
    const JobStep& shown = all.steps[step];
    part.rows.push_back({.name = JobWords::tr("Step %1").arg(shown.number),
                         .value = durationText(static_cast<double>(shown.time)),
                         .verdict = offText(shown.time, job.analysis.stepTime)});
    return part;
}

DetailsPart worthPart(const ShownJob& job)
{
    const JobEfficiency& of = job.analysis.efficiency;
    DetailsPart part{JobWords::tr("What it is worth"), {}, {}};
    part.rows.push_back(factorRow(JobWords::tr("Parallel efficiency"), of.parallel(),
                                  JobWords::tr("computing ÷ ranks × step")));
    part.rows.push_back(
        factorRow(JobWords::tr("Replicas"), of.replicas, JobWords::tr("mean pipeline ÷ step")));
    part.rows.push_back(
        factorRow(JobWords::tr("Stages"), of.stages, JobWords::tr("mean ÷ largest work")));
    part.rows.push_back(
        factorRow(JobWords::tr("Order"), of.order, JobWords::tr("largest work ÷ free links")));
    part.rows.push_back(
        factorRow(JobWords::tr("Links"), of.links, JobWords::tr("free links ÷ measured")));
    return part;
}

DetailsPart workerPart(const ShownJob& job, const std::optional<Worker>& worker)
{
    DetailsPart part{JobWords::tr("Selected"),
                     {},
                     JobWords::tr("No worker. Click one on the map, or a pass in the lanes.")};
    if (!worker)
        return part;
    part.rows.push_back(
        {JobWords::tr("Worker"),
         JobWords::tr("stage %1 of replica %2").arg(worker->device.value).arg(worker->replica)});
    part.rows.push_back({JobWords::tr("Rank"), text(job.rankText(*worker))});
    const TraceRank& rank = job.ranks[job.rankOf(*worker).index()];
    if (!rank.process.empty())
        part.rows.push_back({JobWords::tr("Process"), text(rank.process)});
    for (const WorkerTimes& times : job.analysis.workers) {
        if (times.worker != *worker)
            continue;
        const auto ratio = [](double value) {
            return JobWords::tr("%1 × its replicas").arg(QLocale().toString(value, 'f', 3));
        };
        const bool several = job.job().replicas.size() > 1;
        part.rows.push_back({.name = JobWords::tr("F, median"),
                             .value = durationText(static_cast<double>(times.forward)),
                             .note = several ? ratio(times.forwardRatio) : QString()});
        part.rows.push_back({.name = JobWords::tr("Backward, median"),
                             .value = durationText(static_cast<double>(times.backward)),
                             .note = several ? ratio(times.backwardRatio) : QString()});
    }
    return part;
}

} // namespace

QString jobText(const ShownJob& job)
{
    const Job& all = job.job();
    return JobWords::tr("%1 of %2, %3")
        .arg(plural(static_cast<qint64>(all.replicas.size()), Noun::Replica),
             plural(all.replicas.front()->stages, Noun::Stage),
             plural(static_cast<qint64>(all.steps.size()), Noun::StepOfJob));
}

QString jobOrigin(const ShownJob& job)
{
    QStringList parts;
    if (!job.origin.empty())
        parts += text(job.origin);
    parts += plural(job.job().ranks, Noun::Rank);
    const std::vector<FamilyMatch>& matches = job.replica(0).family.matches;
    if (!matches.empty())
        parts += text(describe(matches.front()));
    return parts.join(QStringLiteral(" · "));
}

QString causeWords(JobCause cause)
{
    switch (cause) {
    case JobCause::SlowWorker:
        return JobWords::tr("A slow worker");
    case JobCause::HeavyStage:
        return JobWords::tr("A heavy stage");
    case JobCause::UnevenMicroBatches:
        return JobWords::tr("Uneven micro-batches");
    case JobCause::SlowLink:
        return JobWords::tr("A slow link");
    case JobCause::SlowStep:
        return JobWords::tr("A slow step");
    case JobCause::LateHost:
        return JobWords::tr("A late host");
    case JobCause::Collector:
        return JobWords::tr("Regular slow steps");
    case JobCause::Order:
        return JobWords::tr("The order waits");
    case JobCause::WarmUp:
        return JobWords::tr("Warm-up");
    }
    return {};
}

QString measureWords(WorkerMeasure measure)
{
    switch (measure) {
    case WorkerMeasure::Work:
        return JobWords::tr("Passes against the median");
    case WorkerMeasure::Forward:
        return JobWords::tr("Time in F");
    case WorkerMeasure::Backward:
        return JobWords::tr("Time in backward passes");
    case WorkerMeasure::Idle:
        return JobWords::tr("Time without a pass");
    case WorkerMeasure::Memory:
        return JobWords::tr("Peak memory");
    }
    return {};
}

PageDetails jobDetails(const ShownJob& job, std::size_t step, const std::optional<Worker>& worker,
                       const CauseOpener& open)
{
    PageDetails details{JobWords::tr("Job"), {jobPart(job, step), worthPart(job)}};
    for (const FoundCause& cause : job.analysis.causes)
        details.parts.push_back(
            {causeWords(cause.cause), {}, coreSentence(cause.sentence), [open, cause] {
                 open(cause);
             }});
    if (job.analysis.causes.empty())
        details.parts.push_back({JobWords::tr("Causes"), {}, coreSentence(noCauseText())});
    details.parts.push_back(workerPart(job, worker));
    return details;
}

} // namespace pw::ui
