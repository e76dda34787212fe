// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/search/zero_bubble_partial.h"

namespace pw {

ZeroBubbleShape::ZeroBubbleShape(const ZeroBubbleProblem& problem, const ZeroBubbleBound& bound)
    : m_devices(problem.devices)
    , m_microBatches(problem.microBatches)
    , m_stages(at(problem.devices))
{
    for (int j = 0; j < m_devices; ++j) {
        ZeroBubbleStage& stage = m_stages[at(j)];
        stage.duration[zbF] = problem.forward[at(j)];
        stage.duration[zbB] = problem.backward[at(j)];
        stage.duration[zbW] = problem.weight[at(j)];
        stage.delta[zbF] = problem.forwardMemory[at(j)];
        stage.delta[zbB] = problem.backwardMemory[at(j)];
        stage.delta[zbW] = problem.weightMemory[at(j)];
        stage.limit = problem.memoryLimit[at(j)];
        stage.fromAbove = j > 0 ? problem.forwardLatency[at(j - 1)] : 0;
        stage.fromBelow = j + 1 < m_devices ? problem.backwardLatency[at(j)] : 0;
        stage.firstStart = bound.firstStart(j);
    }
}

} // namespace pw
