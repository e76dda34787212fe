// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/chunk_placement.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

namespace pw {

namespace {

/// No pipeline has a number above this; a label with one says something else.
constexpr std::int64_t mostStages = maxPasses;

/// One pass in so many may begin too early: a matter of how times are taken.
constexpr std::int64_t toleratedEarly = 50;

/// Place of a pass in message order, for looking a neighbour up.
struct WaitKey
{
    std::int32_t iteration;
    StageId stage;
    std::int32_t microBatch, segment;
    bool forward;

    friend bool operator==(const WaitKey&, const WaitKey&) = default;
};

struct WaitKeyHash
{
    std::size_t operator()(const WaitKey& key) const
    {
        std::uint64_t hash = key.forward ? 1 : 2;
        for (const std::int32_t part :
             {key.iteration, key.stage.value, key.microBatch, key.segment})
            hash = (hash ^ static_cast<std::uint32_t>(part)) * 0x9E3779B97F4A7C15ULL;
        return static_cast<std::size_t>(hash ^ (hash >> 32U));
    }
};

enum class ChunkRound
{
    Looped,
    ZigZag
};

StageId stageOf(const FoundPass& one, int devices, ChunkRound round)
{
    const bool back = round == ChunkRound::ZigZag && one.label.chunk % 2 == 1;
    const std::int64_t place = static_cast<std::int64_t>(one.label.chunk) * devices +
                               (back ? devices - 1 - one.device : one.device);
    return place < mostStages ? StageId(place) : StageId::none();
}

/// A pass that waits for another one. Above 0, `early` is by how much it begins before the other
/// one has ended, by the clocks of their devices.
struct ChunkWait
{
    std::int32_t iteration = 0;
    DeviceId from;
    DeviceId to;
    Ticks early = 0;
};

/// The waits of passes that are laid so, iteration by iteration.
std::vector<ChunkWait> waitsOf(const std::vector<FoundPass>& found, int devices, ChunkRound round)
{
    std::unordered_map<WaitKey, const FoundPass*, WaitKeyHash> byCell;
    const auto keyOf = [&](const FoundPass& one, StageId stage) {
        return WaitKey{one.iteration, stage, one.label.microBatch, one.label.segment,
                       one.label.kind == PassKind::F};
    };
    for (const FoundPass& one : found)
        if (one.label.kind == PassKind::F || isBackward(one.label.kind))
            byCell.emplace(keyOf(one, stageOf(one, devices, round)), &one);
    std::vector<ChunkWait> waits;
    for (const FoundPass& one : found) {
        const bool forward = one.label.kind == PassKind::F;
        if (!forward && !isBackward(one.label.kind))
            continue;
        const auto before =
            byCell.find(keyOf(one, stageOf(one, devices, round) + (forward ? -1 : 1)));
        if (before != byCell.end())
            waits.push_back({one.iteration, before->second->device, one.device,
                             before->second->end - one.start});
    }
    std::stable_sort(waits.begin(), waits.end(), [](const ChunkWait& a, const ChunkWait& b) {
        return a.iteration < b.iteration;
    });
    return waits;
}

std::int64_t impossibleNow(const std::vector<ChunkWait>& waits)
{
    return std::count_if(waits.begin(), waits.end(),
                         [](const ChunkWait& one) { return one.early > 0; });
}

/// Times to add to the clocks of the devices with which all but a few of the waits of an iteration
/// hold; nothing where they contradict each other around a circle of devices.
std::optional<std::vector<Ticks>> clocksFor(std::span<const ChunkWait> waits, int devices)
{
    std::map<std::pair<DeviceId, DeviceId>, std::vector<Ticks>> byLink;
    for (const ChunkWait& one : waits)
        if (one.from != one.to)
            byLink[{one.from, one.to}].push_back(one.early);
    struct Link
    {
        DeviceId from, to;
        Ticks least; ///< that the clock of `to` is ahead
    };
    std::vector<Link> links;
    for (auto& [ends, early] : byLink) {
        const auto place =
            early.begin() +
            static_cast<std::ptrdiff_t>(early.size() - 1 -
                                        early.size() / static_cast<std::size_t>(toleratedEarly));
        std::nth_element(early.begin(), place, early.end());
        links.push_back({ends.first, ends.second, *place});
    }
    std::vector<Ticks> clocks(static_cast<std::size_t>(devices), 0);
    for (int round = 0; round <= devices; ++round) {
        bool changed = false;
        for (const Link& link : links) {
            Ticks& to = clocks[link.to.index()];
            const Ticks wanted = clocks[link.from.index()] + link.least;
            changed = changed || to < wanted;
            to = std::max(to, wanted);
        }
        if (!changed)
            return clocks;
    }
    return std::nullopt;
}

/// Waits that are impossible whatever the clocks of each iteration are.
std::int64_t impossibleByAnyClocks(const std::vector<ChunkWait>& waits, int devices)
{
    std::int64_t wrong = 0;
    for (auto begin = waits.begin(); begin != waits.end();) {
        const auto end = std::find_if(begin, waits.end(), [begin](const ChunkWait& one) {
            return one.iteration != begin->iteration;
        });
        const std::span<const ChunkWait> step(begin, end);
        const std::optional<std::vector<Ticks>> clocks = clocksFor(step, devices);
        for (const ChunkWait& one : step) {
            const Ticks ahead =
                clocks ? (*clocks)[one.to.index()] - (*clocks)[one.from.index()] : 0;
            wrong += one.early > ahead ? 1 : 0;
        }
        begin = end;
    }
    return wrong;
}

bool nearlyNone(std::int64_t wrong, const std::vector<ChunkWait>& waits)
{
    return wrong * toleratedEarly <= static_cast<std::int64_t>(waits.size());
}

std::string partOfWaits(std::int64_t wrong, const std::vector<ChunkWait>& waits)
{
    return std::to_string(wrong) + " of " + std::to_string(waits.size());
}

void layRound(std::vector<FoundPass>& found, int devices, ChunkRound round)
{
    for (FoundPass& one : found)
        one.label.stage = stageOf(one, devices, round);
}

std::string roundWords(ChunkRound round)
{
    return round == ChunkRound::Looped ? "round and round" : "in a zig-zag";
}

} // namespace

void stagesFromChunks(std::vector<FoundPass>& found, RecoveredPipeline& pipeline)
{
    const auto devices = static_cast<int>(pipeline.rankOfDevice.size());
    const bool single = std::all_of(found.begin(), found.end(),
                                    [](const FoundPass& one) { return one.label.chunk == 0; });
    if (single || devices == 1) {
        layRound(found, devices, ChunkRound::Looped);
        return;
    }
    const std::vector<ChunkWait> looped = waitsOf(found, devices, ChunkRound::Looped);
    const std::vector<ChunkWait> zigzag = waitsOf(found, devices, ChunkRound::ZigZag);
    const std::int64_t loopedWrong = impossibleNow(looped), zigzagWrong = impossibleNow(zigzag);
    const ChunkRound better = loopedWrong <= zigzagWrong ? ChunkRound::Looped : ChunkRound::ZigZag;
    const bool loop = better == ChunkRound::Looped;
    if (loopedWrong != zigzagWrong &&
        nearlyNone(loop ? loopedWrong : zigzagWrong, loop ? looped : zigzag)) {
        layRound(found, devices, better);
        pipeline.notes.push_back(
            "stages follow from chunk and rank, laid " + roundWords(better) + ": so " +
            (loop ? partOfWaits(loopedWrong, looped) : partOfWaits(zigzagWrong, zigzag)) +
            " passes begin before what they wait for has ended, the other way " +
            std::to_string(loop ? zigzagWrong : loopedWrong));
        return;
    }
    // Clocks of ranks that differ make passes begin too early in any placement.
    const bool loopHolds = nearlyNone(impossibleByAnyClocks(looped, devices), looped);
    const bool zigzagHolds = nearlyNone(impossibleByAnyClocks(zigzag, devices), zigzag);
    if (loopHolds == zigzagHolds) {
        pipeline.unknown.push_back("placement: labels say chunk and rank; laid round and round " +
                                   partOfWaits(loopedWrong, looped) +
                                   " passes begin too early, laid in a zig-zag " +
                                   partOfWaits(zigzagWrong, zigzag));
        found.clear();
        return;
    }
    layRound(found, devices, loopHolds ? ChunkRound::Looped : ChunkRound::ZigZag);
    pipeline.notes.push_back("stages follow from chunk and rank, laid " +
                             roundWords(loopHolds ? ChunkRound::Looped : ChunkRound::ZigZag) +
                             ": only so are there clocks of the ranks with which no pass begins "
                             "before what it waits for has ended");
}

} // namespace pw
