// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/events.h"

#include <cuda_runtime_api.h>
#include <memory>
#include <vector>

namespace pw::exec::cuda {

/// Graphs that nobody launches any more and that may still be under way. The driver would keep one
/// until it has ended; it need not come to that.
class LeavingGraphs
{
public:
    explicit LeavingGraphs(std::shared_ptr<EventPool> events)
        : m_events(std::move(events))
    {
    }

    /// Takes a graph that was launched on a stream.
    /// @throws DeviceError
    void add(cudaGraphExec_t graph, cudaStream_t stream);
    /// Gives up those that have ended.
    void sweep();
    /// Gives up all. @pre the device has come to the end of its work
    void end() noexcept;
    /// Leaves all to the driver.
    void abandon() noexcept { m_graphs.clear(); }

private:
    struct Leaving
    {
        cudaGraphExec_t graph;
        std::shared_ptr<Event> after;
    };

    std::shared_ptr<EventPool> m_events;
    std::vector<Leaving> m_graphs;
};

} // namespace pw::exec::cuda
