// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/run_marks.h"

#include <algorithm>
#include <limits>

namespace pw {

void RunMark::copy(const Schedule& schedule, const SimResult& kept, SimResult& result) const
{
    result.start.resize(kept.start.size());
    result.end.resize(kept.end.size());
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        const std::int32_t first = schedule.begin(device), next = devices[device.index()].next;
        std::copy(kept.start.begin() + first, kept.start.begin() + next,
                  result.start.begin() + first);
        std::copy(kept.end.begin() + first, kept.end.begin() + next, result.end.begin() + first);
    }
}

std::optional<Ticks> RunMark::shift(const Schedule& schedule, const std::vector<LaneProgress>& now,
                                    const std::vector<Ticks>& finishNow) const
{
    std::optional<Ticks> shift;
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        const LaneProgress &was = devices[device.index()], &is = now[device.index()];
        if (is.next != was.next)
            return std::nullopt;
        if (was.next == schedule.end(device))
            continue;
        if (shift.value_or(is.free - was.free) != is.free - was.free)
            return std::nullopt;
        shift = is.free - was.free;
    }
    for (const std::int32_t place : open) {
        const auto at = static_cast<std::size_t>(place);
        if (finishNow[at] - finish[at] != shift.value_or(0))
            return std::nullopt;
    }
    return shift;
}

void RunMark::copyRest(const Schedule& schedule, const SimResult& kept, Ticks shift,
                       std::vector<LaneProgress>& now, SimResult& result) const
{
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        LaneProgress& is = now[device.index()];
        const EntryId last = schedule.end(device);
        for (auto at = static_cast<std::size_t>(is.next); at < last.index(); ++at) {
            result.start[at] = kept.start[at] + shift;
            result.end[at] = kept.end[at] + shift;
        }
        is.next = last;
        is.busy = kept.devices[device.index()].busy;
        is.peakShare = std::max(is.peakShare, later[device.index()].share);
        is.peakBytes = std::max(is.peakBytes, later[device.index()].bytes);
    }
}

std::vector<Ticks> RunMarks::times(const SimResult& kept, std::size_t places)
{
    constexpr std::size_t most = 16, mostBytes = std::size_t{64} << 20;
    const std::size_t count =
        std::clamp<std::size_t>(mostBytes / (places * sizeof(Ticks)), 1, most);
    std::vector<Ticks> times;
    for (std::size_t i = 1; i <= count; ++i)
        times.push_back(kept.makespan / static_cast<Ticks>(count + 1) * static_cast<Ticks>(i));
    return times;
}

void RunMarks::begin(std::size_t places)
{
    m_marks.clear();
    m_markBehind.assign(places, std::numeric_limits<std::uint8_t>::max());
    m_before.clear();
}

void RunMarks::awaited(std::int32_t place)
{
    for (std::size_t at = m_markBehind[static_cast<std::size_t>(place)]; at < m_marks.size(); ++at)
        m_marks[at].open.push_back(place);
}

void RunMarks::beginPeaks(std::vector<LaneProgress>& devices)
{
    m_before.resize(devices.size());
    for (std::size_t i = 0; i < devices.size(); ++i) {
        m_before[i] = {devices[i].peakShare, devices[i].peakBytes};
        devices[i].peakShare = devices[i].share;
        devices[i].peakBytes = devices[i].bytes;
    }
}

void RunMarks::endPeaks(std::vector<LaneProgress>& devices)
{
    for (RunMark& mark : m_marks) {
        mark.later.resize(devices.size());
        for (std::size_t i = 0; i < devices.size(); ++i) {
            HeldPeaks& later = mark.later[i];
            later.share = std::max(later.share, devices[i].peakShare);
            later.bytes = std::max(later.bytes, devices[i].peakBytes);
        }
    }
    for (std::size_t i = 0; i < devices.size(); ++i) {
        devices[i].peakShare = std::max(devices[i].peakShare, m_before[i].share);
        devices[i].peakBytes = std::max(devices[i].peakBytes, m_before[i].bytes);
    }
}

std::span<const RunMark> RunMarks::behind(Ticks time) const
{
    const auto first =
        std::upper_bound(m_marks.begin(), m_marks.end(), time,
                         [](Ticks until, const RunMark& mark) { return until < mark.time; });
    return {first, m_marks.end()};
}

const RunMark* RunMarks::before(Ticks time) const
{
    const std::size_t count = m_marks.size() - behind(time).size();
    return count == 0 ? nullptr : &m_marks[count - 1];
}

void leaveOut(const Schedule& schedule, const std::vector<LaneProgress>& devices, SimResult& result)
{
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        const std::int32_t next = devices[device.index()].next, last = schedule.end(device);
        std::fill(result.start.begin() + next, result.start.begin() + last, Simulator::never);
        std::fill(result.end.begin() + next, result.end.begin() + last, Simulator::never);
    }
}

} // namespace pw
