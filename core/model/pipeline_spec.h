// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/model/pass.h"
#include "core/model/placement.h"

#include <cstdint>
#include <vector>

namespace pw {

/// When gradients become new weights, and which weights a pass reads.
enum class UpdateRule : std::uint8_t
{
    Flush,   ///< one update a step, after its last gradient; the next step reads the new weights
    Stashed, ///< an update after every micro-batch; its backward reads what its forward read
             ///< (PipeDream)
    DoubleBuffered ///< one update a step, read two steps later: W(t+1) = W(t) − η·∇f(W(t−1))
                   ///< (PipeDream-2BW)
};

/// How a message leaves its device.
enum class MessageRule : std::uint8_t
{
    Early,    ///< receives are posted early, a result leaves when its pass ends
    Committed ///< a send and its receive meet, as blocking calls do: the sender's next pass starts
              ///< only when the receiving device has come to the receive
};

/// The shape of a pipeline: devices, stages and where they are, micro-batches, segments, steps.
///
/// A value; says nothing of times, bytes or order.
struct PipelineSpec
{
    PipelineSpec();
    PW_VALUE(PipelineSpec);

    int devices = 1;      ///< p
    int microBatches = 1; ///< of one optimizer step, over all routes
    int steps = 1;        ///< optimizer steps; micro-batches count on over them
    /// One route, or two for bidirectional families; both of the same number of stages.
    std::vector<Placement> routes = {Placement::linear(1)};
    /// Route of each micro-batch of a step; empty: all take route 0.
    std::vector<std::uint8_t> routeOfMicroBatch;
    /// Relative lengths (or tokens) of the segments of a micro-batch, in sequence order; at least
    /// one.
    std::vector<int> segmentLengths = {1};
    UpdateRule updateRule = UpdateRule::Flush;
    /// Whether U passes stand in the order; required with more than one step and with asynchronous
    /// rules.
    bool updates = false;
    MessageRule messages = MessageRule::Early;

    int stages() const { return routes.empty() ? 0 : routes.front().stages(); }
    int segments() const { return static_cast<int>(segmentLengths.size()); }
    int routeCount() const { return static_cast<int>(routes.size()); }
    int totalMicroBatches() const { return microBatches * steps; }
    /// U passes of one stage and route: one a step, or one a micro-batch where weights are stashed.
    int updatesPerStage() const
    {
        return updateRule == UpdateRule::Stashed ? totalMicroBatches() : steps;
    }
    /// Update that takes in the gradients of a micro-batch.
    int updateOf(int microBatch) const
    {
        return updateRule == UpdateRule::Stashed ? microBatch : microBatch / microBatches;
    }
    int route(int microBatch) const
    {
        return routeOfMicroBatch.empty()
                   ? 0
                   : routeOfMicroBatch[static_cast<std::size_t>(microBatch % microBatches)];
    }
    DeviceId device(int route, StageId stage) const
    {
        return routes[static_cast<std::size_t>(route)].device(stage);
    }

    bool operator==(const PipelineSpec& other) const;
};

/// A stage as it is hosted: bidirectional families host each stage twice.
struct HostedStage
{
    int route = 0;
    StageId stage{0};

    friend bool operator==(const HostedStage&, const HostedStage&) = default;
};

/// The stages of every device, by route, then by stage. A position in a device's list is the
/// *chunk* number.
std::vector<std::vector<HostedStage>> chunksOfDevices(const PipelineSpec& spec);

/// The most passes that a schedule may have; a larger request is refused, not tried.
constexpr std::int64_t maxPasses = 16'000'000;

/// Checks that a spec means something and is not too large.
///
/// @error BadValue  a count below 1, a stage on a device that does not exist, routes of unequal
/// length …
/// @error TooLarge  more than `maxPasses` passes; the message has the number
Result<void> check(const PipelineSpec& spec);

} // namespace pw
