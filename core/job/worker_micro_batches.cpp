// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/worker_micro_batches.h"

#include "core/base/medians.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace pw {

/// Of pairs nobody knows the parts.
const std::map<std::int32_t, double>& WorkerMicroBatches::times(std::size_t worker)
{
    const auto [found, made] = m_times.try_emplace(worker);
    if (!made)
        return found->second;
    const auto devices = static_cast<std::size_t>(m_replay.job().devices());
    const std::size_t replica = worker / devices;
    const Schedule& schedule = m_replay.schedule(replica);
    for (const EntryId entry : schedule.entries(DeviceId(worker % devices))) {
        const OrderEntry one = schedule.entry(entry);
        if (one.paired || one.pass.kind == PassKind::U)
            continue;
        for (std::size_t step = 0; step < m_replay.steps().size(); ++step)
            found->second[one.pass.microBatch] +=
                static_cast<double>(m_replay.durations({step, replica})[entry.index()]);
    }
    return found->second;
}

double WorkerMicroBatches::lowerMedianRatio(std::size_t worker)
{
    const auto devices = static_cast<std::size_t>(m_replay.job().devices());
    std::map<std::int32_t, std::vector<double>> others;
    for (std::size_t i = worker % devices; i < devices * m_replay.replicas(); i += devices)
        if (i != worker)
            for (const auto& [microBatch, time] : times(i))
                others[microBatch].push_back(time);
    std::vector<double> ratios;
    for (const auto& [microBatch, time] : times(worker))
        if (const auto other = others.find(microBatch); other != others.end())
            ratios.push_back(time / std::max(medianOf(other->second), 1.0));
    if (ratios.empty())
        return std::numeric_limits<double>::infinity();
    std::sort(ratios.begin(), ratios.end());
    return ratios[(ratios.size() - 1) / 2];
}

} // namespace pw
