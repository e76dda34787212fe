// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/replicated_line.h"

#include "core/base/try.h"
#include "core/model/stage_replicas.h"

#include <numeric>

namespace pw {

Result<Schedule> buildOnStageReplicas(const Family& family, const FamilyOptions& options,
                                      const Costs& costs, std::span<const int> replicas)
{
    PW_TRY(const PipelineSpec spec, specOf(family, options));
    PW_DO(checkStageReplicas(spec, replicas));
    PW_DO(stageReplicaCosts(costs, replicas)); // says what costs cannot be
    if (spec.updateRule == UpdateRule::Stashed)
        return withStageReplicas(spec, replicas);
    FamilyOptions ofLine = options;
    const std::vector<int> places = linePlaces(replicas, spec.segments());
    ofLine.devices = std::accumulate(places.begin(), places.end(), 0);
    PW_TRY(const PipelineSpec line, specOf(family, ofLine));
    PW_TRY(const Schedule whole, family.build(line, ofLine, lineCosts(costs, places)));
    return onStageReplicas(whole, replicas);
}

} // namespace pw
