// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/job_families.h"

#include "core/analysis/what_if.h"
#include "core/families/family_traits.h"

#include <algorithm>
#include <optional>
#include <string>

namespace pw {

namespace {

constexpr std::int64_t mostPasses = 20'000;
constexpr double usualWeightPart = 0.5; ///< of a backward, where nothing tells

bool isOther(const Family& family, const RecoveredPipeline& pipeline)
{
    const auto& matches = pipeline.family.matches;
    return !family.search &&
           std::none_of(matches.begin(), matches.end(),
                        [&](const FamilyMatch& match) { return match.family->id == family.id; });
}

/// Whether its order is one that could stand in for a flushing one of one copy of the model. What
/// slices of a sequence take, passes of whole ones do not tell.
bool canReplace(const Family& family)
{
    const FamilyTraits traits = traitsOf(family);
    return traits.updates == UpdateRule::Flush && traits.routes == 1 && traits.segments == 1;
}

/// The replica that the step waits for.
std::size_t slowestOf(const JobReplay& replay)
{
    std::vector<Ticks> spans(replay.replicas(), 0);
    for (std::size_t step = 0; step < replay.steps().size(); ++step)
        for (std::size_t r = 0; r < spans.size(); ++r)
            spans[r] += replay.span({step, r}, false);
    return static_cast<std::size_t>(std::max_element(spans.begin(), spans.end()) - spans.begin());
}

std::optional<WhatIfBase> baseOf(const Trace& trace, const RecoveredPipeline& pipeline)
{
    const Result<FittedCosts> fitted = fitTrace(trace, pipeline);
    if (!fitted)
        return std::nullopt;
    Result<WhatIfBase> base = whatIfBase(pipeline, *fitted);
    if (!base)
        return std::nullopt;
    return std::move(*base);
}

/// The step in the order that a family makes.
std::optional<JobWhatIf> inOrderOf(const Family& family, const FamilyOptions& options,
                                   const WhatIfBase& base, const RecoveredPipeline& pipeline,
                                   const JobReplay& replay)
{
    WhatIf what;
    what.family = FamilyChoice{std::string(family.id), options};
    if (!pipeline.split)
        what.weightPart = usualWeightPart;
    const Result<Prediction> predicted = predict(base, what);
    if (!predicted)
        return std::nullopt;
    JobWhatIf one;
    one.what = Repair::Family;
    one.family = family.id;
    one.stepTicks =
        replay.mean() - static_cast<double>(base.predicted.makespan - predicted->result.makespan);
    one.gain = 1 - one.stepTicks / replay.mean();
    return one;
}

} // namespace

std::optional<JobWhatIf> nearestFamilyWhatIf(const Trace& trace, const JobReplay& replay)
{
    const RecoveredPipeline& pipeline = *replay.job().replicas[slowestOf(replay)];
    if (pipeline.schedule->passCount() > mostPasses || pipeline.family.matches.empty() ||
        pipeline.family.exact())
        return std::nullopt;
    const FamilyMatch& nearest = pipeline.family.matches.front();
    const std::optional<WhatIfBase> base = baseOf(trace, pipeline);
    if (!base)
        return std::nullopt;
    FamilyOptions options = nearest.options;
    options.devices = pipeline.schedule->devices();
    options.microBatches = pipeline.schedule->spec().microBatches;
    return inOrderOf(*nearest.family, options, *base, pipeline, replay);
}

std::vector<JobWhatIf> familyWhatIfs(const Trace& trace, const JobReplay& replay, std::size_t most)
{
    const RecoveredPipeline& pipeline = *replay.job().replicas[slowestOf(replay)];
    if (pipeline.schedule->passCount() > mostPasses)
        return {};
    const std::optional<WhatIfBase> base = baseOf(trace, pipeline);
    if (!base)
        return {};
    std::vector<JobWhatIf> found;
    for (const Family& family : allFamilies()) {
        if (!isOther(family, pipeline) || !canReplace(family))
            continue;
        FamilyOptions options;
        options.devices = pipeline.schedule->devices();
        options.microBatches = pipeline.schedule->spec().microBatches;
        std::optional<JobWhatIf> made = inOrderOf(family, options, *base, pipeline, replay);
        if (!made)
            continue; // of another shape than these ranks and micro-batches allow
        JobWhatIf& one = *made;
        if (one.gain > 0)
            found.push_back(std::move(one));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const JobWhatIf& a, const JobWhatIf& b) { return a.gain > b.gain; });
    found.resize(std::min(found.size(), most));
    return found;
}

} // namespace pw
