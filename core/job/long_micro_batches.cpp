// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/long_micro_batches.h"

#include "core/base/medians.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace pw {

namespace {

constexpr double microBatchFactor = 1.1;

/// Median over replicas and steps of an entry's kind on its stage.
std::map<std::pair<int, StageId>, double> usualOfStages(const JobReplay& replay)
{
    std::map<std::pair<int, StageId>, std::vector<double>> all;
    for (std::size_t step = 0; step < replay.steps().size(); ++step)
        for (std::size_t r = 0; r < replay.replicas(); ++r)
            for (const EntryId entry : replay.schedule(r).entries()) {
                const OrderEntry one = replay.schedule(r).entry(entry);
                if (!one.paired && one.pass.kind != PassKind::U)
                    all[{static_cast<int>(one.pass.kind), one.pass.stage}].push_back(
                        static_cast<double>(replay.durations({step, r})[entry.index()]));
            }
    std::map<std::pair<int, StageId>, double> usual;
    for (auto& [key, list] : all)
        usual[key] = medianOf(std::move(list));
    return usual;
}

/// By how much each micro-batch is longer than usual on the stage where it is least so.
std::map<std::int32_t, double> factorsOf(const JobReplay& replay, const JobReplay::Cell& cell,
                                         const std::map<std::pair<int, StageId>, double>& usual,
                                         std::vector<double>& residuals)
{
    std::map<std::int32_t, std::map<StageId, std::vector<double>>> ratios;
    const Schedule& schedule = replay.schedule(cell.replica);
    for (const EntryId entry : schedule.entries()) {
        const OrderEntry one = schedule.entry(entry);
        const auto known = usual.find({static_cast<int>(one.pass.kind), one.pass.stage});
        if (one.paired || known == usual.end() || known->second <= 0)
            continue;
        ratios[one.pass.microBatch][one.pass.stage].push_back(
            static_cast<double>(replay.durations(cell)[entry.index()]) / known->second);
    }
    std::map<std::int32_t, double> factors;
    std::vector<double> all;
    for (auto& [microBatch, stages] : ratios) {
        double least = 0;
        std::vector<double> means;
        for (auto& [stage, list] : stages) {
            const double mean =
                std::accumulate(list.begin(), list.end(), 0.0) / static_cast<double>(list.size());
            means.push_back(mean);
            least = least == 0 ? mean : std::min(least, mean);
        }
        const double middle = medianOf(means);
        for (const double mean : means)
            residuals.push_back(mean - middle);
        factors[microBatch] = least;
        all.push_back(middle);
    }
    // A slow step makes all of them long.
    const double step = medianOf(std::move(all));
    for (auto& [microBatch, factor] : factors)
        factor = step > 0 ? factor / step : 1;
    return factors;
}

} // namespace

LongMicroBatches longMicroBatches(const JobReplay& replay)
{
    const auto usual = usualOfStages(replay);
    std::vector<double> residuals;
    LongMicroBatches cells;
    for (std::size_t step = 0; step < replay.steps().size(); ++step)
        for (std::size_t r = 0; r < replay.replicas(); ++r)
            cells.factors[{step, r}] = factorsOf(replay, {step, r}, usual, residuals);
    const double limit = std::max(microBatchFactor, 1 + likeSpreads * robustSpread(residuals));
    for (auto& [where, factors] : cells.factors)
        for (auto& [microBatch, factor] : factors) {
            if (factor < limit) {
                factor = 1;
                continue;
            }
            ++cells.count;
            cells.longest = std::max(cells.longest, factor);
            ++cells.byReplica[static_cast<std::int32_t>(where.second)];
            ++cells.byMicroBatch[microBatch];
        }
    return cells;
}

JobReplay::Variant evenMicroBatches(const JobReplay& replay, LongMicroBatches cells)
{
    JobReplay::Variant variant;
    variant.change = [&replay, cells = std::move(cells)](const JobReplay::Cell& cell,
                                                         std::vector<Ticks>& durations) {
        const auto& factors = cells.factors.at({cell.step, cell.replica});
        const Schedule& schedule = replay.schedule(cell.replica);
        for (const EntryId entry : schedule.entries()) {
            const OrderEntry one = schedule.entry(entry);
            const auto factor = factors.find(one.pass.microBatch);
            if (one.pass.kind != PassKind::U && factor != factors.end())
                durations[entry.index()] = static_cast<Ticks>(
                    static_cast<double>(durations[entry.index()]) / factor->second);
        }
    };
    return variant;
}

} // namespace pw
