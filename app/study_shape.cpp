// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/study_shape.h"

#include "core/base/try.h"
#include "core/model/recompute.h"
#include "core/model/replicas.h"
#include "core/model/routes.h"

#include <cmath>

namespace pw::app {

namespace {

constexpr const char* replicasName = "replicas";

/// Reads "0,2"; empty for all stages.
tl::expected<std::vector<int>, Failure> stageList(const std::string& text)
{
    std::vector<int> stages;
    for (std::size_t begin = 0; text != allStages && begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::optional<double> stage = parseNumber(text.substr(begin, end - begin));
        if (!stage || *stage < 0 || *stage >= static_cast<double>(maxPasses) ||
            *stage != std::floor(*stage))
            return usage("--recompute takes stages with commas between, such as 0,1, or nothing "
                         "for all, and not " +
                         quotedWord(text));
        stages.push_back(static_cast<int>(*stage));
        begin = end + 1;
    }
    return stages;
}

tl::expected<void, Failure> recompute(Study& study, const std::string& text)
{
    PW_TRY(const std::vector<int> stages, stageList(text));
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

} // namespace

std::vector<Option> reshapeOptions()
{
    constexpr const char* section = "Shape";
    return {{.name = recomputeName,
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
             .maximum = maxRoutes}};
}

tl::expected<Study, Failure> reshaped(Study study, const Arguments& arguments)
{
    if (arguments.has(recomputeName)) {
        if (const auto done = recompute(study, arguments.text(recomputeName)); !done)
            return tl::unexpected<Failure>(done.error());
    }
    if (arguments.has(replicasName)) {
        if (const auto done = replicate(study, arguments.whole(replicasName, 1)); !done)
            return tl::unexpected<Failure>(done.error());
    }
    if (study.costs.measured != nullptr) {
        if (const Result<void> known = check(*study.costs.measured, study.schedule); !known)
            return wrong(known.error());
    }
    return study;
}

} // namespace pw::app
