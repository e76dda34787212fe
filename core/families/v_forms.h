// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"
#include "core/families/forms.h"
#include "core/search/v_model.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace pw::families {

/// Spec with the V placement of the options' devices.
inline Result<PipelineSpec> vShaped(const FamilyOptions& options)
{
    return placedShape(options, Placement::vShape(options.devices));
}

/// The same for schedules that repeat a block, whose lanes are laid out slot by slot.
///
/// @error TooLarge  all lanes together are longer than some gigabytes hold
inline Result<PipelineSpec> vRepeated(const FamilyOptions& options)
{
    constexpr double mostSlots = 64e6;
    const double slots =
        6.0 * options.devices * (static_cast<double>(options.devices) + options.microBatches);
    if (slots > mostSlots) {
        return fail(ErrorCode::TooLarge,
                    "%1 devices and %2 micro-batches are too many to repeat a V-shaped block for; "
                    "6p(p+m) is at most %3",
                    options.devices, options.microBatches, static_cast<int>(mostSlots));
    }
    return vShaped(options);
}

/// The schedule of an order of one step.
inline Result<Schedule> vSchedule(const PipelineSpec& spec, const VOrder& order)
{
    return finish(spec, vDeviceOrders(order));
}

/// Chunk activations of a limit in micro-batches.
inline int vLimit(double microBatches)
{
    constexpr double most = 1 << 28;
    return static_cast<int>(std::floor(std::min(2 * microBatches, most) + 1e-9));
}

/// Time of one pass of one chunk where all are equal and messages take none; nothing elsewhere.
inline std::optional<double> vUnit(const ClosedFormInput& in)
{
    if (in.hop != 0 || in.forward != in.backward || in.forward != in.weight)
        return std::nullopt;
    return in.forward / 2;
}

inline constexpr std::string_view vCitation = "Qi et al., Pipeline Parallelism with Controllable "
                                              "Memory, NeurIPS 2024, arXiv:2405.15362";

} // namespace pw::families
