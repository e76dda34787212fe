// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_plan.h"
#include "executor/api/transport.h"

#include <string>

namespace pw::exec {

// Faults of waits in words, the same for every transport: rank and pass at hand, what was waited
// for, and from whom.

/// "F of micro-batch 1 on stage 1 from rank 1".
std::string sentText(const RunPlan& plan, std::int32_t message);
/// "rank 2 to take F of micro-batch 1 on stage 1".
std::string takenText(const RunPlan& plan, std::int32_t message);
/// "the gradients of stage 1 for update 0 from rank 3".
std::string gradientText(const RunPlan& plan, std::int32_t reduction, RankId peer);

/// "rank 2, PP:2F1: waited 3.0 s for …"
tl::unexpected<Error> waitedInVain(const Patience& patience, Ticks waited, const std::string& what);
/// "rank 2, PP:2F1: … came from rank 1 where … was due".
tl::unexpected<Error> cameInstead(const Patience& patience, const RunPlan& plan, std::int32_t got,
                                  std::int32_t due);
/// "rank 2, PP:2F1: rank 1 has given up".
tl::unexpected<Error> peerGaveUp(const Patience& patience, RankId peer);
/// A wait that ended because the run does.
tl::unexpected<Error> stopped(const Patience& patience);
/// The same, where it is worth knowing what was waited for.
tl::unexpected<Error> stopped(const Patience& patience, Ticks waited, const std::string& what);

} // namespace pw::exec
