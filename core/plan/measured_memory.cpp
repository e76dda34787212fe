// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/measured_memory.h"

#include <algorithm>
#include <cmath>

namespace pw::plan {

namespace {

/// Told over measured of every peak of a row.
void appendPeakRatios(const MeasuredRow& row, const Cluster& cluster, const EngineMemory& engine,
                      std::vector<double>& ratios)
{
    if (row.peak == 0 && row.firstPeak == 0 && row.lastPeak == 0)
        return;
    Configuration configuration = row.configuration;
    configuration.engine = engine;
    const Result<Evaluation> told = evaluate(row.model, cluster, configuration);
    if (!told || told->memory.empty())
        return;
    const auto allocated = [](const MemoryParts& parts) { return parts.total() - parts.fragments; };
    double fullest = 0;
    for (const MemoryParts& rank : told->memory)
        fullest = std::max(fullest, allocated(rank));
    const auto take = [&ratios](double own, double measured) {
        if (measured > 0)
            ratios.push_back(own / measured);
    };
    take(fullest, row.peak);
    take(allocated(told->memory.front()), row.firstPeak);
    take(allocated(told->memory.back()), row.lastPeak);
}

} // namespace

std::vector<MemoryJudgement> judgeMemory(const std::vector<MeasuredRow>& rows,
                                         const Accelerator& device, const Constants& constants)
{
    std::vector<MemoryJudgement> all;
    std::vector<EngineMemory> tried;
    for (const NamedEngine& engine : memoryEngines()) {
        const auto same = std::find(tried.begin(), tried.end(), engine.memory);
        if (same != tried.end()) {
            all[static_cast<std::size_t>(same - tried.begin())].engine +=
                ", " + std::string(engine.name);
            continue;
        }
        std::vector<double> ratios;
        for (const MeasuredRow& row : rows)
            appendPeakRatios(row, {device, row.devices, constants}, engine.memory, ratios);
        if (ratios.empty())
            return {};
        tried.push_back(engine.memory);
        MemoryJudgement one;
        one.engine = std::string(engine.name);
        one.peaks = static_cast<int>(ratios.size());
        for (const double ratio : ratios) {
            const double error = std::abs(ratio - 1);
            one.meanError += error / one.peaks;
            one.bias += (ratio - 1) / one.peaks;
            one.worst = std::max(one.worst, error);
        }
        all.push_back(std::move(one));
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.meanError < b.meanError; });
    return all;
}

} // namespace pw::plan
