// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/schedule.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw::exec {

/// A worker of an emulated job whose passes take longer than planned.
struct SlowWorker
{
    int replica = 0;
    StageId stage{0};
    double factor = 1; ///< of the planned time

    friend bool operator==(const SlowWorker&, const SlowWorker&) = default;
};

/// Factors that make sense: shorter passes, too, to a thousandth.
constexpr double leastSlow = 0.001;
constexpr double mostSlow = 1000;

/// Reads "2.1*1.3,0.3*2": replica and stage, from 0, and the factor.
/// @error Syntax    says what a part should be
/// @error BadValue  there is no such replica or stage, or the factor is beyond the limits
Result<std::vector<SlowWorker>> parseSlowWorkers(std::string_view text, const PipelineSpec& spec);

/// What `parseSlowWorkers` reads.
std::string slowText(const std::vector<SlowWorker>& slow);

/// How much longer an entry takes than planned; of a pair the mean of its halves.
double slowness(const std::vector<SlowWorker>& slow, const PipelineSpec& spec,
                const OrderEntry& entry);

} // namespace pw::exec
