// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pw {

/// An order over a spec that may still be incomplete or wrong: what an editor holds and a file
/// contains.
struct Draft
{
    PipelineSpec spec;
    DeviceOrders orders; ///< one list a device

    friend bool operator==(const Draft&, const Draft&) = default;
};

/// Draft form of a checked schedule.
Draft draftOf(const Schedule& schedule);

/// Whether a spec has a pass, and has it on this device.
bool belongs(const PipelineSpec& spec, const Pass& pass, DeviceId device);

/// What is wrong with a pass of a draft.
enum class ProblemCode : std::uint8_t
{
    Outside,   ///< names a stage, micro-batch, segment, route or update that the spec does not have
    Missing,   ///< does not stand in the order
    Doubled,   ///< stands there a second time
    Misplaced, ///< stands on a device that does not hold its stage
    OutOfOrder, ///< stands before a pass of its own cell that it needs
    Conflict,   ///< BW appears beside a B or W of the same cell
    BadPair     ///< an overlapped pair is not one F and one backward
};

/// One thing that keeps a draft from being a schedule.
struct Problem
{
    ProblemCode code = ProblemCode::Missing;
    DeviceId device{0};
    std::int64_t position = -1; ///< entry in the device's list; −1 for a missing pass
    Pass pass;
    Sentence text; ///< without position

    friend bool operator==(const Problem&, const Problem&) = default;
};

/// The text of a problem with its place: "device 1, entry 7: …".
Sentence placed(const Problem& problem);

/// The problems of a draft; a report stays readable, so the list is cut and the rest only counted.
struct Problems
{
    static constexpr std::size_t listed = 1000;

    /// The first `listed` ones, by device and position, missing passes last.
    std::vector<Problem> list;
    std::int64_t count = 0; ///< all of them

    bool none() const { return count == 0; }
};

/// Every missing, doubled, misplaced and out-of-order pass of a draft. `Schedule::make` takes a
/// draft exactly if it has none; both are one walk.
///
/// @error BadValue, TooLarge  of the spec, see `check(PipelineSpec)`; or another number of device
/// lists than devices
/// @complexity  O(passes that the spec asks for + entries)
Result<Problems> problems(const Draft& draft);

} // namespace pw
