// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/job_analysis.h"

#include "core/job/job_families.h"

#include <algorithm>
#include <utility>

namespace pw {

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
    made.workers = workerTimes(replay);
    made.causes = jobCauses(replay, trace);
    made.whatIfs = jobWhatIfs(replay, mostRepairs);
    for (JobWhatIf& one : familyWhatIfs(trace, replay, mostRepairs))
        made.whatIfs.push_back(std::move(one));
    std::stable_sort(made.whatIfs.begin(), made.whatIfs.end(),
                     [](const JobWhatIf& a, const JobWhatIf& b) { return a.gain > b.gain; });
    made.stepTime = made.job.stepTime();
    return made;
}

} // namespace pw
