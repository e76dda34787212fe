// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/draft.h"

namespace pw {

Draft draftOf(const Schedule& schedule)
{
    return {schedule.spec(), schedule.orders()};
}

bool belongs(const PipelineSpec& spec, const Pass& pass, DeviceId device)
{
    if (pass.stage < 0 || pass.stage >= spec.stages() || pass.route >= spec.routes.size() ||
        pass.microBatch < 0 || pass.segment < 0)
        return false;
    if (spec.device(pass.route, pass.stage) != device)
        return false;
    if (pass.kind == PassKind::U)
        return spec.updates && pass.segment == 0 && pass.microBatch < spec.updatesPerStage();
    return pass.microBatch < spec.totalMicroBatches() && pass.segment < spec.segments() &&
           pass.route == spec.route(pass.microBatch);
}

Sentence placed(const Problem& problem)
{
    if (problem.position < 0)
        return problem.text;
    return said("device %1, entry %2: %3", problem.device, problem.position, problem.text);
}

} // namespace pw
