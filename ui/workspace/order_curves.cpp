// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/workspace/order_curves.h"

#include "core/sim/metrics.h"

#include <algorithm>

namespace pw::ui {

StepSeries seriesOf(const std::vector<CountPoint>& points)
{
    StepSeries series;
    for (const CountPoint& point : points) {
        series.times.push_back(point.time);
        series.values.push_back(point.count);
    }
    return series;
}

QString deviceText(DeviceId device)
{
    return ChartWords::tr("device %1").arg(device);
}

std::vector<BubbleRow> bubbleRows(const SimResult& result)
{
    std::vector<BubbleRow> rows;
    for (const DeviceId device : Ids<DeviceId>(static_cast<int>(result.devices.size())))
        rows.push_back({deviceText(device), wallBubble(result, device).rate(),
                        spanBubble(result, device).rate()});
    return rows;
}

std::vector<BubbleRow> bubbleRows(const DraftTimes& times)
{
    return times.ring.empty() ? bubbleRows(times.times) : std::vector<BubbleRow>();
}

std::vector<BubbleRow> bubblesSoFar(const std::vector<BubbleRow>& whole, const Lanes& lanes,
                                    Ticks now)
{
    if (whole.size() != lanes.lanes().size() || now >= lanes.end())
        return {};
    std::vector<BubbleRow> rows = whole;
    for (std::size_t device = 0; device < rows.size(); ++device) {
        const Lane& lane = lanes.lanes()[device];
        const bool any = lane.size() > 0;
        const Ticks first = any ? lane.start.front() : lanes.end();
        const Ticks last = any ? lane.end.back() : lanes.end();
        Ticks busy = 0, allBusy = 0;
        for (std::size_t i = 0; i < lane.size(); ++i) {
            allBusy += lane.end[i] - lane.start[i];
            busy += std::max<Ticks>(0, std::min(lane.end[i], now) - lane.start[i]);
        }
        const auto part = [](double rate, Ticks idle, Ticks all) {
            return all > 0 ? rate * static_cast<double>(std::clamp<Ticks>(idle, 0, all)) /
                                 static_cast<double>(all)
                           : 0.0;
        };
        rows[device].wall = part(rows[device].wall, now - lanes.begin() - busy,
                                 lanes.end() - lanes.begin() - allBusy);
        rows[device].span =
            part(rows[device].span, std::min(now, last) - first - busy, last - first - allBusy);
    }
    return rows;
}

DeviceId fullestDevice(const SimResult& result)
{
    const auto most = std::max_element(result.devices.begin(), result.devices.end(),
                                       [](const DeviceResult& a, const DeviceResult& b) {
                                           return std::pair(a.peakActivation, a.peakShare) <
                                                  std::pair(b.peakActivation, b.peakShare);
                                       });
    return most == result.devices.end() ? DeviceId(0) : DeviceId(most - result.devices.begin());
}

} // namespace pw::ui
