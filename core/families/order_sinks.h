// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/order_language.h"
#include "core/model/building_block.h"
#include "core/model/schedule.h"

#include <array>
#include <vector>

// What becomes of the passes that a program says.
namespace pw::families {

/// The stages of one device, by route; the position in a route's list is the chunk of that route.
struct RouteChunks
{
    std::array<std::vector<StageId>, 2> stages;

    std::int64_t count() const { return static_cast<std::int64_t>(stages[0].size()); }
    std::int64_t all() const
    {
        return static_cast<std::int64_t>(stages[0].size() + stages[1].size());
    }
};

/// Those of every device. @pre at most two routes
std::vector<RouteChunks> routeChunksOf(const PipelineSpec& spec);

/// Makes the passes of one device.
class DeviceSink : public OrderRun::Sink
{
public:
    /// @param spec, chunks, order  outlive the sink
    DeviceSink(const PipelineSpec& spec, const RouteChunks& chunks, std::vector<OrderEntry>& order);

    Result<void> take(const PassWords& words, OrderRun& run, int line) override;
    Result<void> pair(const PassWords& first, const PassWords& second, OrderRun& run,
                      int line) override;
    /// The pass of words: its route is that of its micro-batch.
    Result<Pass> made(const PassWords& words, OrderRun& run, int line);

private:
    const PipelineSpec& m_spec;
    const RouteChunks& m_chunks;
    std::vector<OrderEntry>& m_order;
    std::int64_t m_most;
};

/// Makes the passes of a building block.
class BlockSink : public OrderRun::Sink
{
public:
    /// @param device, block  outlive the sink
    BlockSink(DeviceSink& device, BuildingBlock& block)
        : m_device(device)
        , m_block(block)
    {
    }

    Result<void> take(const PassWords& words, OrderRun& run, int line) override;
    Result<void> pair(const PassWords& first, const PassWords& second, OrderRun& run,
                      int line) override;

private:
    DeviceSink& m_device;
    BuildingBlock& m_block;
};

/// Where no pass can stand.
class NoSink : public OrderRun::Sink
{
public:
    Result<void> take(const PassWords& words, OrderRun& run, int line) override;
    Result<void> pair(const PassWords& first, const PassWords& second, OrderRun& run,
                      int line) override;
};

} // namespace pw::families
