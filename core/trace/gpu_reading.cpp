// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/gpu_reading.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace pw {

namespace {

constexpr std::array<std::string_view, gpuSlowdownCount> slowdownNames = {
    "power-limit", "heat", "power-brake", "hardware", "setting", "idle"};

/// The readings of one GPU; null where there is none.
struct Pair
{
    const GpuReading* start = nullptr;
    const GpuReading* end = nullptr;

    const GpuReading& last() const { return end != nullptr ? *end : *start; }
    const GpuReading& first() const { return start != nullptr ? *start : *end; }
};

/// By number, then by rank: processes count their GPUs themselves.
using Pairs = std::map<std::pair<std::int32_t, RankId>, Pair>;

Pairs pairsOf(std::span<const GpuReading> readings)
{
    Pairs pairs;
    for (const GpuReading& reading : readings) {
        Pair& pair = pairs[{reading.gpu, reading.rank}];
        (reading.atEnd ? pair.end : pair.start) = &reading;
    }
    return pairs;
}

Sentence nameOf(const Pairs& pairs, const GpuReading& reading)
{
    const auto same = std::count_if(pairs.begin(), pairs.end(), [&](const auto& one) {
        return one.first.first == reading.gpu;
    });
    return same > 1 ? said("GPU %1 of rank %2", reading.gpu, reading.rank.value)
                    : said("GPU %1", reading.gpu);
}

void join(Sentence& all, const Sentence& more)
{
    all = all.empty() ? more : said("%1, %2", all, more);
}

Sentence slowdownSentence(GpuSlowdown one)
{
    switch (one) {
    case GpuSlowdown::PowerLimit:
        return said("its power limit");
    case GpuSlowdown::Heat:
        return said("heat");
    case GpuSlowdown::PowerBrake:
        return said("the machine's power supply");
    case GpuSlowdown::Hardware:
        return said("its board");
    case GpuSlowdown::Setting:
        return said("clocks that somebody has set");
    case GpuSlowdown::Idle:
        break;
    }
    return {};
}

Sentence throttlingOf(const Pair& pair)
{
    GpuSlowdowns all = 0;
    bool known = false;
    for (const GpuReading* one : {pair.start, pair.end}) {
        if (one != nullptr && one->slowdownsKnown) {
            known = true;
            all |= one->slowdowns;
        }
    }
    if (!known)
        return {};
    Sentence by;
    for (int i = 0; i < gpuSlowdownCount; ++i) {
        const auto one = static_cast<GpuSlowdown>(i);
        if ((all & bitOf(one)) != 0 && one != GpuSlowdown::Idle)
            join(by, slowdownSentence(one));
    }
    return by.empty() ? said("no throttling") : said("throttled by %1", by);
}

Sentence conditionOf(const Pair& pair)
{
    const GpuReading& last = pair.last();
    Sentence text;
    if (last.clock >= 0)
        join(text, said("%1 MHz", last.clock));
    if (last.memoryClock >= 0)
        join(text, said("memory %1 MHz", last.memoryClock));
    constexpr std::int32_t milliwatts = 1000;
    if (last.power >= 0)
        join(text, said("%1 W", (last.power + milliwatts / 2) / milliwatts));
    const std::int32_t before = pair.first().temperature;
    if (last.temperature >= 0 && before >= 0 && before != last.temperature)
        join(text, said("%1 to %2 °C", before, last.temperature));
    else if (last.temperature >= 0)
        join(text, said("%1 °C", last.temperature));
    if (const Sentence throttling = throttlingOf(pair); !throttling.empty())
        join(text, throttling);
    return text;
}

} // namespace

std::string slowdownWords(GpuSlowdowns all)
{
    std::string words;
    for (std::size_t i = 0; i < slowdownNames.size(); ++i) {
        if ((all & bitOf(static_cast<GpuSlowdown>(i))) != 0)
            words += (words.empty() ? "" : " ") + std::string(slowdownNames[i]);
    }
    return words;
}

std::optional<GpuSlowdowns> slowdownsOf(std::string_view words)
{
    GpuSlowdowns all = 0;
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        const auto found =
            std::find(slowdownNames.begin(), slowdownNames.end(), words.substr(0, end));
        if (found == slowdownNames.end())
            return std::nullopt;
        all |= bitOf(static_cast<GpuSlowdown>(found - slowdownNames.begin()));
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return all;
}

std::vector<Sentence> gpuConditions(std::span<const GpuReading> readings)
{
    const Pairs pairs = pairsOf(readings);
    std::vector<Sentence> lines;
    for (const auto& [key, pair] : pairs) {
        if (const Sentence text = conditionOf(pair); !text.empty())
            lines.push_back(said("%1: %2", nameOf(pairs, pair.last()), text));
    }
    return lines;
}

std::vector<Sentence> gpuMemories(std::span<const GpuReading> readings)
{
    const Pairs pairs = pairsOf(readings);
    std::vector<Sentence> lines;
    for (const auto& [key, pair] : pairs) {
        if (pair.end == nullptr)
            continue;
        const GpuMemory& memory = pair.end->memory;
        const Sentence name = nameOf(pairs, *pair.end);
        const Sentence rest = memory.rest() < 0 ? said("others have given back %1 meanwhile",
                                                       byteText(-memory.rest()))
                                                : said("other %1", byteText(memory.rest()));
        lines.push_back(said("%1 has %2 less of free memory than before, by the driver: %3 in use "
                             "by the ranks at most, %4 of blocks around that, contexts %5, "
                             "libraries' workspaces and graphs %6, connections %7, %8",
                             name, byteText(std::max<Bytes>(memory.taken, 0)),
                             byteText(memory.books), byteText(memory.fragments()),
                             byteText(memory.contexts), byteText(memory.workspaces),
                             byteText(memory.connections), rest));
    }
    return lines;
}

Bytes gpuMemoryExcess(const GpuReading& reading)
{
    const GpuMemory& memory = reading.memory;
    if (!reading.atEnd)
        return 0;
    return std::max({Bytes{0}, memory.rest() - memory.mostRest(),
                     memory.fragments() - memory.mostFragments(reading.ranks)});
}

std::optional<Sentence> gpuMemoryTrouble(const GpuReading& reading)
{
    const GpuMemory& memory = reading.memory;
    if (!reading.atEnd)
        return std::nullopt;
    if (memory.rest() > memory.mostRest())
        return said("GPU %1: %2 of the %3 that the driver says are taken nobody has accounted "
                    "for; up to %4 are usual: another process, or a library that took more while "
                    "it ran",
                    reading.gpu, byteText(memory.rest()), byteText(memory.taken),
                    byteText(memory.mostRest()));
    if (memory.fragments() > memory.mostFragments(reading.ranks))
        return said("GPU %1: the ranks have taken %2 and used %3 at most; up to %4 more than that "
                    "are usual: the memory is fragmented, or an earlier plan needed more",
                    reading.gpu, byteText(memory.reserved), byteText(memory.books),
                    byteText(memory.mostFragments(reading.ranks)));
    return std::nullopt;
}

} // namespace pw
