// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/hint.h"

#include <algorithm>
#include <string>

namespace pw::exec {

Result<void> setHint(RunPlan& plan, int ahead, std::string_view backend)
{
    const auto refuse = [](const std::string& why) {
        return fail(ErrorCode::BadValue, "the order cannot be a hint: %1", why);
    };
    const PipelineSpec& spec = plan.schedule.spec();
    if (backend == "cuda")
        return refuse("the backend cuda is told the passes of a device before it comes to them; "
                      "--backend cpu and emulated decide when a pass ends");
    if (spec.messages == MessageRule::Committed)
        return refuse("both ends of a committed message come to it in one order; with early "
                      "messages (PyTorch's, or Megatron's without overlap) it can");
    if (spec.updateRule != UpdateRule::Flush)
        return refuse("in an asynchronous family the order says which weights a pass reads; a "
                      "family that flushes, such as 1f1b, has a choice");
    if (plan.postValidation)
        return refuse("forwards before the norm of the gradients is known (--post-validation) are "
                      "done again in their order");
    if (!plan.program.moves.empty())
        return refuse("copies to the host's memory (--offload) stand between the passes where the "
                      "order has them");
    if (std::any_of(plan.faults.begin(), plan.faults.end(),
                    [](const InjectedFault& fault) { return fault.kind == FaultKind::WrongTag; }))
        return refuse("a message under a wrong tag is noticed by its place in the order");
    if (ahead < 1)
        return refuse("a pass goes ahead by at least 1 place, not " + std::to_string(ahead));
    plan.hint = ahead;
    return {};
}

} // namespace pw::exec
