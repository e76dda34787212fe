// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/compared.h"

#include <algorithm>
#include <cmath>

namespace pw::ui {

double Compared::throughput() const
{
    constexpr double ticksPerSecond = 1e9;
    return times.makespan > 0 ? schedule->spec().totalMicroBatches() * ticksPerSecond /
                                    static_cast<double>(times.makespan)
                              : 0;
}

DifferencePtr differenceOf(const Compared& before, const Compared& after)
{
    auto difference = std::make_shared<Difference>();
    const std::vector<std::int32_t> same = sameEntries(*before.schedule, *after.schedule);
    auto moved = std::make_shared<Heat>();
    auto grown = std::make_shared<Heat>();
    const auto at = [](std::int32_t entry) { return static_cast<std::size_t>(entry); };
    for (const Lane& lane : after.lanes->lanes()) {
        std::vector<Ticks> ends(lane.size(), Heat::none);
        std::vector<Ticks> lengths(lane.size(), Heat::none);
        for (std::size_t i = 0; i < lane.size(); ++i) {
            const std::int32_t entry = same[at(lane.entry[i])];
            // An entry that was never recorded has no times.
            if (entry < 0 || before.times.end[at(entry)] == 0) {
                ++difference->onlyHere;
                continue;
            }
            ++difference->matched;
            const Ticks start = before.times.start[at(entry)];
            const Ticks end = before.times.end[at(entry)];
            ends[i] = lane.end[i] - end;
            lengths[i] = (lane.end[i] - lane.start[i]) - (end - start);
            moved->most = std::max(moved->most, std::abs(ends[i]));
            grown->most = std::max(grown->most, std::abs(lengths[i]));
        }
        moved->values.push_back(std::move(ends));
        grown->values.push_back(std::move(lengths));
    }
    difference->onlyThere = std::max<std::int64_t>(
        0, static_cast<std::int64_t>(before.lanes->spanCount()) - difference->matched);
    difference->moved = std::move(moved);
    difference->grown = std::move(grown);
    difference->shifts = endShifts(*before.schedule, before.times, *after.schedule, after.times);
    return difference;
}

} // namespace pw::ui
