// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/models/whole_peak.h"

#include "ui/core_words.h"
#include "ui/text.h"

#include <QStringList>

#include <algorithm>

namespace pw::ui {

std::vector<Bytes> heldAtMost(const PipelineSpec& spec, const Costs& costs,
                              const SimResult& simulated)
{
    const auto chunks = chunksOfDevices(spec);
    std::vector<Bytes> most;
    for (std::size_t device = 0; device < simulated.devices.size(); ++device) {
        Bytes bytes = simulated.devices[device].peakActivation;
        for (const HostedStage& hosted : chunks[device])
            for (const auto* table : {&costs.weights, &costs.gradients, &costs.optimizer})
                bytes += table->empty() ? 0 : (*table)[static_cast<std::size_t>(hosted.stage)];
        most.push_back(bytes);
    }
    return most;
}

std::vector<Bytes> heldAtMost(const Schedule& schedule, const Costs& costs,
                              const SimResult& simulated)
{
    if (schedule.spec().updateRule == UpdateRule::Flush || costs.weights.empty())
        return heldAtMost(schedule.spec(), costs, simulated);
    std::vector<Bytes> most; // versions come and go
    for (const DeviceId device : Ids<DeviceId>(schedule.devices()))
        most.push_back(peakMemory(schedule, costs, simulated, device).total());
    return most;
}

WholePeak wholePeak(const Schedule& schedule, const Costs& costs, const SimResult& simulated)
{
    const std::vector<Bytes> most = heldAtMost(schedule, costs, simulated);
    const auto fullest = std::max_element(most.begin(), most.end());
    WholePeak peak;
    if (fullest == most.end() || *fullest == 0)
        return peak;
    peak.device = DeviceId(static_cast<int>(fullest - most.begin()));
    const MemoryPoint point = peakMemory(schedule, costs, simulated, peak.device);
    peak.total = point.total();
    for (int kind = 0; kind < memoryKindCount; ++kind)
        if (const Bytes bytes = point.bytes[static_cast<std::size_t>(kind)]; bytes > 0)
            peak.kinds.emplace_back(name(static_cast<MemoryKind>(kind)), bytes);
    return peak;
}

WholePeak wholePeak(std::span<const MemorySample> samples)
{
    const auto fullest = std::max_element(
        samples.begin(), samples.end(),
        [](const MemorySample& a, const MemorySample& b) { return a.total() < b.total(); });
    WholePeak peak;
    if (fullest == samples.end() || fullest->total() <= 0)
        return peak;
    peak.total = fullest->total();
    peak.device = deviceOf(fullest->rank);
    for (int use = 0; use < memoryUseCount; ++use)
        if (const Bytes bytes = fullest->of(static_cast<MemoryUse>(use)); bytes > 0)
            peak.kinds.emplace_back(name(static_cast<MemoryUse>(use)), bytes);
    return peak;
}

QString kindsText(const WholePeak& peak)
{
    const Unit unit = byteUnit(peak.total);
    QStringList kinds;
    for (const auto& [kind, bytes] : peak.kinds)
        kinds << QStringLiteral("%1 %2").arg(
            coreWords(kind), text(plainNumber(static_cast<double>(bytes) / unit.size)));
    return kinds.join(QStringLiteral(", ")) + QLatin1Char(' ') + text(unit.name);
}

QString bytesIn(const Unit& unit, Bytes bytes)
{
    return text(plainNumber(static_cast<double>(bytes) / unit.size)) + QLatin1Char(' ') +
           text(unit.name);
}

} // namespace pw::ui
