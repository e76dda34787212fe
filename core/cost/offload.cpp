// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/offload.h"

#include "core/base/text.h"
#include "core/cost/stage_parts.h"
#include "core/cost/whole.h"
#include "core/sim/memory.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace pw::plan {

namespace {

/// A micro-batch's activations of a stage between F and B, on one device.
struct CopyItem
{
    Ticks forwardEnd = 0;
    Ticks backwardStart = 0;
    Ticks way = 0; ///< of the copy in one direction
    Bytes bytes = 0;
    Ticks back = 0; ///< when the way back begins
    bool stays = false;
};

Ticks copyTicks(double bytes, double rate)
{
    return static_cast<Ticks>(
        std::ceil(std::min(bytes / rate * static_cast<double>(ticksPerSecond), planMost)));
}

/// The stages of a device, one that two routes share counted for either.
std::vector<std::size_t> stagesOfDevice(const PipelineSpec& spec, DeviceId device)
{
    std::vector<std::size_t> stages;
    for (int route = 0; route < spec.routeCount(); ++route) {
        for (const StageId stage : Ids<StageId>(spec.stages())) {
            if (spec.device(route, stage) == device)
                stages.push_back(static_cast<std::size_t>(stage));
        }
    }
    return stages;
}

bool hosts(const PipelineSpec& spec, DeviceId device, StageId stage)
{
    for (int route = 0; route < spec.routeCount(); ++route) {
        if (spec.device(route, stage) == device)
            return true;
    }
    return false;
}

/// Cells of a schedule in turn: stage, segment, F and B.
/// @param wanted  whether a stage's cells are visited
template<typename Wanted, typename Visit>
void visitCells(const Schedule& schedule, const SimResult& result, const Wanted& wanted,
                const Visit& visit)
{
    const PipelineSpec& spec = schedule.spec();
    const PassTable& table = schedule.table();
    const int segments = static_cast<int>(spec.segmentLengths.size());
    for (const StageId stage : Ids<StageId>(spec.stages())) {
        if (!wanted(stage))
            continue;
        for (int batch = 0; batch < spec.totalMicroBatches(); ++batch) {
            for (int segment = 0; segment < segments; ++segment) {
                const std::int32_t cell = table.cell(stage, batch, segment);
                const PassId forward = table.at(cell, PassTable::forwardSlot);
                const PassId backward = table.at(cell, PassTable::backwardSlot);
                if (!schedule.has(forward) || !schedule.has(backward))
                    continue;
                const auto f = static_cast<std::size_t>(schedule.entryOf(forward));
                const auto b = static_cast<std::size_t>(schedule.entryOf(backward));
                visit(stage, segment, schedule.device(forward), result.end[f], result.start[b]);
            }
        }
    }
}

/// Ways back from the last to the first, each as late as its B and the one after it allow.
void placeReloads(std::vector<CopyItem>& items)
{
    std::sort(items.begin(), items.end(), [](const CopyItem& a, const CopyItem& b) {
        return a.backwardStart > b.backwardStart;
    });
    Ticks next = std::numeric_limits<Ticks>::max();
    for (CopyItem& item : items) {
        const Ticks start = std::min(item.backwardStart, next) - item.way;
        item.stays = start < item.forwardEnd + item.way;
        if (item.stays)
            continue;
        item.back = start;
        next = start;
    }
    std::erase_if(items, [](const CopyItem& item) { return item.stays; });
}

/// Ways to the host, first come first served, in what the ways back leave of the link: activations
/// are many tensors, so that a way is interrupted where a way back begins.
///
/// @return  end of the way there, by item; those that would not be back in time are marked
std::vector<Ticks> placeOffloads(std::vector<CopyItem>& items)
{
    std::vector<std::pair<Ticks, Ticks>> taken;
    for (const CopyItem& item : items)
        taken.emplace_back(item.back, item.back + item.way);
    std::sort(taken.begin(), taken.end());
    std::sort(items.begin(), items.end(),
              [](const CopyItem& a, const CopyItem& b) { return a.forwardEnd < b.forwardEnd; });
    std::vector<Ticks> ends(items.size(), 0);
    Ticks cursor = 0;
    std::size_t slot = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        Ticks time = std::max(cursor, items[i].forwardEnd);
        std::size_t at = slot;
        for (Ticks left = items[i].way;;) {
            while (at < taken.size() && taken[at].second <= time)
                ++at;
            if (at < taken.size() && taken[at].first <= time) {
                time = taken[at].second;
                continue;
            }
            const Ticks room =
                at < taken.size() ? taken[at].first - time : std::numeric_limits<Ticks>::max() / 2;
            if (room >= left) {
                time += left;
                break;
            }
            left -= room;
            time += room;
        }
        items[i].stays = time > items[i].back;
        if (items[i].stays)
            continue; // the link is free for the next
        ends[i] = cursor = time;
        slot = at;
    }
    return ends;
}

} // namespace

std::vector<double> hostRates(const Cluster& cluster, const Configuration& configuration)
{
    std::vector<double> rates;
    for (const DeviceId rank : Ids<DeviceId>(configuration.pipelineParallel))
        rates.push_back(hostRate(clusterOfRank(cluster, configuration, rank)));
    return rates;
}

std::vector<StageCopy> stageCopies(const LanguageModel& model, const Cluster& cluster,
                                   const Configuration& configuration, const Pieces& pieces,
                                   const PipelineSpec& spec)
{
    std::vector<StageCopy> copies;
    if (configuration.offload == OffloadPolicy::None)
        return copies;
    const int stages = spec.stages();
    const std::vector<int> first = firstLayers(configuration.split);
    const std::vector<double> rates = hostRates(cluster, configuration);
    std::map<std::pair<int, int>, std::size_t> seen; // stages by their layers
    for (const StageId s : Ids<StageId>(stages)) {
        const auto i = static_cast<std::size_t>(s);
        const bool isFirst = s == 0, isLast = s == stages - 1;
        const int layers = configuration.split[i];
        const int dense = std::clamp(model.experts.denseLayers - first[i], 0, layers);
        StageCopy copy;
        // Stages between the ends that have as many layers of either kind are alike.
        if (const auto twin = isFirst || isLast ? seen.end() : seen.find({layers, dense});
            twin != seen.end()) {
            copy = copies[twin->second];
            copy.share =
                i < configuration.offloadShares.size() ? configuration.offloadShares[i] : 0;
            copies.push_back(copy);
            continue;
        }
        double rate = rates[static_cast<std::size_t>(spec.device(0, s))];
        for (int route = 1; route < spec.routeCount(); ++route)
            rate = std::min(rate, rates[static_cast<std::size_t>(spec.device(route, s))]);
        copy.whole =
            2 * stageBytes(model, configuration, first[i], layers, isFirst, isLast).activation /
            rate;
        copy.passes = stageTimeOn(model, cluster, configuration, pieces, spec, s, first[i], layers)
                          .total(traitsOf(configuration).splitsBackward);
        if (i < configuration.offloadShares.size())
            copy.share = configuration.offloadShares[i];
        if (cluster.groups.empty() && !isFirst && !isLast)
            seen.emplace(std::pair(layers, dense), i);
        copies.push_back(copy);
    }
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        const std::vector<std::size_t> own = stagesOfDevice(spec, device);
        double all = 0, hides = 0;
        for (const std::size_t i : own) {
            all += copies[i].share * copies[i].whole;
            hides += copies[i].passes;
        }
        if (all <= hides)
            continue;
        for (const std::size_t i : own) {
            StageCopy& copy = copies[i];
            copy.exposed = std::max(copy.exposed, copy.share * copy.whole / all * (all - hides));
        }
    }
    return copies;
}

Result<void> settleShares(Configuration& configuration, int stages)
{
    std::vector<double>& shares = configuration.offloadShares;
    if (configuration.offload != OffloadPolicy::Shares) {
        shares.clear();
        return {};
    }
    if (shares.size() == 1)
        shares.assign(static_cast<std::size_t>(stages), shares.front());
    if (shares.size() != static_cast<std::size_t>(stages))
        return fail(ErrorCode::BadValue,
                    "there are %1 shares to offload, the pipeline has %2 stages; one share for "
                    "all, or %3, would do",
                    shares.size(), stages, stages);
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (!(shares[i] >= 0 && shares[i] <= 1))
            return fail(ErrorCode::BadValue, "the share of stage %1 to offload is %2; 0 to 1", i,
                        plainNumber(shares[i]));
    }
    return {};
}

std::vector<double> offloadShares(const Configuration& configuration,
                                  const std::vector<StageCopy>& copies, const Schedule& schedule,
                                  const Costs& costs, const SimResult& result,
                                  const std::vector<double>& rates)
{
    const PipelineSpec& spec = schedule.spec();
    // How long micro-batches of a stage wait in the mean, and how many wait long enough.
    std::vector<double> waiting(copies.size(), 0), cells(copies.size(), 0), able(copies.size(), 0);
    const std::size_t segments = spec.segmentLengths.size();
    const auto all = [](StageId) { return true; };
    visitCells(
        schedule, result, all, [&](StageId stage, int segment, int at, Ticks from, Ticks to) {
            const auto i = static_cast<std::size_t>(stage);
            const auto bytes = static_cast<double>(
                costs.activation[i * segments + static_cast<std::size_t>(segment)].activation);
            waiting[i] += static_cast<double>(to - from);
            cells[i] += 1;
            able[i] +=
                to - from >= 2 * copyTicks(bytes, rates[static_cast<std::size_t>(at)]) ? 1 : 0;
        });
    const bool some = configuration.offload == OffloadPolicy::Activations;
    std::vector<double> shares(copies.size(), 1);
    for (std::size_t i = 0; i < shares.size(); ++i) {
        constexpr double mostOfThem = 0.5;
        if (cells[i] == 0 || able[i] < mostOfThem * cells[i])
            shares[i] = 0;
    }
    if (!some)
        return shares;
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        std::vector<std::size_t> own = stagesOfDevice(spec, device);
        double hides = 0;
        for (const std::size_t i : own)
            hides += copies[i].passes;
        std::stable_sort(own.begin(), own.end(), [&](std::size_t a, std::size_t b) {
            return waiting[a] * cells[b] > waiting[b] * cells[a];
        });
        for (const std::size_t i : own) {
            const double layers = std::max(configuration.split[i], 1);
            const double part = copies[i].whole > 0 ? hides / copies[i].whole : 1;
            const double whole = std::floor(std::min(part, 1.0) * layers) / layers;
            shares[i] = std::min(shares[i], whole);
            hides = std::max(hides - shares[i] * copies[i].whole, 0.0);
        }
    }
    return shares;
}

OffloadedPeak offloadedPeak(const Schedule& schedule, const Costs& costs, const SimResult& result,
                            DeviceId device, const std::vector<double>& shares, double rate)
{
    const std::size_t segments = schedule.spec().segmentLengths.size();
    std::vector<CopyItem> items;
    const auto copied = [&](StageId stage) {
        return shares[stage.index()] > 0 && hosts(schedule.spec(), device, stage);
    };
    visitCells(
        schedule, result, copied, [&](StageId stage, int segment, int at, Ticks from, Ticks to) {
            const auto i = static_cast<std::size_t>(stage);
            if (at != device)
                return;
            const double bytes =
                shares[i] *
                static_cast<double>(
                    costs.activation[i * segments + static_cast<std::size_t>(segment)].activation);
            items.push_back(
                {from, to, copyTicks(bytes, rate), static_cast<Bytes>(bytes), 0, false});
        });
    placeReloads(items);
    const std::vector<Ticks> ends = placeOffloads(items);
    std::vector<std::pair<Ticks, Bytes>> changes, onHost;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].stays)
            continue;
        changes.emplace_back(ends[i], -items[i].bytes);
        changes.emplace_back(items[i].back, items[i].bytes);
        onHost.emplace_back(ends[i], items[i].bytes);
        onHost.emplace_back(items[i].backwardStart, -items[i].bytes);
    }
    Bytes before = 0;
    for (const MemoryPoint& point : memoryCurve(schedule, costs, result, device)) {
        const Bytes now = point.bytes[static_cast<std::size_t>(MemoryKind::Activations)] +
                          point.bytes[static_cast<std::size_t>(MemoryKind::HeldForWeight)];
        changes.emplace_back(point.time, now - before);
        before = now;
    }
    const auto peakOf = [](std::vector<std::pair<Ticks, Bytes>>& all) {
        std::sort(all.begin(), all.end());
        Bytes level = 0, peak = 0;
        for (const auto& [time, bytes] : all) {
            level += bytes;
            peak = std::max(peak, level);
        }
        return peak;
    };
    return {peakOf(changes), peakOf(onHost)};
}

OffloadTimes offloadTimes(const std::vector<StageCopy>& copies, const PipelineSpec& spec,
                          DeviceId device, int microBatches)
{
    OffloadTimes times;
    if (copies.empty())
        return times;
    double passes = 0;
    for (const std::size_t i : stagesOfDevice(spec, device)) {
        times.copies += copies[i].share * copies[i].whole;
        times.exposed += copies[i].exposed;
        passes += copies[i].passes;
    }
    times.ratio = passes > 0 ? times.copies / passes : 0;
    const double rounds = static_cast<double>(microBatches) / spec.routeCount();
    times.copies *= rounds;
    times.exposed *= rounds;
    return times;
}

} // namespace pw::plan
