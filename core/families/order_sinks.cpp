// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/order_sinks.h"

#include "core/base/try.h"

namespace pw::families {

std::vector<RouteChunks> routeChunksOf(const PipelineSpec& spec)
{
    std::vector<RouteChunks> all;
    for (const std::vector<HostedStage>& hosted : chunksOfDevices(spec)) {
        RouteChunks& chunks = all.emplace_back();
        for (const HostedStage& one : hosted)
            chunks.stages[static_cast<std::size_t>(one.route)].push_back(one.stage);
    }
    return all;
}

DeviceSink::DeviceSink(const PipelineSpec& spec, const RouteChunks& chunks,
                       std::vector<OrderEntry>& order)
    : m_spec(spec)
    , m_chunks(chunks)
    , m_order(order)
    // F, B, W and R of everything.
    , m_most(4 * chunks.all() * spec.microBatches * spec.segments())
{
}

Result<void> DeviceSink::take(const PassWords& words, OrderRun& run, int line)
{
    PW_TRY(const Pass pass, made(words, run, line));
    m_order.push_back(single(pass));
    return {};
}

Result<void> DeviceSink::pair(const PassWords& first, const PassWords& second, OrderRun& run,
                              int line)
{
    PW_TRY(const Pass one, made(first, run, line));
    PW_TRY(const Pass other, made(second, run, line));
    m_order.push_back(overlapped(one, other));
    return {};
}

Result<Pass> DeviceSink::made(const PassWords& words, OrderRun& run, int line)
{
    if (static_cast<std::int64_t>(m_order.size()) >= m_most)
        return fail(atLine(line, said("device %1 gets more passes than there are: %2",
                                      run.get(devicePlace), m_most)));
    PW_TRY(const int microBatch,
           run.within(words.microBatch, 0, m_spec.microBatches - 1, "the micro-batch", line));
    const int route = m_spec.route(microBatch);
    const std::vector<StageId>& stages = m_chunks.stages[static_cast<std::size_t>(route)];
    if (stages.empty())
        return fail(atLine(line, said("the device has no stage")));
    int chunk = 0, segment = 0;
    if (words.chunk.given()) {
        PW_TRY(chunk, run.within(words.chunk, 0, static_cast<std::int64_t>(stages.size()) - 1,
                                 "the chunk", line));
    }
    if (words.segment.given()) {
        PW_TRY(segment, run.within(words.segment, 0, m_spec.segments() - 1, "the segment", line));
    }
    return Pass{words.kind, static_cast<std::uint8_t>(route),
                stages[static_cast<std::size_t>(chunk)], microBatch, segment};
}

Result<void> BlockSink::take(const PassWords& words, OrderRun& run, int line)
{
    constexpr std::size_t most = 1 << 20;
    constexpr std::int64_t longest = 1'000'000'000;
    if (m_block.passes.size() >= most)
        return fail(atLine(line, said("a block of more than %1 passes", most)));
    PW_TRY(const Pass pass, m_device.made(words, run, line));
    PW_TRY(const int start, run.within(words.start, 0, longest, "the start", line));
    int duration = 1;
    if (words.duration.given()) {
        PW_TRY(duration, run.within(words.duration, 1, longest, "the duration", line));
    }
    m_block.passes.push_back({pass, start, duration});
    return {};
}

Result<void> BlockSink::pair(const PassWords&, const PassWords&, OrderRun&, int line)
{
    return fail(atLine(line, said("a building block has no pairs")));
}

Result<void> NoSink::take(const PassWords&, OrderRun&, int line)
{
    return fail(atLine(line, said("no pass can stand here")));
}

Result<void> NoSink::pair(const PassWords&, const PassWords&, OrderRun&, int line)
{
    return fail(atLine(line, said("no pass can stand here")));
}

} // namespace pw::families
