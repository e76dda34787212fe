// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family_file.h"

#include "core/base/try.h"
#include "core/block/check.h"
#include "core/block/draw.h"
#include "core/block/reorder.h"
#include "core/families/forms.h"
#include "core/families/order_sinks.h"
#include "core/families/ready_order.h"
#include "core/search/v_model.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

namespace pw::families {

namespace {

/// Steps that a run may take: some for a start, and some for every pass.
RunBudget budgetFor(std::int64_t passes)
{
    constexpr std::int64_t plain = 1'000'000, ofPass = 200;
    return {plain + ofPass * std::max<std::int64_t>(passes, 0), passes};
}

constexpr std::int64_t mostChunks = 1 << 16;

} // namespace

Error FamilyFile::named(const Error& error) const
{
    return {error.code, path + ", " + error.message};
}

double FamilyFile::fallback(std::size_t parameter, const FamilyOptions& options) const
{
    const FileParameter& one = parameters[parameter];
    OrderRun run(program, budgetFor(0));
    run.set(devicesPlace, options.devices);
    run.set(microBatchesPlace, options.microBatches);
    // Those before it may be in its expression.
    for (std::size_t i = 0; i < parameter; ++i) {
        const auto given =
            std::find_if(options.parameters.begin(), options.parameters.end(),
                         [&](const auto& option) { return option.first == parameters[i].name; });
        run.set(parameters[i].place, static_cast<std::int64_t>(given != options.parameters.end()
                                                                   ? given->second
                                                                   : fallback(i, options)));
    }
    const Result<std::int64_t> value = run.value(one.fallback);
    constexpr std::int64_t most = 1'000'000'000;
    const std::int64_t high = std::min(one.maximum.value_or(most), most);
    return static_cast<double>(std::clamp(value ? *value : one.minimum, one.minimum, high));
}

OrderRun FamilyFile::started(const FamilyOptions& options, std::int64_t passes) const
{
    OrderRun run(program, budgetFor(passes));
    run.set(devicesPlace, options.devices);
    run.set(microBatchesPlace, options.microBatches);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const auto given =
            std::find_if(options.parameters.begin(), options.parameters.end(),
                         [&](const auto& option) { return option.first == parameters[i].name; });
        const double value =
            given != options.parameters.end() ? given->second : fallback(i, options);
        run.set(parameters[i].place, static_cast<std::int64_t>(value));
    }
    return run;
}

Result<void> FamilyFile::required(OrderRun& run) const
{
    NoSink sink;
    return run.run(program.requirements, sink);
}

int FamilyFile::lineOf(const Expression& expression) const
{
    return program.nodes[static_cast<std::size_t>(expression.node)].line;
}

Result<Placement> FamilyFile::placed(const FileRoute& route, const FamilyOptions& options,
                                     OrderRun& run) const
{
    int count = 1;
    if (route.chunks.given()) {
        // A stage has an F and a backward for every micro-batch at least.
        const std::int64_t most =
            std::max<std::int64_t>(1, maxPasses / (2 * std::int64_t{options.microBatches}));
        const bool own = route.placement == FilePlacement::Own;
        PW_TRY(count, run.within(route.chunks, 1,
                                 own ? most : std::min(mostChunks, most / options.devices + 1),
                                 own ? "the number of stages" : "the number of chunks",
                                 lineOf(route.chunks)));
    }
    switch (route.placement) {
    case FilePlacement::Linear:
        return Placement::linear(options.devices);
    case FilePlacement::Looped:
        return Placement::looped(options.devices, count);
    case FilePlacement::V:
        return Placement::vShape(options.devices);
    case FilePlacement::Zigzag:
        return Placement::zigzag(options.devices, count);
    case FilePlacement::Reversed:
        return Placement::reversed(options.devices);
    case FilePlacement::Own:
        break;
    }
    Placement own;
    for (const StageId stage : Ids<StageId>(count)) {
        run.set(stagePlace, stage);
        PW_TRY(const int on, run.within(route.device, 0, options.devices - 1,
                                        "the device of a stage", lineOf(route.device)));
        own.deviceOfStage.emplace_back(on);
    }
    return own;
}

/// Gives every micro-batch its route. @param period  after which routes come again
Result<void> FamilyFile::setRoutes(PipelineSpec& shape, int period, OrderRun& run) const
{
    shape.routeOfMicroBatch.clear();
    if (routeOf < 0)
        return {};
    const Definition& route = program.definitions[static_cast<std::size_t>(routeOf)];
    for (int j = 0; j < shape.microBatches; ++j) {
        PW_TRY(const std::int64_t found, run.valueOf(route, j % period));
        if (found < 0 || found > 1)
            return fail(atLine(lineOf(route.body),
                               said("the route of micro-batch %1 is %2; 0 or 1", j, found)));
        shape.routeOfMicroBatch.push_back(static_cast<std::uint8_t>(found));
    }
    return {};
}

Result<int> FamilyFile::blockSize(OrderRun& run) const
{
    constexpr int most = 4096;
    return blockMicroBatches.given()
               ? run.within(blockMicroBatches, 1, most, "the number of micro-batches",
                            lineOf(blockMicroBatches))
               : Result<int>(1);
}

Result<PipelineSpec> FamilyFile::spec(const FamilyOptions& options) const
{
    OrderRun run = started(options, 8 * (std::int64_t{options.devices} + options.microBatches));
    PW_DO(required(run));
    const auto shaped = [&]() -> Result<PipelineSpec> {
        PW_TRY(Placement first, placed(routes.front(), options, run));
        PW_TRY(PipelineSpec made, placedShape(options, std::move(first)));
        if (routes.size() > 1) {
            PW_TRY(Placement second, placed(routes.back(), options, run));
            made.routes.push_back(std::move(second));
            PW_TRY(const int size, isBlockOnly() ? blockSize(run) : made.microBatches);
            PW_DO(setRoutes(made, size, run));
            PW_DO(check(made));
        }
        if (!segments.given())
            return made;
        PW_TRY(const int count,
               run.within(segments, 1, mostChunks, "the number of segments", lineOf(segments)));
        return withSegments(std::move(made), options, count);
    };
    Result<PipelineSpec> made = shaped();
    if (!made && made.error().message.english().rfind("line ", 0) == 0)
        return fail(named(made.error()));
    return made;
}

/// What the order says for each device.
Result<DeviceOrders> FamilyFile::orders(const PipelineSpec& shape, OrderRun& run) const
{
    const std::vector<RouteChunks> chunks = routeChunksOf(shape);
    DeviceOrders made(chunks.size());
    for (std::size_t d = 0; d < chunks.size(); ++d) {
        run.forget(firstOwnPlace()); // every device begins as the first did
        run.set(devicePlace, static_cast<std::int64_t>(d));
        run.set(chunksPlace, chunks[d].count());
        DeviceSink sink(shape, chunks[d], made[d]);
        PW_DO(run.run(program.order, sink));
    }
    return made;
}

Result<Schedule> FamilyFile::build(const PipelineSpec& shape, const FamilyOptions& options) const
{
    if (isBlockOnly()) {
        PW_TRY(DeviceOrders made, repeated(shape, options));
        return finish(shape, std::move(made));
    }
    const std::int64_t passes =
        std::int64_t{3} * shape.stages() * shape.microBatches * shape.segments();
    OrderRun run = started(options, passes);
    run.set(segmentsPlace, shape.segments());
    Result<DeviceOrders> found =
        program.ready.given() ? readyOrders(shape, program, run) : orders(shape, run);
    if (!found)
        return fail(named(found.error()));
    Result<Schedule> made = finish(shape, std::move(*found));
    if (!made)
        return fail(made.error().code, "%1: the order is not complete: %2", path,
                    made.error().message);
    return made;
}

/// Draws what the block says for each device; a B without a W gets one in the first free time.
Result<void> FamilyFile::draw(BuildingBlock& made, const PipelineSpec& shape, OrderRun& run) const
{
    const std::vector<RouteChunks> chunks = routeChunksOf(shape);
    std::vector<OrderEntry> none;
    for (std::size_t d = 0; d < chunks.size(); ++d) {
        run.forget(firstOwnPlace());
        run.set(devicePlace, static_cast<std::int64_t>(d));
        run.set(chunksPlace, chunks[d].count());
        DeviceSink passes(shape, chunks[d], none);
        BlockSink sink(passes, made);
        PW_DO(run.run(program.block, sink));
    }
    const auto has = [&made](PassKind kind) {
        return std::any_of(made.passes.begin(), made.passes.end(),
                           [kind](const BlockPass& one) { return one.pass.kind == kind; });
    };
    return has(PassKind::B) && !has(PassKind::W) ? fillWeights(made) : Result<void>();
}

Result<BuildingBlock> FamilyFile::block(const FamilyOptions& options) const
{
    PW_TRY(PipelineSpec shape, spec(options));
    OrderRun run = started(options, 64 * std::int64_t{shape.stages()});
    run.set(segmentsPlace, shape.segments());
    constexpr std::int64_t longest = 1'000'000'000;
    BuildingBlock made;
    const auto drawn = [&]() -> Result<void> {
        PW_TRY(const int every, run.within(interval, 1, longest, "the interval", lineOf(interval)));
        PW_TRY(const int count, blockSize(run));
        shape.microBatches = count;
        PW_DO(setRoutes(shape, count, run));
        made.devices = shape.devices;
        made.routes = shape.routes;
        made.microBatches = count;
        made.routeOfMicroBatch = shape.routeOfMicroBatch;
        made.segmentLengths = shape.segmentLengths;
        made.interval = every;
        return draw(made, shape, run);
    };
    if (const Result<void> done = drawn(); !done)
        return fail(named(done.error()));
    if (const Result<void> good = check(made); !good)
        return fail(good.error().code, "%1: %2", path, good.error().message);
    return made;
}

namespace {

/// The same block as those of published V schedules are written; nothing where it is no such one:
/// passes of one unit on a V, each W in the first free time.
std::optional<VBlock> publishedForm(const BuildingBlock& block)
{
    const int p = block.devices;
    const bool plain = block.routes == std::vector{Placement::vShape(p)} &&
                       block.microBatches == 1 && block.segmentLengths.size() == 1;
    if (!plain || block.interval < vRowCount || block.interval > std::numeric_limits<int>::max())
        return std::nullopt;
    VBlock made;
    made.interval = static_cast<int>(block.interval);
    made.offsets.resize(static_cast<std::size_t>(p));
    for (const BlockPass& one : block.passes) {
        if (one.duration != 1 || one.pass.kind == PassKind::BW || one.pass.kind == PassKind::R ||
            one.start > std::numeric_limits<int>::max())
            return std::nullopt;
        if (one.pass.kind == PassKind::W)
            continue;
        const bool second = one.pass.stage >= p;
        const bool forward = one.pass.kind == PassKind::F;
        const std::size_t row = forward ? (second ? 1 : 0) : (second ? 2 : 3);
        made.offsets[block.device(one.pass).index()][row] = static_cast<int>(one.start);
    }
    const auto inFirstFreeTime = [&](const BlockPass& one) {
        const auto weights = weightOffsets(made, block.device(one.pass));
        return one.pass.kind != PassKind::W || one.start == weights[one.pass.stage >= p ? 0 : 1];
    };
    if (!repeatsWithoutCollision(made) ||
        !std::all_of(block.passes.begin(), block.passes.end(), inFirstFreeTime))
        return std::nullopt;
    return made;
}

} // namespace

/// The block repeated for all micro-batches, squeezed and reordered. For a V as published ones are,
/// in the way that is published for them.
Result<DeviceOrders> FamilyFile::repeated(const PipelineSpec& shape,
                                          const FamilyOptions& options) const
{
    PW_TRY(const BuildingBlock drawn, block(options));
    // Published ones lay their lanes out slot by slot.
    constexpr double mostSlots = 64e6;
    Ticks last = 0;
    for (const BlockPass& one : drawn.passes)
        last = std::max(last, one.end());
    const double slots = shape.devices * (static_cast<double>(last) +
                                          static_cast<double>(drawn.interval) * shape.microBatches);
    const std::optional<VBlock> published =
        slots <= mostSlots ? publishedForm(drawn) : std::nullopt;
    if (published)
        return vDeviceOrders(vOrderFromBlock(*published, shape.microBatches));
    const BlockRun run{drawn, shape.microBatches};
    const Result<Assembly> made = assemble(std::span(&run, 1));
    if (!made)
        return fail(made.error().code, "%1: %2", path, made.error().message);
    return ordersOf(made->reordered.arrangement);
}

} // namespace pw::families
