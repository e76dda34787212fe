// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/building_block.h"

namespace pw {

BuildingBlock::BuildingBlock() = default;
PW_VALUE_DEFINED(BuildingBlock);
bool BuildingBlock::operator==(const BuildingBlock& other) const = default;

PipelineSpec specOf(const BuildingBlock& block)
{
    PipelineSpec spec;
    spec.devices = block.devices;
    spec.microBatches = block.microBatches;
    spec.routes = block.routes;
    spec.routeOfMicroBatch = block.routeOfMicroBatch;
    spec.segmentLengths = block.segmentLengths;
    return spec;
}

PipelineSpec specOf(const BuildingBlock& block, int microBatches)
{
    PipelineSpec spec;
    spec.devices = block.devices;
    spec.microBatches = microBatches;
    spec.routes = block.routes;
    spec.segmentLengths = block.segmentLengths;
    if (!block.routeOfMicroBatch.empty()) {
        for (int j = 0; j < microBatches; ++j) {
            const auto inBlock = static_cast<std::size_t>(j % block.microBatches);
            spec.routeOfMicroBatch.push_back(block.routeOfMicroBatch[inBlock]);
        }
    }
    return spec;
}

} // namespace pw
