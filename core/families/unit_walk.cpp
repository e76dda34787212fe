// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/unit_walk.h"

#include "core/base/assert.h"

#include <algorithm>
#include <string>

namespace pw::families {

namespace {

/// Passes of the units of one device.
class Units
{
public:
    Units(const WalkPlan& plan, DeviceId device)
        : m_device(device)
        , m_devices(plan.devices)
        , m_chunks(plan.chunks)
        , m_items(plan.microBatches * plan.segments)
        , m_segments(plan.segments)
        , m_group(plan.group)
    {
    }

    int count() const { return m_items * m_chunks; }

    Pass forward(int x) const
    {
        const Place place = at(x);
        return {PassKind::F, 0, StageId(place.chunk * m_devices + m_device),
                place.item / m_segments, place.item % m_segments};
    }

    Pass backward(PassKind kind, int x) const
    {
        const Place place = at(x);
        return {kind, 0, StageId((m_chunks - 1 - place.chunk) * m_devices + m_device),
                place.item / m_segments, m_segments - 1 - place.item % m_segments};
    }

private:
    struct Place
    {
        int chunk;
        int item;
    };

    Place at(int x) const
    {
        if (m_chunks == 1)
            return {0, x};
        const int before = x / (m_group * m_chunks) * m_group;
        const int size = std::min(m_group, m_items - before);
        const int within = x - before * m_chunks;
        return {within / size, before + within % size};
    }

    int m_device;
    int m_devices;
    int m_chunks;
    int m_items;
    int m_segments;
    int m_group;
};

void appendWalk(const WalkPlan& plan, const DeviceWalk& walk, const Units& units,
                std::vector<OrderEntry>& order)
{
    const int count = units.count();
    const int warmUp = std::clamp(walk.warmUp, 0, count);
    order.reserve(static_cast<std::size_t>(count) * (plan.split ? 3 : 2));
    const auto add = [&order](const OrderEntry& entry) { order.push_back(entry); };
    for (int x = 0; x < warmUp; ++x)
        add(single(units.forward(x)));
    for (int x = 0; x < count; ++x) {
        const bool steady = warmUp + x < count;
        if (plan.overlapped && steady) {
            add(overlapped(units.forward(warmUp + x), units.backward(PassKind::BW, x)));
            continue;
        }
        if (steady)
            add(single(units.forward(warmUp + x)));
        add(single(units.backward(plan.split ? PassKind::B : PassKind::BW, x)));
        if (plan.split && x >= walk.weightDelay)
            add(single(units.backward(PassKind::W, x - walk.weightDelay)));
    }
    if (plan.split) {
        for (int x = std::max(0, count - walk.weightDelay); x < count; ++x)
            add(single(units.backward(PassKind::W, x)));
    }
}

} // namespace

DeviceOrders ordersOf(const WalkPlan& plan)
{
    PW_ASSERT(plan.walks.size() == static_cast<std::size_t>(plan.devices));
    DeviceOrders orders(plan.walks.size());
    for (const DeviceId device : Ids<DeviceId>(plan.devices)) {
        const auto index = static_cast<std::size_t>(device);
        appendWalk(plan, plan.walks[index], Units(plan, device), orders[index]);
    }
    return orders;
}

Result<BuildingBlock> blockOf(const WalkPlan& plan)
{
    if (plan.overlapped)
        return fail(ErrorCode::BadValue, "a building block has no overlapped pairs; overlap is 1");
    WalkPlan one = plan;
    one.group = plan.chunks == 1 ? plan.segments : plan.group;
    PW_ASSERT(one.group % plan.segments == 0);
    one.microBatches = one.group / plan.segments;

    BuildingBlock block;
    block.devices = plan.devices;
    block.routes = {Placement::looped(plan.devices, plan.chunks)};
    block.microBatches = one.microBatches;
    block.segmentLengths.assign(static_cast<std::size_t>(plan.segments), 1);
    block.interval = 3 * Ticks{one.group} * plan.chunks;
    for (const DeviceId device : Ids<DeviceId>(plan.devices)) {
        const DeviceWalk& walk = plan.walks[static_cast<std::size_t>(device)];
        const Units units(one, device);
        for (int x = 0; x < units.count(); ++x) {
            // Pair n holds backward n and the forward that is the warm-up ahead.
            const Ticks forward = walk.blockStart + 3 * (Ticks{x} - walk.warmUp);
            const Ticks backward = walk.blockStart + 3 * Ticks{x} + 1;
            block.passes.push_back({units.forward(x), forward, 1});
            if (!plan.split) {
                block.passes.push_back({units.backward(PassKind::BW, x), backward, 2});
                continue;
            }
            block.passes.push_back({units.backward(PassKind::B, x), backward, 1});
            block.passes.push_back(
                {units.backward(PassKind::W, x), backward + 1 + 3 * Ticks{walk.weightDelay}, 1});
        }
    }
    const auto first =
        std::min_element(block.passes.begin(), block.passes.end(),
                         [](const BlockPass& a, const BlockPass& b) { return a.start < b.start; });
    const Ticks shift = first->start;
    for (BlockPass& pass : block.passes)
        pass.start -= shift;
    return block;
}

namespace {

/// Whether groups leave a last one that is empty or at least `least`, or there is one group only.
bool groupFits(int microBatches, int group, int least)
{
    const int rest = microBatches % group;
    return microBatches <= group || rest == 0 || rest >= least;
}

/// The first group from `group` on that fits; one group of all micro-batches always does.
int nextGroup(int microBatches, int group, int least)
{
    while (!groupFits(microBatches, group, least))
        ++group;
    return group;
}

} // namespace

Result<void> checkGroup(int microBatches, int group, int least)
{
    const int needed = std::min(least, microBatches);
    if (group < needed) {
        return fail(ErrorCode::BadValue, "group is %1; at least %2 here", group, needed);
    }
    if (groupFits(microBatches, group, least))
        return {};
    return fail(ErrorCode::BadValue,
                "micro-batches %1 leaves a last group of %2; with groups of %3 it has to be none "
                "or at least %4, group %5 does it",
                microBatches, microBatches % group, group, least,
                nextGroup(microBatches, group, least));
}

Result<void> checkComesRound(const WalkPlan& plan, int least)
{
    if (plan.chunks == 1 || plan.group >= least)
        return {};
    return fail(ErrorCode::BadValue,
                "micro-batches is %1; a block that repeats needs at least %2, which come round to "
                "the next chunk in time",
                plan.microBatches, least);
}

int usualGroup(const FamilyOptions& options, int least)
{
    return nextGroup(options.microBatches, options.devices, least);
}

double groupIn(const ClosedFormInput& in, const Parameter& group)
{
    return std::min<double>(in.m, chosenWhole(*in.options, group));
}

} // namespace pw::families
