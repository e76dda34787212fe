// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/finish_room.h"

#include "core/base/text.h"

#include <algorithm>

namespace pw {

FinishRoom::FinishRoom(const Costs& costs, const Schedule& wanted, Share cap, bool room)
    : m_costs(costs)
    , m_wanted(wanted)
    , m_spec(wanted.spec())
    , m_cap(cap)
    , m_room(room)
    , m_chunks(chunksOfDevices(m_spec))
    , m_begun(static_cast<std::size_t>(wanted.table().size()), false)
    , m_lanes(static_cast<std::size_t>(m_spec.devices))
{
    const std::vector<StandingMemory> standing = standingMemory(m_costs, m_spec);
    for (std::size_t i = 0; i < m_lanes.size(); ++i)
        if (!m_costs.memoryCap.empty() && m_costs.memoryCap[i] > 0)
            m_lanes[i].cap = std::max<Bytes>(standing[i].room(m_costs.memoryCap[i]), 1);
}

bool FinishRoom::refuse(Lane& lane, const Pass& pass, bool share, bool bytes) const
{
    if (!share && !bytes)
        return false;
    lane.isShort = true;
    lane.inBytes = !share;
    lane.refused = pass;
    return true;
}

bool FinishRoom::fits(DeviceId device, const OrderEntry& entry)
{
    Lane& lane = m_lanes[device.index()];
    for (const Pass* pass : {&entry.pass, &entry.partner}) {
        if ((pass == &entry.partner && !entry.paired) || !adds(*pass))
            continue;
        const ActivationChange more = change(*pass);
        if (refuse(lane, *pass, m_cap > 0 && lane.share + more.share > m_cap,
                   lane.cap > 0 && lane.bytes + more.bytes > lane.cap))
            return false;
    }
    return true;
}

bool FinishRoom::leavesRoom(DeviceId device, const Pass& forward)
{
    if (!m_room)
        return true;
    Lane& lane = m_lanes[device.index()];
    ActivationChange held = oldestNeeds(device, lane);
    if (forward.microBatch == lane.oldest)
        return true;
    const ActivationChange more = change(forward);
    held.share += lane.share + more.share;
    held.bytes += lane.bytes + more.bytes;
    return !refuse(lane, forward, m_cap > 0 && held.share > m_cap,
                   lane.cap > 0 && held.bytes > lane.cap);
}

void FinishRoom::begin(DeviceId device, const Pass& pass)
{
    m_begun[static_cast<std::size_t>(m_wanted.table().id(pass).value)] = true;
    if (adds(pass))
        hold(m_lanes[device.index()], pass);
}

void FinishRoom::end(DeviceId device, const Pass& pass)
{
    if (!adds(pass))
        hold(m_lanes[device.index()], pass);
}

/// What the device still has to take of its oldest micro-batch that is not through.
ActivationChange FinishRoom::oldestNeeds(DeviceId device, Lane& lane) const
{
    const auto& hosted = m_chunks[device.index()];
    ActivationChange sum;
    for (bool found = false; !found && lane.oldest < m_spec.totalMicroBatches();) {
        for (const HostedStage& one : hosted) {
            if (one.route != m_spec.route(lane.oldest))
                continue;
            for (int q = 0; q < m_spec.segments(); ++q)
                found = addNeeds(one, lane.oldest, q, sum) || found;
        }
        lane.oldest += found ? 0 : 1;
    }
    return sum;
}

/// @return whether a pass of the cell has not begun
bool FinishRoom::addNeeds(const HostedStage& hosted, int microBatch, int segment,
                          ActivationChange& sum) const
{
    bool open = false;
    for (const PassKind kind : {PassKind::F, PassKind::R, PassKind::B, PassKind::W}) {
        const PassId id = m_wanted.table().id(
            {kind, static_cast<std::uint8_t>(hosted.route), hosted.stage, microBatch, segment});
        if (!m_wanted.has(id) || m_begun[static_cast<std::size_t>(id.value)])
            continue;
        open = true;
        if (const Pass pass = m_wanted.pass(id); adds(pass)) {
            const ActivationChange more = change(pass);
            sum.share += more.share;
            sum.bytes += more.bytes;
        }
    }
    return open;
}

bool FinishRoom::isShort() const
{
    return std::any_of(m_lanes.begin(), m_lanes.end(),
                       [](const Lane& lane) { return lane.isShort; });
}

Error FinishRoom::reason() const
{
    const auto last = std::find_if(m_lanes.rbegin(), m_lanes.rend(),
                                   [](const Lane& lane) { return lane.isShort; });
    const DeviceId device(static_cast<int>(m_lanes.rend() - last) - 1);
    const Sentence pass = describe(last->refused, m_spec);
    return {ErrorCode::MemoryLimit,
            last->inBytes ? said("device %1 cannot start %2: it holds %3 of activation, "
                                 "and the limit leaves %4",
                                 device, pass, byteText(last->bytes), byteText(last->cap))
                          : said("device %1 cannot start %2: it holds %3 micro-batches of "
                                 "activation, and the limit is %4",
                                 device, pass, plainNumber(microBatchesFromShare(last->share)),
                                 plainNumber(microBatchesFromShare(m_cap)))};
}

} // namespace pw
