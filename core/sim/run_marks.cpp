// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/run_marks.h"

#include <algorithm>
#include <iterator>

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

const RunMark* RunMarks::before(Ticks time) const
{
    const auto behind =
        std::upper_bound(m_marks.begin(), m_marks.end(), time,
                         [](Ticks until, const RunMark& mark) { return until < mark.time; });
    return behind == m_marks.begin() ? nullptr : &*std::prev(behind);
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
