// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/dragged_body.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace pw {

Result<DraggedBody> DraggedBody::make(DraftTimes times, const std::vector<EntryAt>& grabbed)
{
    DraggedBody body;
    body.m_times = std::move(times);
    body.m_isGrabbed.assign(body.m_times.begin.back().index(), 0);
    const auto devices = static_cast<std::int32_t>(body.m_times.begin.size()) - 1;
    for (const EntryAt& at : grabbed) {
        if (at.device < 0 || at.device >= devices || at.position < 0 ||
            at.position >= body.length(at.device))
            return fail(ErrorCode::BadValue, "device %1 has no entry %2", at.device, at.position);
        if (body.m_lanes.empty() || body.m_lanes.back().device != at.device)
            body.m_lanes.push_back({at.device, {}, {}, 0, {}});
        body.m_lanes.back().grabbed.push_back(at.position);
        body.m_isGrabbed[(body.begin(at.device) + at.position).index()] = 1;
    }
    return body;
}

std::int32_t DraggedBody::length(DeviceId device) const
{
    return m_times.begin[device.index() + 1] - m_times.begin[device.index()];
}

bool DraggedBody::place(Ticks by)
{
    bool changed = false;
    for (DragLane& lane : m_lanes) {
        const std::vector<std::int32_t> before = lane.slots;
        place(lane, by);
        changed = changed || lane.slots != before;
    }
    return changed;
}

void DraggedBody::stay()
{
    for (DragLane& lane : m_lanes)
        lane.slots = lane.grabbed;
}

bool DraggedBody::holdBack(const std::vector<std::uint8_t>& held)
{
    bool changed = false;
    for (DragLane& lane : m_lanes)
        changed = holdBack(lane, held) || changed;
    return changed;
}

void DraggedBody::arrange()
{
    for (DragLane& lane : m_lanes)
        arrange(lane);
}

Ticks DraggedBody::overtakenUntil() const
{
    Ticks until = std::numeric_limits<Ticks>::min();
    for (const DragLane& lane : m_lanes)
        for (std::size_t i = 0; i < lane.slots.size(); ++i)
            if (lane.slots[i] > lane.grabbed[i])
                until = std::max(until, start(begin(lane.device) + (lane.slots[i] - 1)));
    return until;
}

void DraggedBody::place(DragLane& lane, Ticks by) const
{
    lane.slots.assign(lane.grabbed.size(), 0);
    const EntryId first = begin(lane.device);
    const std::int32_t count = length(lane.device);
    for (std::size_t i = 0; i < lane.grabbed.size(); ++i) {
        const std::int32_t own = lane.grabbed[i];
        std::int32_t slot = own;
        // Twice the middle, so that nothing is halved.
        const auto twiceMiddle = [&](std::int32_t position) {
            return start(first + position) + end(first + position);
        };
        if (by > 0) {
            const Ticks edge = end(first + own) + by;
            for (std::int32_t at = own + 1; at < count; ++at) {
                if (has(first + at))
                    continue;
                if (twiceMiddle(at) >= 2 * edge)
                    break;
                slot = at + 1;
            }
        } else {
            const Ticks edge = start(first + own) + by;
            for (std::int32_t at = own; at-- > 0;) {
                if (has(first + at))
                    continue;
                if (twiceMiddle(at) <= 2 * edge)
                    break;
                slot = at;
            }
        }
        lane.slots[i] = i == 0 ? slot : std::max(slot, lane.slots[i - 1]);
    }
}

bool DraggedBody::holdBack(DragLane& lane, const std::vector<std::uint8_t>& held) const
{
    const EntryId first = begin(lane.device);
    bool changed = false;
    for (std::size_t i = 0; i < lane.grabbed.size(); ++i) {
        for (std::int32_t at = lane.grabbed[i] + 1; at < lane.slots[i]; ++at) {
            if (has(first + at) || held[(first + at).index()] == 0)
                continue;
            lane.slots[i] = at;
            changed = true;
        }
    }
    // What stands behind in the body stays behind.
    for (std::size_t i = lane.grabbed.size(); i-- > 1;)
        lane.slots[i - 1] = std::min(lane.slots[i - 1], std::max(lane.slots[i], lane.grabbed[i]));
    return changed;
}

// From the first position that changes to the last.
void DraggedBody::arrange(DragLane& lane) const
{
    std::int32_t last = lane.first = lane.grabbed.front();
    for (std::size_t i = 0; i < lane.grabbed.size(); ++i) {
        lane.first = std::min({lane.first, lane.grabbed[i], lane.slots[i]});
        last = std::max({last, lane.grabbed[i] + 1, lane.slots[i]});
    }
    const EntryId first = begin(lane.device);
    lane.order.clear();
    std::size_t next = 0;
    for (std::int32_t at = lane.first; at <= last; ++at) {
        while (next < lane.grabbed.size() && lane.slots[next] <= at) {
            lane.order.push_back(lane.grabbed[next]);
            ++next;
        }
        if (at < last && !has(first + at))
            lane.order.push_back(at);
    }
}

} // namespace pw
