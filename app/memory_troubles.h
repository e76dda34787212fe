// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/gpu_reading.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pw::app {

/// What is wrong with the memory of GPUs over many runs: each of them would say it once more.
class MemoryTroubles
{
public:
    /// @param readings  of one run
    void take(const std::vector<GpuReading>& readings);

    /// Of each GPU that had any the worst, and in how many runs.
    std::vector<std::string> lines() const;

private:
    struct Trouble
    {
        GpuReading worst;
        int runs = 0;
    };

    std::map<std::pair<int, int>, Trouble> m_troubles; // by the first rank on it, and its number
    int m_runs = 0;
};

} // namespace pw::app
