// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/models/whole_peak.h"

#include "ui/core_words.h"
#include "ui/text.h"

#include <QStringList>

#include <algorithm>

namespace pw::ui {

WholePeak wholePeak(const Schedule& schedule, const Costs& costs, const SimResult& simulated)
{
    const auto [device, point] = peakMemory(schedule, costs, simulated);
    WholePeak peak;
    if (point.total() == 0)
        return peak;
    peak.device = device;
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
