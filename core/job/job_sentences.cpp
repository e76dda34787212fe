// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/job_sentences.h"

#include "core/base/text.h"
#include "core/families/family.h"

#include <cmath>

namespace pw {

namespace {

std::string percentText(double part)
{
    constexpr double whole = 100;
    return plainNumber(part * whole, 3) + " %";
}

} // namespace

bool isWorthTelling(const JobAnalysis& analysis)
{
    constexpr std::size_t enoughSteps = 3;
    return analysis.job.replicas.size() > 1 || analysis.job.counted().size() >= enoughSteps;
}

Sentence repairText(const JobAnalysis& analysis, const JobWhatIf& repair)
{
    const std::int32_t stage = repair.device.value;
    switch (repair.what) {
    case Repair::AllMean:
        return said("every pass takes the mean of its kind");
    case Repair::WorkerRepaired:
        return said("stage %1 of replica %2 is as its replicas", stage, repair.replica);
    case Repair::StageRepaired:
        return analysis.job.replicas.size() > 1
                   ? said("stage %1 has the mean work, in every replica", stage)
                   : said("stage %1 has the mean work", stage);
    case Repair::StepRepaired:
        return said("step %1 is as the others",
                    analysis.job.steps[static_cast<std::size_t>(repair.step)].number);
    case Repair::FreeLinks:
        return said("messages take no time");
    case Repair::NoLaunchGaps:
        return said("nothing begins late that nothing holds up");
    case Repair::Family: {
        const Result<const Family*> family = findFamily(repair.family);
        return said("the order is that of %1",
                    family ? std::string((*family)->title) : repair.family);
    }
    }
    return {};
}

Sentence efficiencyText(const JobAnalysis& analysis)
{
    const JobEfficiency& of = analysis.efficiency;
    const auto factor = [](double value) { return plainNumber(value, 3); };
    return said("%1 of all ranks' time computes = replicas %2 · stages %3 · order %4 · links %5",
                percentText(of.parallel()), factor(of.replicas), factor(of.stages),
                factor(of.order), factor(of.links));
}

Sentence noCauseText()
{
    return said("nothing stands out: replicas, stages, links, micro-batches and steps are alike");
}

std::vector<Sentence> jobSentences(const JobAnalysis& analysis)
{
    constexpr int digits = 5;
    const auto ms = [](double ticks) {
        return millisecondText(static_cast<Ticks>(std::llround(ticks)), digits);
    };
    const Job& job = analysis.job;
    const auto count = [](std::size_t number) { return static_cast<std::int64_t>(number); };
    std::vector<Sentence> sentences = {
        said("%1 of %2, %3; a step takes %4 in the median",
             counted(count(job.replicas.size()), "%1 replica", "%1 replicas"),
             counted(job.replicas.front()->stages, "%1 stage", "%1 stages"),
             counted(count(job.steps.size()), "%1 step", "%1 steps"),
             ms(static_cast<double>(analysis.stepTime))),
        efficiencyText(analysis)};
    for (const FoundCause& one : analysis.causes)
        sentences.push_back(one.sentence);
    if (analysis.causes.empty())
        sentences.push_back(noCauseText());
    for (const JobWhatIf& one : analysis.whatIfs)
        if (one.gain >= leastToldGain)
            sentences.push_back(said("if %1: a step of %2, %3 shorter", repairText(analysis, one),
                                     ms(one.stepTicks), percentText(one.gain)));
    return sentences;
}

} // namespace pw
