// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/metrics.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace pw {

double Bubble::rate() const
{
    return within > 0 ? static_cast<double>(idle) / static_cast<double>(within) : 0;
}

DeviceId longestSpanDevice(const SimResult& result)
{
    const auto longest = std::max_element(
        result.devices.begin(), result.devices.end(),
        [](const DeviceResult& a, const DeviceResult& b) { return a.span() < b.span(); });
    return DeviceId(longest - result.devices.begin());
}

Bubble spanBubble(const SimResult& result, DeviceId device)
{
    const DeviceResult& own = result.devices[static_cast<std::size_t>(device)];
    return {device, own.span() - own.busy, own.span()};
}

Bubble wallBubble(const SimResult& result, DeviceId device)
{
    const DeviceResult& own = result.devices[static_cast<std::size_t>(device)];
    return {device, result.makespan - own.busy, result.makespan};
}

Bubble spanBubble(const SimResult& result)
{
    return spanBubble(result, longestSpanDevice(result));
}

Bubble wallBubble(const SimResult& result)
{
    return wallBubble(result, longestSpanDevice(result));
}

std::size_t medianPlace(std::span<const Ticks> makespans)
{
    std::vector<std::size_t> byTime(makespans.size());
    std::iota(byTime.begin(), byTime.end(), std::size_t{0});
    std::stable_sort(byTime.begin(), byTime.end(), [makespans](std::size_t a, std::size_t b) {
        return makespans[a] < makespans[b];
    });
    return byTime[byTime.size() / 2];
}

double peakMicroBatches(const SimResult& result)
{
    Share peak = 0;
    for (const DeviceResult& device : result.devices)
        peak = std::max(peak, device.peakShare);
    return microBatchesFromShare(peak);
}

Bytes peakActivation(const SimResult& result)
{
    Bytes peak = 0;
    for (const DeviceResult& device : result.devices)
        peak = std::max(peak, device.peakActivation);
    return peak;
}

} // namespace pw
