// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/placement.h"

namespace pw {

namespace {

/// `legs` passes over the devices; with `turning`, every second one runs backwards.
Placement legs(int devices, int count, bool turning)
{
    Placement placement;
    placement.deviceOfStage.reserve(static_cast<std::size_t>(devices) *
                                    static_cast<std::size_t>(count));
    for (int leg = 0; leg < count; ++leg) {
        for (int i = 0; i < devices; ++i) {
            const bool up = turning && leg % 2 == 1;
            placement.deviceOfStage.emplace_back(up ? devices - 1 - i : i);
        }
    }
    return placement;
}

} // namespace

Placement Placement::linear(int devices)
{
    return legs(devices, 1, false);
}

Placement Placement::reversed(int devices)
{
    Placement placement = linear(devices);
    for (DeviceId& device : placement.deviceOfStage)
        device = DeviceId(devices - 1 - device);
    return placement;
}

Placement Placement::looped(int devices, int chunks)
{
    return legs(devices, chunks, false);
}

Placement Placement::vShape(int devices)
{
    return legs(devices, 2, true);
}

Placement Placement::zigzag(int devices, int waves)
{
    return legs(devices, 2 * waves, true);
}

} // namespace pw
