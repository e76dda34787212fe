// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/change_gains.h"

#include <cstddef>

namespace pw {

namespace {

/// The changes that touch a replica, but for one.
std::vector<JobReplay::Variant> touching(std::span<const JobReplay::Variant> changes,
                                         std::size_t replica, std::size_t but)
{
    std::vector<JobReplay::Variant> found;
    for (std::size_t i = 0; i < changes.size(); ++i)
        if (i != but && JobReplay::touches(changes[i], replica))
            found.push_back(changes[i]);
    return found;
}

} // namespace

std::vector<ChangeGain> changeGains(const JobReplay& replay,
                                    std::span<const JobReplay::Variant> changes)
{
    std::vector<ChangeGain> gains;
    if (changes.empty() || replay.mean() <= 0)
        return std::vector<ChangeGain>(changes.size());
    std::vector<std::vector<Ticks>> repaired;
    for (std::size_t r = 0; r < replay.replicas(); ++r)
        repaired.push_back(replay.spans(r, touching(changes, r, changes.size())));
    const double best = replay.meanOf(repaired);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        std::vector<std::vector<Ticks>> without = repaired;
        for (std::size_t r = 0; r < replay.replicas(); ++r)
            if (JobReplay::touches(changes[i], r))
                without[r] = replay.spans(r, touching(changes, r, i));
        gains.push_back({1 - replay.mean(changes[i]) / replay.mean(),
                         (replay.meanOf(without) - best) / replay.mean()});
    }
    return gains;
}

} // namespace pw
