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

std::string repairText(const JobAnalysis& analysis, const JobWhatIf& repair)
{
    const std::string stage = "stage " + std::to_string(repair.device.value);
    switch (repair.what) {
    case Repair::AllMean:
        return "every pass takes the mean of its kind";
    case Repair::WorkerRepaired:
        return stage + " of replica " + std::to_string(repair.replica) + " is as its replicas";
    case Repair::StageRepaired:
        return stage + " has the mean work" +
               (analysis.job.replicas.size() > 1 ? ", in every replica" : "");
    case Repair::StepRepaired:
        return "step " +
               std::to_string(analysis.job.steps[static_cast<std::size_t>(repair.step)].number) +
               " is as the others";
    case Repair::FreeLinks:
        return "messages take no time";
    case Repair::NoLaunchGaps:
        return "nothing begins late that nothing holds up";
    case Repair::Family: {
        const Result<const Family*> family = findFamily(repair.family);
        return "the order is that of " + (family ? std::string((*family)->title) : repair.family);
    }
    }
    return {};
}

std::string efficiencyText(const JobAnalysis& analysis)
{
    const JobEfficiency& of = analysis.efficiency;
    const auto factor = [](double value) { return plainNumber(value, 3); };
    return percentText(of.parallel()) + " of all ranks' time computes = replicas " +
           factor(of.replicas) + " · stages " + factor(of.stages) + " · order " + factor(of.order) +
           " · links " + factor(of.links);
}

std::string noCauseText()
{
    return "nothing stands out: replicas, stages, links, micro-batches and steps are alike";
}

std::vector<std::string> jobSentences(const JobAnalysis& analysis)
{
    constexpr int digits = 5;
    const auto ms = [](double ticks) {
        return millisecondText(static_cast<Ticks>(std::llround(ticks)), digits);
    };
    const Job& job = analysis.job;
    std::vector<std::string> sentences = {
        countText(job.replicas.size(), "replica") + " of " +
            countText(job.replicas.front()->stages, "stage") + ", " +
            countText(job.steps.size(), "step") + "; a step takes " +
            ms(static_cast<double>(analysis.stepTime)) + " in the median",
        efficiencyText(analysis)};
    for (const FoundCause& one : analysis.causes)
        sentences.push_back(one.sentence);
    if (analysis.causes.empty())
        sentences.push_back(noCauseText());
    for (const JobWhatIf& one : analysis.whatIfs)
        if (one.gain >= leastToldGain)
            sentences.push_back("if " + repairText(analysis, one) + ": a step of " +
                                ms(one.stepTicks) + ", " + percentText(one.gain) + " shorter");
    return sentences;
}

} // namespace pw
