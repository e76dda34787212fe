// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"
#include "core/families/forms.h"
#include "core/search/v_model.h"

#include <algorithm>
#include <cmath>

namespace pw::families {

/// Spec with the V placement of the options' devices.
inline Result<PipelineSpec> vShaped(const FamilyOptions& options)
{
    return placedShape(options, Placement::vShape(options.devices));
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
