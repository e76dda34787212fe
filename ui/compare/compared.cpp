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

PassLengths lengthsOf(const Compared& timeline)
{
    PassLengths lengths;
    const Schedule& schedule = *timeline.schedule;
    for (const EntryId entry : schedule.entries()) {
        const auto at = static_cast<std::size_t>(entry);
        // One that was never recorded has no times.
        if (timeline.times.end[at] == 0)
            continue;
        const OrderEntry both = schedule.entry(entry);
        const Ticks length = timeline.times.end[at] - timeline.times.start[at];
        lengths[both.pass.kind].push_back(length);
        if (both.paired)
            lengths[both.partner.kind].push_back(length);
    }
    return lengths;
}

namespace {

/// What a timeline spends on the work of a pass.
struct Spent
{
    Ticks end = 0;      ///< of the last entry
    Ticks time = 0;     ///< of all of them
    bool known = false; ///< an entry that was never recorded has no times
};

Spent spentOn(const SameWork& work, const SimResult& times)
{
    Spent spent;
    for (const EntryId entry : {work.first, work.second}) {
        if (!entry.valid())
            continue;
        const auto at = static_cast<std::size_t>(entry);
        if (times.end[at] == 0)
            return {};
        spent.end = std::max(spent.end, times.end[at]);
        spent.time += times.end[at] - times.start[at];
        spent.known = true;
    }
    return spent;
}

/// The kinds of a split backward.
bool isPart(PassKind kind)
{
    return kind == PassKind::B || kind == PassKind::W;
}

/// The entries of a schedule that do as much as `same` does in another one: where that is a BW, the
/// B and the W of the pass's cell.
SameWork asMuchAs(const SameWork& same, const Schedule& other, const Schedule& own, EntryId entry)
{
    Pass pass = own.entry(entry).pass;
    const bool whole = same.first >= 0 && isPart(pass.kind) && !own.entry(entry).paired &&
                       other.entry(same.first).pass.kind == PassKind::BW &&
                       !other.entry(same.first).paired;
    if (!whole)
        return {entry, EntryId::none()};
    pass.kind = PassKind::BW;
    return sameWork(own, pass);
}

} // namespace

DifferencePtr differenceOf(const Compared& before, const Compared& after)
{
    auto difference = std::make_shared<Difference>();
    auto moved = std::make_shared<Heat>();
    auto grown = std::make_shared<Heat>();
    std::vector<bool> found(static_cast<std::size_t>(before.schedule->entryCount()), false);
    for (const Lane& lane : after.lanes->lanes()) {
        std::vector<Ticks> ends(lane.size(), Heat::none);
        std::vector<Ticks> lengths(lane.size(), Heat::none);
        for (std::size_t i = 0; i < lane.size(); ++i) {
            const Pass pass = after.schedule->entry(EntryId(lane.entry[i])).pass;
            const SameWork same = sameWork(*before.schedule, pass);
            const Spent then = spentOn(same, before.times);
            if (!then.known) {
                ++difference->onlyHere;
                continue;
            }
            ++difference->matched;
            for (const EntryId entry : {same.first, same.second})
                if (entry.valid())
                    found[static_cast<std::size_t>(entry)] = true;
            const Spent now =
                spentOn(asMuchAs(same, *before.schedule, *after.schedule, EntryId(lane.entry[i])),
                        after.times);
            ends[i] = lane.end[i] - then.end;
            lengths[i] = now.known ? now.time - then.time : Heat::none;
            moved->most = std::max(moved->most, std::abs(ends[i]));
            if (now.known)
                grown->most = std::max(grown->most, std::abs(lengths[i]));
        }
        moved->values.push_back(std::move(ends));
        grown->values.push_back(std::move(lengths));
    }
    for (const Lane& lane : before.lanes->lanes())
        difference->onlyThere +=
            std::count_if(lane.entry.begin(), lane.entry.end(), [&](std::int32_t entry) {
                return !found[static_cast<std::size_t>(entry)];
            });
    difference->moved = std::move(moved);
    difference->grown = std::move(grown);
    difference->shifts = endShifts(*before.schedule, before.times, *after.schedule, after.times);
    return difference;
}

} // namespace pw::ui
