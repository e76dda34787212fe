// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/value.h"
#include "core/model/pass.h"
#include "core/model/pipeline_spec.h"

#include <string>
#include <vector>

namespace pw {

/// A pass of a block, with its place in time.
struct BlockPass
{
    Pass pass;          ///< `microBatch` counts inside the block, 0 … g−1
    Ticks start = 0;    ///< offset in the block
    Ticks duration = 1; ///< at least 1

    Ticks end() const { return start + duration; }

    friend bool operator==(const BlockPass&, const BlockPass&) = default;
};

/// The passes of one micro-batch, or of a group of g, with their offsets, to be repeated at an
/// interval.
///
/// Drawn freely: any passes, any offsets, in any unit of time. A value. Whether it means something,
/// and what follows from it, is in core/block. @source arXiv:2405.15362
struct BuildingBlock
{
    BuildingBlock();
    PW_VALUE(BuildingBlock);

    std::string title; ///< what a person calls it; may be empty
    int devices = 1;
    std::vector<Placement> routes = {Placement::linear(1)};
    int microBatches = 1;                        ///< g: micro-batches in one block
    std::vector<std::uint8_t> routeOfMicroBatch; ///< for g micro-batches; empty: route 0
    std::vector<int> segmentLengths = {1};
    Ticks interval = 3;            ///< from one block to the next
    std::vector<BlockPass> passes; ///< in any order

    DeviceId device(const Pass& pass) const { return routes[pass.route].device(pass.stage); }

    bool operator==(const BuildingBlock& other) const;
};

/// The largest interval and duration of a block, and the largest distance of an offset from 0.
constexpr Ticks maxBlockTicks = 1'000'000'000'000;

/// The shape of one block.
PipelineSpec specOf(const BuildingBlock& block);

/// The shape of a pipeline that runs a block over and over, for any number of micro-batches: the
/// last block may be part of a group. One step, no updates.
PipelineSpec specOf(const BuildingBlock& block, int microBatches);

} // namespace pw
