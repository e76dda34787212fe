// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "core/model/costs.h"

#include <string>

namespace pw::app {

/// The name of the option that limits the memory of every schedule, and of the searches' parameter.
constexpr const char* memoryLimitName = "memory-limit";

/// The most that a device may hold, as it is typed: one of these, or nothing.
struct MemoryLimit
{
    double microBatches = 0; ///< of activation; above 0
    double chunks = 0;       ///< activations of one chunk; above 0
    Bytes bytes = 0;         ///< with weights and states; above 0
    bool none = false;       ///< "none": whatever there was is no limit

    /// Of activation on a device; 0 where it is in bytes, or none.
    double inMicroBatches(const PipelineSpec& spec) const;
    /// Puts it into costs of a shape; what they had gives way. Nothing where nothing was said.
    ///
    /// @error Usage  bytes, of costs that know of no sizes
    tl::expected<void, Failure> apply(Costs& costs, const PipelineSpec& spec) const;
};

/// The value of --memory-limit: 6 or 6mb, 12chunks, 40GiB, or none.
///
/// @error Usage  a text that is none of these, or out of range
tl::expected<MemoryLimit, Failure> readMemoryLimit(const std::string& text);
/// Of the command line; nothing said: nothing.
tl::expected<MemoryLimit, Failure> readMemoryLimit(const Arguments& arguments);

/// How many micro-batches of activation fit on every device under the costs' limit in bytes, beside
/// what it holds all the time: down to a hundredth. Below 0 where that alone is too much.
///
/// @pre the costs have such a limit and sizes of activations
double microBatchesWithin(const Costs& costs, const PipelineSpec& spec);

} // namespace pw::app
