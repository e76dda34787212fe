// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/block/draw.h"
#include "core/families/family.h"
#include "core/families/forms.h"

#include <algorithm>

namespace pw::families {

/// The shape of one chunk a device with an asynchronous update rule.
inline Result<PipelineSpec> unflushedShape(const FamilyOptions& options, UpdateRule rule)
{
    auto spec = linearShape(options);
    if (spec) {
        spec->updateRule = rule;
        spec->updates = true;
    }
    return spec;
}

/// 1F1B over all steps without a flush between them: device i warms up once, with p−1−i forwards,
/// and drains once, at the end of the last step. U stands right behind the last backward whose
/// gradient it takes in.
/// @source arXiv:1806.03377 §3.2, arXiv:2006.09503 §3.1
inline Result<Schedule> buildUnflushed(const PipelineSpec& spec, const FamilyOptions&, const Costs&)
{
    const int total = spec.totalMicroBatches();
    DeviceOrders orders(static_cast<std::size_t>(spec.devices));
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        const StageId stage(device.value);
        auto& order = orders[device.index()];
        order.reserve(2 * static_cast<std::size_t>(total) +
                      static_cast<std::size_t>(spec.updatesPerStage()));
        const int warmUp = std::min(spec.devices - 1 - device, total);
        for (int j = 0; j < warmUp; ++j)
            order.push_back(single({PassKind::F, 0, stage, j, 0}));
        for (int j = 0; j < total; ++j) {
            if (warmUp + j < total)
                order.push_back(single({PassKind::F, 0, stage, warmUp + j, 0}));
            order.push_back(single({PassKind::BW, 0, stage, j, 0}));
            const int update = spec.updateOf(j);
            if (j + 1 == total || spec.updateOf(j + 1) != update)
                order.push_back(single({PassKind::U, 0, stage, update, 0}));
        }
    }
    return Schedule::make(spec, orders);
}

/// The trajectory of one micro-batch in 1F1B's steady state, in units of F = 1 and BW = 2.
inline Result<BuildingBlock> unflushedBlock(const FamilyOptions& options)
{
    const Ticks p = options.devices;
    std::vector<StageOffsets> offsets;
    for (Ticks i = 0; i < p; ++i)
        offsets.push_back({i, 3 * p - 2 - 2 * i, std::nullopt});
    return drawBlock(options.devices, Placement::linear(options.devices), 3, offsets);
}

/// Micro-batches over all steps.
inline double totalMicroBatches(const ClosedFormInput& in)
{
    return in.m * (in.options == nullptr ? 1 : in.options->steps);
}

/// The pipeline fills and drains once in a run, however many steps it has.
inline std::optional<double> unflushedBubble(const ClosedFormInput& in)
{
    if (in.hop != 0)
        return std::nullopt;
    return (in.p - 1) * (in.forward + in.fused());
}

inline std::optional<double> unflushedPeak(const ClosedFormInput& in)
{
    return std::min(in.p, totalMicroBatches(in));
}

} // namespace pw::families
