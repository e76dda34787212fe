// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/memory_troubles.h"

namespace pw::app {

void MemoryTroubles::take(const std::vector<GpuReading>& readings)
{
    ++m_runs;
    for (const GpuReading& reading : readings) {
        const Bytes excess = gpuMemoryExcess(reading);
        if (excess == 0)
            continue;
        Trouble& trouble = m_troubles[{reading.rank, reading.gpu}];
        ++trouble.runs;
        if (excess > gpuMemoryExcess(trouble.worst))
            trouble.worst = reading;
    }
}

std::vector<std::string> MemoryTroubles::lines() const
{
    std::vector<std::string> all;
    for (const auto& [gpu, trouble] : m_troubles) {
        const std::string text = *gpuMemoryTrouble(trouble.worst);
        all.push_back(m_runs == 1
                          ? text
                          : "in " + std::to_string(trouble.runs) + " of " + std::to_string(m_runs) +
                                " runs, and in the worst of them " + text);
    }
    return all;
}

} // namespace pw::app
