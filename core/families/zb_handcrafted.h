// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"

#include <algorithm>

namespace pw::families {

/// What tells ZB-H1 and ZB-H2 apart on a device.
struct WeightDelay
{
    int warmUp = 1; ///< forwards before the first backward, while there are that many
    int delay = 0;  ///< backwards that run before the first W
};

/// One F, one B in turn after the warm-up, with a W after each B once the delay is over, and the
/// rest of the W at the end.
///
/// @param delayOf  the delay of a device
template<typename DelayOf>
Result<Schedule> delayedWeights(const PipelineSpec& spec, const DelayOf& delayOf)
{
    const int m = spec.microBatches;
    DeviceOrders orders(static_cast<std::size_t>(spec.devices));
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        const StageId stage(device.value);
        auto& order = orders[device.index()];
        order.reserve(3 * static_cast<std::size_t>(m));
        const WeightDelay chosen = delayOf(device);
        int forwards = 0;
        int weights = 0;
        while (forwards < std::min(m, chosen.warmUp))
            order.push_back(single({PassKind::F, 0, stage, forwards++, 0}));
        for (int j = 0; j < m; ++j) {
            order.push_back(single({PassKind::B, 0, stage, j, 0}));
            if (j >= chosen.delay)
                order.push_back(single({PassKind::W, 0, stage, weights++, 0}));
            if (forwards < m)
                order.push_back(single({PassKind::F, 0, stage, forwards++, 0}));
        }
        while (weights < m)
            order.push_back(single({PassKind::W, 0, stage, weights++, 0}));
    }
    return finish(spec, std::move(orders));
}

} // namespace pw::families
