// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family_file.h"

#include "core/base/try.h"
#include "core/block/check.h"
#include "core/families/forms.h"

#include <algorithm>
#include <limits>

namespace pw::families {

namespace {

/// Steps that a run may take: some for a start, and some for every pass.
RunBudget budgetFor(std::int64_t passes)
{
    constexpr std::int64_t plain = 1'000'000, ofPass = 200;
    return {plain + ofPass * std::max<std::int64_t>(passes, 0), passes};
}

/// Makes the passes of one device.
class DeviceSink : public OrderRun::Sink
{
public:
    DeviceSink(const PipelineSpec& spec, const std::vector<HostedStage>& chunks,
               std::vector<OrderEntry>& order)
        : m_spec(spec)
        , m_chunks(chunks)
        , m_order(order)
        // F, B, W and R of everything.
        , m_most(4 * static_cast<std::int64_t>(chunks.size()) * spec.microBatches * spec.segments())
    {
    }

    Result<void> take(const PassWords& words, OrderRun& run, int line) override
    {
        PW_TRY(const Pass pass, made(words, run, line));
        m_order.push_back(single(pass));
        return {};
    }

    Result<void> pair(const PassWords& first, const PassWords& second, OrderRun& run,
                      int line) override
    {
        PW_TRY(const Pass one, made(first, run, line));
        PW_TRY(const Pass other, made(second, run, line));
        m_order.push_back(overlapped(one, other));
        return {};
    }

    /// The pass of words, on a device with chunks.
    Result<Pass> made(const PassWords& words, OrderRun& run, int line)
    {
        if (static_cast<std::int64_t>(m_order.size()) >= m_most)
            return fail(atLine(line, said("device %1 gets more passes than there are: %2",
                                          run.get(devicePlace), m_most)));
        PW_TRY(const int microBatch,
               run.within(words.microBatch, 0, m_spec.microBatches - 1, "the micro-batch", line));
        Result<int> chunk = 0;
        if (m_chunks.empty())
            return fail(atLine(line, said("the device has no stage")));
        if (words.chunk.given())
            chunk = run.within(words.chunk, 0, static_cast<std::int64_t>(m_chunks.size()) - 1,
                               "the chunk", line);
        if (!chunk)
            return fail(chunk.error());
        Result<int> segment = 0;
        if (words.segment.given())
            segment = run.within(words.segment, 0, m_spec.segments() - 1, "the segment", line);
        if (!segment)
            return fail(segment.error());
        return Pass{words.kind, 0, m_chunks[static_cast<std::size_t>(*chunk)].stage, microBatch,
                    *segment};
    }

private:
    const PipelineSpec& m_spec;
    const std::vector<HostedStage>& m_chunks;
    std::vector<OrderEntry>& m_order;
    std::int64_t m_most;
};

/// Makes the passes of a building block.
class BlockSink : public OrderRun::Sink
{
public:
    BlockSink(DeviceSink& device, BuildingBlock& block)
        : m_device(device)
        , m_block(block)
    {
    }

    Result<void> take(const PassWords& words, OrderRun& run, int line) override
    {
        constexpr std::size_t most = 1 << 20;
        constexpr std::int64_t longest = 1'000'000'000;
        if (m_block.passes.size() >= most)
            return fail(atLine(line, said("a block of more than %1 passes", most)));
        PW_TRY(const Pass pass, m_device.made(words, run, line));
        PW_TRY(const int start, run.within(words.start, 0, longest, "the start", line));
        Result<int> duration = 1;
        if (words.duration.given())
            duration = run.within(words.duration, 1, longest, "the duration", line);
        if (!duration)
            return fail(duration.error());
        m_block.passes.push_back({pass, start, *duration});
        return {};
    }

    Result<void> pair(const PassWords&, const PassWords&, OrderRun&, int line) override
    {
        return fail(atLine(line, said("a building block has no pairs")));
    }

private:
    DeviceSink& m_device;
    BuildingBlock& m_block;
};

class NoSink : public OrderRun::Sink
{
public:
    Result<void> take(const PassWords&, OrderRun&, int line) override
    {
        return fail(atLine(line, said("no pass can stand here")));
    }
    Result<void> pair(const PassWords&, const PassWords&, OrderRun&, int line) override
    {
        return fail(atLine(line, said("no pass can stand here")));
    }
};

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

Result<Placement> FamilyFile::placed(const FamilyOptions& options, OrderRun& run) const
{
    int count = 1;
    if (chunks.given()) {
        // A stage has an F and a backward for every micro-batch at least.
        const std::int64_t most =
            std::max<std::int64_t>(1, maxPasses / (2 * std::int64_t{options.microBatches}));
        const bool own = placement == FilePlacement::Own;
        PW_TRY(const int value,
               run.within(chunks, 1, own ? most : std::min(mostChunks, most / options.devices + 1),
                          own ? "the number of stages" : "the number of chunks",
                          program.nodes[static_cast<std::size_t>(chunks.node)].line));
        count = value;
    }
    Placement own;
    switch (placement) {
    case FilePlacement::Linear:
        return Placement::linear(options.devices);
    case FilePlacement::Looped:
        return Placement::looped(options.devices, count);
    case FilePlacement::V:
        return Placement::vShape(options.devices);
    case FilePlacement::Zigzag:
        return Placement::zigzag(options.devices, count);
    case FilePlacement::Own:
        break;
    }
    for (const StageId stage : Ids<StageId>(count)) {
        run.set(stagePlace, stage);
        PW_TRY(const int on, run.within(device, 0, options.devices - 1, "the device of a stage",
                                        program.nodes[static_cast<std::size_t>(device.node)].line));
        own.deviceOfStage.emplace_back(on);
    }
    return own;
}

Result<PipelineSpec> FamilyFile::spec(const FamilyOptions& options) const
{
    OrderRun run = started(options, 8 * std::int64_t{options.devices});
    PW_DO(required(run));
    Result<Placement> where = placed(options, run);
    if (!where)
        return fail(named(where.error()));
    Result<PipelineSpec> made = placedShape(options, std::move(*where));
    if (!made || !segments.given())
        return made;
    const Result<int> count =
        run.within(segments, 1, mostChunks, "the number of segments",
                   program.nodes[static_cast<std::size_t>(segments.node)].line);
    if (!count)
        return fail(named(count.error()));
    return withSegments(std::move(made), options, *count);
}

Result<Schedule> FamilyFile::build(const PipelineSpec& shape, const FamilyOptions& options) const
{
    const std::int64_t passes =
        std::int64_t{3} * shape.stages() * shape.microBatches * shape.segments();
    OrderRun run = started(options, passes);
    run.set(segmentsPlace, shape.segments());
    const std::vector<std::vector<HostedStage>> stages = chunksOfDevices(shape);
    const std::size_t own = static_cast<std::size_t>(knownPlaces) + parameters.size();
    DeviceOrders orders(stages.size());
    for (std::size_t d = 0; d < stages.size(); ++d) {
        // Every device begins as the first did.
        for (std::size_t place = own; place < program.names.size(); ++place)
            run.set(static_cast<int>(place), 0);
        run.set(devicePlace, static_cast<std::int64_t>(d));
        run.set(chunksPlace, static_cast<std::int64_t>(stages[d].size()));
        DeviceSink sink(shape, stages[d], orders[d]);
        if (const Result<void> done = run.run(program.order, sink); !done)
            return fail(named(done.error()));
    }
    Result<Schedule> made = finish(shape, std::move(orders));
    if (!made)
        return fail(made.error().code, "%1: the order is not complete: %2", path,
                    made.error().message);
    return made;
}

Result<BuildingBlock> FamilyFile::block(const FamilyOptions& options) const
{
    PW_TRY(PipelineSpec shape, spec(options));
    OrderRun run = started(options, 64 * std::int64_t{shape.stages()});
    run.set(segmentsPlace, shape.segments());
    constexpr std::int64_t longest = 1'000'000'000;
    const int line = program.nodes[static_cast<std::size_t>(interval.node)].line;
    const Result<int> every = run.within(interval, 1, longest, "the interval", line);
    if (!every)
        return fail(named(every.error()));
    Result<int> count = 1;
    if (blockMicroBatches.given())
        count = run.within(blockMicroBatches, 1, 4096, "the number of micro-batches", line);
    if (!count)
        return fail(named(count.error()));
    BuildingBlock made;
    made.devices = shape.devices;
    made.routes = shape.routes;
    made.microBatches = *count;
    made.segmentLengths = shape.segmentLengths;
    made.interval = *every;
    shape.microBatches = *count;
    const std::vector<std::vector<HostedStage>> stages = chunksOfDevices(shape);
    std::vector<OrderEntry> none;
    for (std::size_t d = 0; d < stages.size(); ++d) {
        run.set(devicePlace, static_cast<std::int64_t>(d));
        run.set(chunksPlace, static_cast<std::int64_t>(stages[d].size()));
        DeviceSink passes(shape, stages[d], none);
        BlockSink sink(passes, made);
        if (const Result<void> done = run.run(program.block, sink); !done)
            return fail(named(done.error()));
    }
    if (const Result<void> good = check(made); !good)
        return fail(good.error().code, "%1: %2", path, good.error().message);
    return made;
}

} // namespace pw::families
