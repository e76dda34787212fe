// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/costs.h"
#include "core/model/pass.h"
#include "core/model/pipeline_spec.h"

#include <cstdint>
#include <vector>

namespace pw {

/// Everything that a simulation's inner loop needs of a site (see `Schedule::Places`), in one
/// place.
struct Site
{
    Ticks time[passKindCount] = {};              ///< by kind, without the single times
    Ticks fromPrevious = 0;                      ///< message time from the stage before
    Ticks fromNext = 0;                          ///< message time from the stage after
    ActivationChange change[passKindCount] = {}; ///< by a pass of each kind
    ActivationChange stash;                      ///< by an F whose cell is recomputed
    DeviceId device{0}, previousDevice{0}, nextDevice{0};
    Bytes previousBytes = 0, nextBytes = 0; ///< of the messages from there
    bool first = false, last = false;       ///< stage of its route
    bool firstSegment = false, lastSegment = false;
};

/// Fills the sites of a spec, index (route·S + stage)·k + segment; a repeat for a spec that is not
/// larger allocates nothing. @pre `check(costs, spec)` holds
void fillSites(const PipelineSpec& spec, const Costs& costs, std::vector<Site>& sites);

} // namespace pw
