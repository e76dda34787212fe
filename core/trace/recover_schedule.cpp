// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/recover_parts.h"

#include <algorithm>
#include <map>

namespace pw {

namespace {

/// Devices of all stages, for one micro-batch.
using Way = std::vector<DeviceId>;

/// Shape of the passes of one iteration.
struct Shape
{
    std::int64_t stages = 0;
    std::int64_t microBatches = 0; // over all optimizer steps
    std::int64_t segments = 0;
    std::int64_t updates = 0; // of one stage
    std::int64_t forwards = 0;
    bool split = false;

    std::int64_t cells() const { return stages * microBatches * segments; }
};

Shape shapeOf(const RecoveredIteration& iteration)
{
    Shape shape;
    for (const RecordedPass& record : iteration.passes) {
        const Pass& pass = record.pass;
        shape.stages = std::max<std::int64_t>(shape.stages, pass.stage + 1);
        if (pass.kind == PassKind::U) {
            shape.updates = std::max<std::int64_t>(shape.updates, pass.microBatch + 1);
            continue;
        }
        shape.microBatches = std::max<std::int64_t>(shape.microBatches, pass.microBatch + 1);
        shape.segments = std::max<std::int64_t>(shape.segments, pass.segment + 1);
        shape.forwards += pass.kind == PassKind::F ? 1 : 0;
        shape.split = shape.split || pass.kind == PassKind::B || pass.kind == PassKind::W;
    }
    return shape;
}

/// The ways of the micro-batches, by what device ran each F; empty where one is not known.
std::vector<Way> waysOf(const RecoveredIteration& iteration, const Shape& shape)
{
    std::vector<Way> ways(static_cast<std::size_t>(shape.microBatches),
                          Way(static_cast<std::size_t>(shape.stages)));
    for (const RecordedPass& record : iteration.passes)
        if (record.pass.kind == PassKind::F)
            ways[static_cast<std::size_t>(record.pass.microBatch)]
                [static_cast<std::size_t>(record.pass.stage)] = deviceOf(record.rank);
    for (const Way& way : ways)
        if (std::find(way.begin(), way.end(), DeviceId::none()) != way.end())
            return {};
    return ways;
}

/// The shapes that the updates allow; they show the rule only by their number.
std::vector<PipelineSpec> specsOf(const Shape& shape, const PipelineSpec& plain)
{
    PipelineSpec spec = plain;
    spec.microBatches = static_cast<int>(shape.microBatches);
    if (shape.updates == 0)
        return {spec};
    spec.updates = true;
    std::vector<PipelineSpec> specs;
    if (shape.microBatches % shape.updates == 0) {
        PipelineSpec flush = spec;
        flush.steps = static_cast<int>(shape.updates);
        flush.microBatches = static_cast<int>(shape.microBatches / shape.updates);
        specs.push_back(flush);
        flush.updateRule = UpdateRule::DoubleBuffered;
        specs.push_back(flush);
    }
    if (shape.microBatches == shape.updates) {
        spec.updateRule = UpdateRule::Stashed;
        specs.push_back(spec);
    }
    return specs;
}

/// Route of a pass: of its micro-batch; of an update, the one that has its stage on the device.
std::uint8_t routeOf(const RecordedPass& record, const PipelineSpec& spec)
{
    const Pass& pass = record.pass;
    if (spec.routeCount() == 1)
        return 0;
    if (pass.kind != PassKind::U)
        return static_cast<std::uint8_t>(
            pass.microBatch < spec.totalMicroBatches() ? spec.route(pass.microBatch) : 0);
    for (int route = 0; route < spec.routeCount(); ++route)
        if (pass.stage < spec.stages() && spec.device(route, pass.stage) == deviceOf(record.rank))
            return static_cast<std::uint8_t>(route);
    return 0;
}

DeviceOrders ordersOf(const RecoveredIteration& iteration, int devices, const PairTimes& pairs)
{
    DeviceOrders orders(static_cast<std::size_t>(devices));
    const std::vector<RecordedPass>& passes = iteration.passes;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const DeviceId device = deviceOf(passes[i].rank);
        std::vector<OrderEntry>& order = orders[device.index()];
        const bool paired = i + 1 < passes.size() && passes[i + 1].rank == passes[i].rank &&
                            passes[i + 1].start == passes[i].start &&
                            passes[i + 1].end == passes[i].end &&
                            pairs.count({device, passes[i].start, passes[i].end}) > 0;
        if (paired) {
            order.push_back(overlapped(passes[i].pass, passes[i + 1].pass));
            ++i;
        } else {
            order.push_back(single(passes[i].pass));
        }
    }
    return orders;
}

/// The plain shape with its routes; nothing, with the reason among what is unknown, where
/// micro-batches go more than two ways.
bool findRoutes(const std::vector<Way>& ways, PipelineSpec& spec, RecoveredPipeline& pipeline)
{
    std::map<Way, int> routes;
    for (const Way& way : ways)
        routes.emplace(way, 0);
    if (routes.size() > 2) {
        pipeline.unknown.push_back("placement: micro-batches go " + std::to_string(routes.size()) +
                                   " different ways through the ranks");
        return false;
    }
    spec.routes.clear();
    for (auto& [way, number] : routes) {
        number = static_cast<int>(spec.routes.size());
        spec.routes.push_back(Placement{way});
    }
    if (routes.size() == 2)
        for (const Way& way : ways)
            spec.routeOfMicroBatch.push_back(static_cast<std::uint8_t>(routes[way]));
    return true;
}

int mostChunks(const PipelineSpec& spec)
{
    std::size_t most = 0;
    for (const std::vector<HostedStage>& device : chunksOfDevices(spec))
        most = std::max(most, device.size());
    return static_cast<int>(most);
}

/// A schedule of the orders under the first shape that a family knows them by, else the first that
/// takes them.
void makeSchedule(const PairTimes& pairs, const std::vector<PipelineSpec>& specs,
                  RecoveredPipeline& pipeline)
{
    std::string why = "the number of updates does not fit the micro-batches";
    for (const PipelineSpec& candidate : specs) {
        PipelineSpec spec = candidate;
        // Routes repeat from step to step.
        if (spec.steps > 1 && !spec.routeOfMicroBatch.empty())
            spec.routeOfMicroBatch.resize(static_cast<std::size_t>(spec.microBatches));
        if (const Result<void> sound = check(spec); !sound) {
            why = sound.error().message;
            continue;
        }
        for (RecoveredIteration& iteration : pipeline.iterations)
            for (RecordedPass& record : iteration.passes)
                record.pass.route = routeOf(record, spec);
        Result<Schedule> schedule = Schedule::make(
            spec, ordersOf(pipeline.iterations[pipeline.shown], spec.devices, pairs));
        if (!schedule) {
            why = schedule.error().message;
            continue;
        }
        const bool known =
            specs.size() == 1 || recognise(*schedule, {expand(UniformCosts{}, spec)}).exact();
        if (known || !pipeline.schedule)
            pipeline.schedule = std::move(*schedule);
        if (known)
            break;
    }
    if (!pipeline.schedule)
        pipeline.unknown.push_back("order: " + why);
    else
        for (RecoveredIteration& iteration : pipeline.iterations)
            for (RecordedPass& record : iteration.passes)
                record.pass.route = routeOf(record, pipeline.schedule->spec());
}

} // namespace

void findSchedule(const PairTimes& pairs, StageId lastSender, RecoveredPipeline& pipeline)
{
    const RecoveredIteration& iteration = pipeline.iterations[pipeline.shown];
    const Shape shape = shapeOf(iteration);
    pipeline.stages = static_cast<int>(shape.stages);
    pipeline.microBatches = static_cast<int>(shape.microBatches);
    pipeline.segments = static_cast<int>(std::max<std::int64_t>(shape.segments, 1));
    pipeline.split = shape.split;
    if (lastSender + 1 >= pipeline.stages) {
        pipeline.unknown.push_back("order: stage " + std::to_string(lastSender) +
                                   " sends on, and the stage behind it is in no file");
        return;
    }
    // Each number is below `maxPasses`; the product of three may not fit.
    const double wanted = static_cast<double>(shape.stages) *
                          static_cast<double>(shape.microBatches) *
                          static_cast<double>(std::max<std::int64_t>(shape.segments, 1));
    if (shape.microBatches == 0 || wanted > static_cast<double>(shape.forwards)) {
        pipeline.unknown.push_back("order: " + std::to_string(shape.forwards) +
                                   " F are there, where " + std::to_string(shape.stages) +
                                   " stages and " + std::to_string(shape.microBatches) +
                                   " micro-batches have more");
        return;
    }
    const std::vector<Way> ways = waysOf(iteration, shape);
    PipelineSpec plain;
    plain.devices = static_cast<int>(pipeline.rankOfDevice.size());
    plain.segmentLengths.assign(static_cast<std::size_t>(shape.segments), 1);
    if (ways.empty()) {
        pipeline.unknown.emplace_back("order: some F are there twice, and others missing");
        return;
    }
    if (!findRoutes(ways, plain, pipeline))
        return;
    pipeline.chunks = mostChunks(plain);
    makeSchedule(pairs, specsOf(shape, plain), pipeline);
}

} // namespace pw
