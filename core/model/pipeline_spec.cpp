// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/pipeline_spec.h"

#include "core/base/try.h"
#include "core/model/routes.h"

#include <string>

namespace pw {

PipelineSpec::PipelineSpec() = default;
PW_VALUE_DEFINED(PipelineSpec);
bool PipelineSpec::operator==(const PipelineSpec& other) const = default;

namespace {

Result<void> checkCounts(const PipelineSpec& spec)
{
    if (spec.devices < 1)
        return fail(ErrorCode::BadValue, "devices is %1; at least 1", spec.devices);
    if (spec.microBatches < 1) {
        return fail(ErrorCode::BadValue, "micro-batches is %1; at least 1", spec.microBatches);
    }
    if (spec.steps < 1)
        return fail(ErrorCode::BadValue, "steps is %1; at least 1", spec.steps);
    if (spec.routes.empty() || spec.routes.size() > static_cast<std::size_t>(maxRoutes)) {
        return fail(ErrorCode::BadValue,
                    "a pipeline has one route or two, with replicas up to %1, not %2", maxRoutes,
                    static_cast<std::int64_t>(spec.routes.size()));
    }
    if (spec.segmentLengths.empty())
        return fail(ErrorCode::BadValue, "segments is 0; at least 1");
    for (std::size_t i = 0; i < spec.segmentLengths.size(); ++i) {
        if (spec.segmentLengths[i] < 1) {
            return fail(ErrorCode::BadValue, "segment %1 has length %2; at least 1",
                        static_cast<std::int64_t>(i), spec.segmentLengths[i]);
        }
    }
    const bool needsUpdates = spec.steps > 1 || spec.updateRule != UpdateRule::Flush;
    if (needsUpdates && !spec.updates) {
        return fail(ErrorCode::BadValue,
                    "several steps and asynchronous updates need U passes in the order");
    }
    return {};
}

Result<void> checkSize(const PipelineSpec& spec)
{
    // In floating point, since the product of five counts can leave 64 bits.
    const double cells = static_cast<double>(spec.stages()) * spec.microBatches * spec.steps *
                         static_cast<double>(spec.segmentLengths.size());
    const double passes = 3 * cells;
    if (passes > static_cast<double>(maxPasses) || spec.devices > maxPasses) {
        return fail(ErrorCode::TooLarge,
                    "%1 stages, %2 micro-batches, %3 segments and %4 steps make more than %5 "
                    "passes, the most that a schedule may have",
                    spec.stages(), spec.microBatches, spec.segments(), spec.steps, maxPasses);
    }
    return {};
}

} // namespace

std::vector<std::vector<HostedStage>> chunksOfDevices(const PipelineSpec& spec)
{
    std::vector<std::vector<HostedStage>> chunks(static_cast<std::size_t>(spec.devices));
    for (int route = 0; route < spec.routeCount(); ++route) {
        for (const StageId stage : Ids<StageId>(spec.stages()))
            chunks[static_cast<std::size_t>(spec.device(route, stage))].push_back({route, stage});
    }
    return chunks;
}

Result<void> check(const PipelineSpec& spec)
{
    PW_DO(checkCounts(spec));
    const int stages = spec.stages();
    if (stages < 1)
        return fail(ErrorCode::BadValue, "the placement has no stage");
    for (int route = 0; route < spec.routeCount(); ++route) {
        const Placement& placement = spec.routes[static_cast<std::size_t>(route)];
        if (placement.stages() != stages) {
            return fail(ErrorCode::BadValue, "route 0 has %1 stages and route %2 has %3", stages,
                        route, placement.stages());
        }
        for (const StageId stage : Ids<StageId>(stages)) {
            const DeviceId device = placement.device(stage);
            if (device < 0 || device >= spec.devices) {
                return fail(ErrorCode::BadValue,
                            "stage %1 is placed on device %2; devices are 0 to %3", stage, device,
                            spec.devices - 1);
            }
        }
    }
    if (!spec.routeOfMicroBatch.empty() &&
        spec.routeOfMicroBatch.size() != static_cast<std::size_t>(spec.microBatches)) {
        return fail(ErrorCode::BadValue, "routes are given for %1 micro-batches of %2",
                    static_cast<std::int64_t>(spec.routeOfMicroBatch.size()), spec.microBatches);
    }
    for (std::size_t j = 0; j < spec.routeOfMicroBatch.size(); ++j) {
        if (spec.routeOfMicroBatch[j] >= spec.routes.size()) {
            return fail(ErrorCode::BadValue, "micro-batch %1 takes route %2; there are %3",
                        static_cast<std::int64_t>(j), spec.routeOfMicroBatch[j], spec.routeCount());
        }
    }
    return checkSize(spec);
}

} // namespace pw
