// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/leaving_graphs.h"

#include <algorithm>

namespace pw::exec::cuda {

void LeavingGraphs::add(cudaGraphExec_t graph, cudaStream_t stream)
{
    m_graphs.push_back({graph, nullptr});
    m_graphs.back().after = m_events->record(stream);
    sweep();
}

void LeavingGraphs::sweep()
{
    const auto gone = std::remove_if(m_graphs.begin(), m_graphs.end(), [](const Leaving& one) {
        const bool passed = one.after != nullptr && one.after->passed();
        if (passed)
            cudaGraphExecDestroy(one.graph);
        return passed;
    });
    m_graphs.erase(gone, m_graphs.end());
}

void LeavingGraphs::end() noexcept
{
    for (const Leaving& one : m_graphs)
        cudaGraphExecDestroy(one.graph);
    m_graphs.clear();
}

} // namespace pw::exec::cuda
