// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/usual_times.h"

#include "core/base/index.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace pw {

namespace {

/// What entries have in common that should take the same time.
using EntryLook = std::tuple<PassKind, StageId, int, int, StageId, int>;

EntryLook lookOf(const OrderEntry& entry)
{
    if (!entry.paired)
        return {entry.pass.kind, entry.pass.stage, entry.pass.segment, -1, StageId::none(), -1};
    return {entry.pass.kind,     entry.pass.stage,
            entry.pass.segment,  static_cast<int>(entry.partner.kind),
            entry.partner.stage, entry.partner.segment};
}

} // namespace

std::size_t usualIterations(const Schedule& schedule)
{
    constexpr std::size_t most = 64;
    constexpr std::size_t mostEntries = 4'000'000; // of all of them; a second or two
    return std::clamp<std::size_t>(
        mostEntries / static_cast<std::size_t>(schedule.entryCount() + 1), 1, most);
}

std::vector<Ticks> usualTimes(const Schedule& schedule, std::span<const SimResult> timelines)
{
    std::map<EntryLook, std::vector<Ticks>> byLook;
    for (const EntryId e : schedule.entries()) {
        std::vector<Ticks>& times = byLook[lookOf(schedule.entry(e))];
        for (const SimResult& timeline : timelines)
            if (timeline.end[at(e)] > 0)
                times.push_back(timeline.end[at(e)] - timeline.start[at(e)]);
    }
    std::map<EntryLook, Ticks> medians;
    for (auto& [look, times] : byLook) {
        std::sort(times.begin(), times.end());
        medians[look] = times.empty() ? 0 : times[(times.size() - 1) / 2];
    }
    std::vector<Ticks> usual;
    for (const EntryId e : schedule.entries())
        usual.push_back(medians[lookOf(schedule.entry(e))]);
    return usual;
}

std::vector<Ticks> evenTimes(const Schedule& schedule, std::span<const Ticks> usual)
{
    std::map<EntryLook, Ticks> byLook;
    for (const EntryId e : schedule.entries())
        byLook.try_emplace(lookOf(schedule.entry(e)), usual[at(e)]);
    const auto stageless = [](EntryLook look) {
        std::get<1>(look) = std::get<4>(look) = StageId::none();
        return look;
    };
    std::map<EntryLook, std::pair<Ticks, Ticks>> sums;
    for (const auto& [look, time] : byLook) {
        auto& [sum, count] = sums[stageless(look)];
        sum += time;
        ++count;
    }
    std::vector<Ticks> even;
    for (const EntryId e : schedule.entries()) {
        const auto& [sum, count] = sums[stageless(lookOf(schedule.entry(e)))];
        even.push_back(sum / count);
    }
    return even;
}

} // namespace pw
