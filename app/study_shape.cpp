// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/study_shape.h"

#include "app/offload_options.h"
#include "core/base/try.h"
#include "core/families/replicated_line.h"
#include "core/model/recompute.h"
#include "core/model/replicas.h"
#include "core/model/routes.h"
#include "core/model/stage_replicas.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace pw::app {

namespace {

constexpr const char* replicasName = "replicas";
constexpr const char* stageReplicasName = "stage-replicas";

/// Reads "0,2"; none where it is another text.
std::optional<std::vector<int>> wholeNumbers(const std::string& text)
{
    std::vector<int> numbers;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::optional<double> number = parseNumber(text.substr(begin, end - begin));
        if (!number || *number < 0 || *number >= static_cast<double>(maxPasses) ||
            *number != std::floor(*number))
            return std::nullopt;
        numbers.push_back(static_cast<int>(*number));
        begin = end + 1;
    }
    return numbers;
}

/// Empty for all stages.
tl::expected<std::vector<StageId>, Failure> stageList(const std::string& text)
{
    if (text == allStages)
        return std::vector<StageId>();
    const std::optional<std::vector<int>> numbers = wholeNumbers(text);
    if (!numbers)
        return usage("--recompute takes stages with commas between, such as 0,1, or nothing "
                     "for all, and not " +
                     quotedWord(text));
    std::vector<StageId> stages;
    for (const int number : *numbers)
        stages.emplace_back(number);
    return stages;
}

tl::expected<void, Failure> recompute(Study& study, const std::string& text)
{
    PW_TRY(const std::vector<StageId> stages, stageList(text));
    // The family has done it already.
    if (stages.empty() && study.schedule.anyRecompute())
        return {};
    PW_TRY(Schedule made, withRecompute(study.schedule, stages));
    study.schedule = std::move(made);
    study.title += text == allStages ? ", recompute" : ", recompute of stages " + text;
    study.reshaped = true;
    study.costs.uniform.reset(); // closed forms know of no R
    return {};
}

tl::expected<void, Failure> replicate(Study& study, int replicas)
{
    PW_TRY(Schedule made, withReplicas(study.schedule, replicas));
    study.costs.costs = replicatedCosts(study.costs.costs, study.schedule.spec(), replicas);
    study.schedule = std::move(made);
    if (replicas > 1) {
        study.reshaped = true;
        study.costs.uniform.reset(); // closed forms are of one replica
    }
    PW_DO(check(study.costs.costs, study.schedule.spec()));
    return {};
}

tl::expected<void, Failure> replicateStages(Study& study, const std::string& text)
{
    const std::optional<std::vector<int>> replicas = wholeNumbers(text);
    if (!replicas)
        return usage("--stage-replicas takes a number for each stage with commas between, such as "
                     "2,1, and not " +
                     quotedWord(text));
    if (study.family == nullptr)
        return wrong("--stage-replicas has the family make its order anew, and the file has one of "
                     "its own; give the family in the place of the file");
    PW_TRY(Schedule made,
           buildOnStageReplicas(*study.family, study.options, study.costs.costs, *replicas));
    PW_TRY(Costs costs, stageReplicaCosts(study.costs.costs, *replicas));
    study.costs.costs = std::move(costs);
    study.schedule = std::move(made);
    study.title += ", replicas of stages " + text;
    study.reshaped = true;
    study.costs.uniform.reset(); // closed forms know of none
    PW_DO(check(study.costs.costs, study.schedule.spec()));
    return {};
}

} // namespace

PipelineSize stageReplicaSize(const Arguments& arguments)
{
    const std::optional<std::vector<int>> replicas =
        wholeNumbers(arguments.text(stageReplicasName));
    if (!replicas)
        return {};
    // What cannot be is said when the stages get them.
    std::int64_t devices = 0;
    for (const int count : *replicas)
        devices += std::clamp(count, 1, maxRoutes);
    const int turn = std::clamp(stageReplicaTurn(*replicas), 1, maxRoutes);
    return {static_cast<int>(replicas->size()),
            static_cast<int>((2 * devices + turn - 1) / turn * turn)};
}

std::vector<Option> reshapeOptions()
{
    constexpr const char* section = "Shape";
    std::vector<Option> options = {
        {.name = recomputeName,
         .kind = ValueKind::Text,
         .placeholder = "STAGES",
         .summary = "run each forward once more before its backward, and keep only its input "
                    "until then: on all stages, or on those of a list such as 0,1",
         .section = section,
         .omitted = allStages},
        {.name = replicasName,
         .kind = ValueKind::Whole,
         .placeholder = "D",
         .summary = "data-parallel replicas of the pipeline, each with its own devices and "
                    "micro-batches; gradients are summed over them (default 1)",
         .section = section,
         .minimum = 1,
         .maximum = maxRoutes},
        {.name = stageReplicasName,
         .kind = ValueKind::Text,
         .placeholder = "R,R…",
         .summary = "devices of every stage, which take micro-batches in turn: 2,1 is two stages "
                    "on three devices (families with one stage per device)",
         .section = section}};
    const std::vector<Option> offload = offloadOptions();
    options.insert(options.begin() + 1, offload.begin(), offload.end());
    return options;
}

tl::expected<Study, Failure> reshaped(Study study, const Arguments& arguments)
{
    const std::size_t plain = study.title.size();
    if (arguments.has(stageReplicasName)) {
        if (arguments.has(replicasName))
            return usage("--stage-replicas and --replicas exclude each other");
        if (const auto done = replicateStages(study, arguments.text(stageReplicasName)); !done)
            return tl::unexpected<Failure>(done.error());
    }
    if (arguments.has(recomputeName)) {
        if (const auto done = recompute(study, arguments.text(recomputeName)); !done)
            return tl::unexpected<Failure>(done.error());
    }
    if (const auto done = applyOffload(study, arguments); !done)
        return tl::unexpected<Failure>(done.error());
    if (arguments.has(replicasName)) {
        if (const auto done = replicate(study, arguments.whole(replicasName, 1)); !done)
            return tl::unexpected<Failure>(done.error());
    }
    if (study.costs.measured != nullptr) {
        if (const Result<void> known = check(*study.costs.measured, study.schedule); !known)
            return wrong(known.error());
        if (const std::string assumed = assumedOf(*study.costs.measured, study.schedule);
            !assumed.empty())
            study.costs.carried += (study.costs.carried.empty() ? "" : "; ") + assumed;
    }
    study.additions = study.title.substr(plain);
    addMeasuredEdges(study.costs, study.schedule);
    return study;
}

} // namespace pw::app
