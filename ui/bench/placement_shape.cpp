// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/placement_shape.h"

#include <algorithm>
#include <cstddef>

namespace pw::ui {

PlacementShape shapeOf(const BuildingBlock& block)
{
    const int p = block.devices;
    const Placement& placement = block.routes.front();
    const int stages = placement.stages();
    if (block.routes.size() > 1 || stages % p != 0)
        return PlacementShape::Own;
    const int count = stages / p;
    if (placement == Placement::linear(p))
        return PlacementShape::Linear;
    if (placement == Placement::vShape(p))
        return PlacementShape::V;
    if (placement == Placement::looped(p, count))
        return PlacementShape::Looped;
    if (count % 2 == 0 && placement == Placement::zigzag(p, count / 2))
        return PlacementShape::Zigzag;
    return PlacementShape::Own;
}

int chunksOf(const BuildingBlock& block)
{
    std::size_t most = 1;
    for (const std::vector<HostedStage>& device : chunksOfDevices(specOf(block)))
        most = std::max(most, device.size());
    return static_cast<int>(most);
}

Placement placementOf(PlacementShape shape, int devices, int chunks)
{
    switch (shape) {
    case PlacementShape::Linear:
    case PlacementShape::Own:
        break;
    case PlacementShape::V:
        return Placement::vShape(devices);
    case PlacementShape::Looped:
        return Placement::looped(devices, chunks);
    case PlacementShape::Zigzag:
        return Placement::zigzag(devices, chunks / 2);
    }
    return Placement::linear(devices);
}

} // namespace pw::ui
