// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/order_forms.h"

#include "core/base/index.h"
#include "core/base/text.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pw {

namespace {

template<typename Test>
bool anyEntry(const Schedule& schedule, const Test& test)
{
    for (const EntryId i : schedule.entries()) {
        if (test(schedule.entry(i)))
            return true;
    }
    return false;
}

/// Places of a longest rising subsequence.
std::vector<bool> longestRising(const std::vector<std::int32_t>& values)
{
    std::vector<std::size_t> ends; // by length: the place of its smallest last value
    std::vector<std::ptrdiff_t> before(values.size(), -1);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto place = std::lower_bound(
            ends.begin(), ends.end(), values[i],
            [&values](std::size_t end, std::int32_t value) { return values[end] < value; });
        if (place != ends.begin())
            before[i] = static_cast<std::ptrdiff_t>(*std::prev(place));
        if (place == ends.end())
            ends.push_back(i);
        else
            *place = i;
    }
    std::vector<bool> in(values.size(), false);
    for (std::ptrdiff_t i = ends.empty() ? -1 : static_cast<std::ptrdiff_t>(ends.back()); i >= 0;
         i = before[at(i)])
        in[at(i)] = true;
    return in;
}

/// Passes of one kind of one device that go the same way.
struct MovedGroup
{
    DeviceId device{0};
    PassKind kind = PassKind::F;
    bool later = false;
    int count = 0;
    Sentence beside; ///< what the first of them now stands next to; empty: nothing
};

Sentence shortName(const Pass& pass, const PipelineSpec& spec)
{
    const std::string text = std::string(name(pass.kind)) + std::to_string(pass.microBatch);
    return spec.stages() > spec.devices ? said("%1 of stage %2", text, pass.stage) : Sentence(text);
}

/// "7 W of device 2 behind F9 and later"
Sentence groupText(const MovedGroup& group)
{
    const Sentence some = said("%1 %2 of device %3", group.count, name(group.kind), group.device);
    const bool many = group.count > 1;
    if (group.beside.empty() && !many)
        return some;
    if (group.beside.empty())
        return group.later ? said("%1 and later", some) : said("%1 and sooner", some);
    if (group.later)
        return many ? said("%1 behind %2 and later", some, group.beside)
                    : said("%1 behind %2", some, group.beside);
    return many ? said("%1 before %2 and sooner", some, group.beside)
                : said("%1 before %2", some, group.beside);
}

/// The moved passes of a device, by kind and way. @return how many
int movesOf(const Schedule& before, const Schedule& after, DeviceId device,
            std::vector<MovedGroup>& groups)
{
    const std::int32_t begin = after.begin(device), end = after.end(device);
    std::vector<std::int32_t> old;
    for (std::int32_t i = begin; i < end; ++i)
        old.push_back(before.entryOf(after.places()[at(i)].first));
    const std::vector<bool> stays = longestRising(old);
    std::map<std::pair<PassKind, bool>, MovedGroup> found;
    int moved = 0;
    std::ptrdiff_t anchor = -1;
    for (std::size_t i = 0; i < old.size(); ++i) {
        if (stays[i]) {
            anchor = static_cast<std::ptrdiff_t>(i);
            continue;
        }
        ++moved;
        const bool later = anchor >= 0 && old[i] < old[at(anchor)];
        std::size_t next = i;
        while (next < old.size() && !stays[next])
            ++next;
        const PassKind kind = after.entry(EntryId(begin + static_cast<std::int32_t>(i))).pass.kind;
        MovedGroup& group = found[{kind, later}];
        if (group.count++ > 0)
            continue;
        group.device = device;
        group.kind = kind;
        group.later = later;
        const auto neighbour = later ? at(anchor) : next;
        if (neighbour < old.size()) {
            const Pass& pass =
                after.entry(EntryId(begin + static_cast<std::int32_t>(neighbour))).pass;
            group.beside = shortName(pass, after.spec());
        }
    }
    for (const auto& [key, group] : found)
        groups.push_back(group);
    return moved;
}

} // namespace

bool hasFused(const Schedule& schedule)
{
    return anyEntry(schedule, [](const OrderEntry& entry) {
        return !entry.paired && entry.pass.kind == PassKind::BW;
    });
}

bool hasSplit(const Schedule& schedule)
{
    return anyEntry(schedule, [](const OrderEntry& entry) {
        return !entry.paired && entry.pass.kind == PassKind::B;
    });
}

bool hasPairs(const Schedule& schedule)
{
    return anyEntry(schedule, [](const OrderEntry& entry) { return entry.paired; });
}

bool samePasses(const Schedule& a, const Schedule& b)
{
    if (a.entryCount() != b.entryCount() || a.table().size() != b.table().size())
        return false;
    for (const Schedule::Places& places : a.places()) {
        const EntryId other = b.entryOf(places.first);
        if (other < 0 || !(b.places()[at(other)] == places))
            return false;
    }
    return true;
}

bool sameRecomputation(const Schedule& a, const Schedule& b)
{
    if (a.anyRecompute() != b.anyRecompute())
        return false;
    const auto differs = [&](const Pass& pass) {
        return pass.kind == PassKind::F && a.recomputed(pass) != b.recomputed(pass);
    };
    return !a.anyRecompute() || !anyEntry(a, [&](const OrderEntry& entry) {
        return differs(entry.pass) || (entry.paired && differs(entry.partner));
    });
}

Result<Schedule> inForm(const Schedule& schedule, BackwardForm form)
{
    if (form == BackwardForm::AsGiven)
        return schedule;
    DeviceOrders orders(at(schedule.devices()));
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        auto& order = orders[at(device)];
        for (const EntryId i : schedule.entries(device)) {
            OrderEntry entry = schedule.entry(i);
            if (entry.paired) {
                return fail(
                    ErrorCode::BadValue,
                    "entry %1 of device %2 is an overlapped pair, whose backward stays as it is",
                    i - schedule.begin(device), device);
            }
            const PassKind kind = entry.pass.kind;
            if (form == BackwardForm::Split && kind == PassKind::BW) {
                entry.pass.kind = PassKind::B;
                order.push_back(entry);
                entry.pass.kind = PassKind::W;
            } else if (form == BackwardForm::Fused && kind == PassKind::B) {
                entry.pass.kind = PassKind::BW;
            } else if (form == BackwardForm::Fused && kind == PassKind::W) {
                continue;
            }
            order.push_back(entry);
        }
    }
    return Schedule::make(schedule.spec(), orders);
}

bool splitCostsNothing(const Costs& costs)
{
    if (!costs.single.empty())
        return false;
    for (std::size_t i = 0; i < costs.fused.size(); ++i) {
        if (costs.fused[i] < costs.backward[i] + costs.weight[i])
            return false;
    }
    return true;
}

Sentence describeMoves(const Schedule& before, const Schedule& after)
{
    std::vector<MovedGroup> groups;
    int moved = 0;
    for (const DeviceId device : Ids<DeviceId>(after.devices()))
        moved += movesOf(before, after, device, groups);
    if (groups.empty())
        return {};
    std::stable_sort(groups.begin(), groups.end(),
                     [](const MovedGroup& a, const MovedGroup& b) { return a.count > b.count; });
    constexpr std::size_t told = 4;
    Sentence all = groupText(groups.front());
    for (std::size_t i = 1; i < std::min(told, groups.size()); ++i)
        all = said("%1, %2", all, groupText(groups[i]));
    return said("moves %1; %2 of %3 in all", all, moved,
                counted(after.entryCount(), "%1 pass", "%1 passes"));
}

} // namespace pw
