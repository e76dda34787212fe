// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/model/costs.h"
#include "core/model/pipeline_spec.h"
#include "core/sim/simulator.h"

#include <optional>
#include <span>
#include <vector>

namespace pw {

/// What devices hold, from peaks that were measured: a fixed part, and so much for every
/// micro-batch in flight.
struct RankMemory
{
    std::vector<Bytes> fixed; ///< by device: weights, gradients, optimizer, workspace
    Bytes perMicroBatch = 0;  ///< over a whole device share of the model
    Bytes ofFirst = 0;        ///< of `fixed`, what the first stage has beyond the others: embedding
    Bytes ofLast = 0;         ///< likewise of the last one: head
    DeviceId firstDevice{0};
    DeviceId lastDevice{0};

    friend bool operator==(const RankMemory&, const RankMemory&) = default;
};

/// Fits both parts to measured peaks: the slope by least squares over the devices that have neither
/// the first nor the last stage, where those tell it, else over all; the fixed part is what is left
/// of each device's own peak.
///
/// @param peaks    bytes, by device
/// @param spec     one route
/// @param result   of the order that was measured: how much each device had in flight
/// @return         nothing where the devices do not differ in what they have in flight, or more in
///                 flight does not need more
std::optional<RankMemory> fitRankMemory(std::span<const Bytes> peaks, const PipelineSpec& spec,
                                        const SimResult& result);

/// The peaks of another order of the same model on as many devices; the parts of the first and the
/// last stage go where those stages are.
///
/// @return by device; empty where the number of devices is another one, or there are two routes
std::vector<Bytes> rankMemory(const RankMemory& memory, const PipelineSpec& spec,
                              const SimResult& result);

/// Puts the parts into costs, so that a curve of the order has the bytes that were measured: what a
/// micro-batch needs on each chunk by its share, and the fixed part of a device on its stages in
/// equal parts, as weights. What the costs had of both is replaced.
/// @pre the memory is of as many devices as the spec, with one route
void putRankMemory(Costs& costs, const RankMemory& memory, const PipelineSpec& spec);

} // namespace pw
