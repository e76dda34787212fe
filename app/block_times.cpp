// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/block_times.h"

#include "core/base/try.h"

namespace pw::app {

tl::expected<BlockTimes, Failure> blockTimes(const BuildingBlock& block, int microBatches,
                                             const std::vector<DeviceLifespans>& lifespans,
                                             const Arguments& arguments)
{
    PW_TRY(const StudyCosts costs, studyCosts(specOf(block, microBatches), arguments));
    BlockTimes times;
    times.costsText = costs.text;
    PW_TRY(static_cast<TimedBlock&>(times),
           timedBlock(block, microBatches, lifespans, costs.costs));
    return times;
}

} // namespace pw::app
