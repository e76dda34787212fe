// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/job_analysis.h"

#include "core/base/text.h"
#include "core/families/family.h"
#include "core/job/job_families.h"

#include <algorithm>
#include <string>
#include <utility>

namespace pw {

namespace {

/// An order that is nearly a family's, and would be shorter if it were. Of orders that are what
/// they mean to be, other families are repairs and no cause.
void addOrder(JobAnalysis& analysis, const Trace& trace, const JobReplay& replay)
{
    constexpr double leastGain = 0.02, whole = 100, least = 1e-9;
    const std::optional<JobWhatIf> own = nearestFamilyWhatIf(trace, replay);
    if (!own || own->gain < leastGain)
        return;
    const Result<const Family*> family = findFamily(own->family);
    FoundCause cause;
    cause.cause = JobCause::Order;
    cause.costTicks = own->gain * replay.mean();
    cause.share =
        std::clamp(own->gain / std::max(1 - analysis.efficiency.parallel(), least), 0.0, 1.0);
    cause.sentence = said("the order is nearly that of %1, and passes that stand elsewhere are "
                          "waited for; in that order the step would be %2 shorter",
                          family ? std::string((*family)->title) : own->family,
                          plainNumber(own->gain * whole, 2) + " %");
    const auto place =
        std::find_if(analysis.causes.begin(), analysis.causes.end(),
                     [&](const FoundCause& one) { return one.costTicks < cause.costTicks; });
    analysis.causes.insert(place, std::move(cause));
}

} // namespace

std::optional<JobAnalysis> analyseJob(const Trace& trace,
                                      std::span<const AlignedPipeline> pipelines)
{
    constexpr std::size_t mostRepairs = 3; // of workers, of stages and of steps
    JobAnalysis made;
    made.job = jobOf(trace, pipelines);
    if (made.job.replicas.empty() || made.job.counted().empty())
        return std::nullopt;
    const JobReplay replay(made.job);
    made.efficiency = efficiencyOf(replay);
    made.workers = workerTimes(replay, trace);
    made.causes = jobCauses(replay, trace);
    addOrder(made, trace, replay);
    made.whatIfs = jobWhatIfs(replay, mostRepairs);
    for (JobWhatIf& one : familyWhatIfs(trace, replay, mostRepairs))
        made.whatIfs.push_back(std::move(one));
    std::stable_sort(made.whatIfs.begin(), made.whatIfs.end(),
                     [](const JobWhatIf& a, const JobWhatIf& b) { return a.gain > b.gain; });
    made.stepTime = made.job.stepTime();
    return made;
}

} // namespace pw
