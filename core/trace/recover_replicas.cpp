// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/group_ranks.h"
#include "core/trace/recover_parts.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

namespace pw {

namespace {

using Devices = std::vector<DeviceId>;

/// What a device runs in every iteration, and when it is there.
struct Work
{
    using Place = std::tuple<bool, StageId, std::int32_t, std::int32_t>;

    std::set<Place> places; ///< forward, stage, micro-batch, segment
    Ticks first = 0;
    Ticks last = 0;
};

std::vector<Work> workOf(const std::vector<FoundPass>& found, std::size_t devices)
{
    std::vector<Work> works(devices);
    for (const FoundPass& one : found) {
        if (one.label.kind != PassKind::F && !isBackward(one.label.kind))
            continue;
        Work& work = works[one.device.index()];
        const bool first = work.places.empty();
        work.places.emplace(one.label.kind == PassKind::F, one.label.stage, one.label.microBatch,
                            one.label.segment);
        work.first = first ? one.start : std::min(work.first, one.start);
        work.last = first ? one.end : std::max(work.last, one.end);
    }
    return works;
}

/// Whether two devices do the same, most of it, for most of the time of the shorter one.
bool alike(const Work& a, const Work& b)
{
    const Work& fewer = a.places.size() <= b.places.size() ? a : b;
    const Work& more = &fewer == &a ? b : a;
    const Ticks together = std::min(a.last, b.last) - std::max(a.first, b.first);
    const Ticks shorter = std::min(a.last - a.first, b.last - b.first);
    if (fewer.places.empty() || together * 2 <= shorter)
        return false;
    const auto same =
        std::count_if(fewer.places.begin(), fewer.places.end(),
                      [&](const Work::Place& place) { return more.places.count(place) > 0; });
    return same * 2 > static_cast<std::ptrdiff_t>(fewer.places.size());
}

/// Ranks that share the tensors of a layer with a lower one, as the process groups of the trace
/// tell it: they run the same passes, and one of them stands for the worker.
std::set<std::int32_t> shardsOf(const Trace& trace)
{
    std::set<std::int32_t> shards;
    for (const std::vector<std::int32_t>& ranks : tensorGroups(trace))
        shards.insert(std::next(ranks.begin()), ranks.end());
    return shards;
}

/// Devices that run the same stages beside each other, in the order of their ranks.
std::vector<Devices> classesOf(const std::vector<Work>& works)
{
    std::vector<Devices> classes;
    std::map<std::set<Work::Place>, std::size_t> known;
    for (const DeviceId device : Ids<DeviceId>(works.size())) {
        const Work& work = works[device.index()];
        std::size_t at = classes.size();
        if (const auto same = known.find(work.places);
            same != known.end() && alike(work, works[classes[same->second].front().index()]))
            at = same->second;
        else
            at = static_cast<std::size_t>(std::find_if(classes.begin(), classes.end(),
                                                       [&](const Devices& one) {
                                                           return alike(work,
                                                                        works[one.front().index()]);
                                                       }) -
                                          classes.begin());
        if (at == classes.size()) {
            classes.emplace_back();
            known.emplace(work.places, at);
        }
        classes[at].push_back(device);
    }
    return classes;
}

/// The stages that devices run.
std::set<StageId> stagesOf(const std::vector<Work>& works, const Devices& devices)
{
    std::set<StageId> stages;
    for (const DeviceId device : devices)
        for (const Work::Place& place : works[device.index()].places)
            stages.insert(std::get<StageId>(place));
    return stages;
}

/// Devices that no micro-batch connects, where each such part has all stages: replicas that number
/// the micro-batches of a step through. Empty where there is one part.
std::vector<Devices> unconnectedParts(const std::vector<Work>& works)
{
    std::vector<std::size_t> partOf(works.size());
    std::iota(partOf.begin(), partOf.end(), std::size_t{0});
    const auto rootOf = [&](std::size_t at) {
        while (partOf[at] != at)
            at = partOf[at] = partOf[partOf[at]];
        return at;
    };
    std::map<std::int32_t, std::size_t> firstWith; // by micro-batch
    for (std::size_t i = 0; i < works.size(); ++i)
        for (const Work::Place& place : works[i].places) {
            const auto [first, made] = firstWith.emplace(std::get<2>(place), i);
            if (!made)
                partOf[rootOf(i)] = rootOf(first->second);
        }
    std::map<std::size_t, Devices> byRoot;
    for (const DeviceId device : Ids<DeviceId>(works.size()))
        byRoot[rootOf(device.index())].push_back(device);
    std::vector<Devices> parts;
    for (auto& [root, devices] : byRoot)
        parts.push_back(std::move(devices));
    std::sort(parts.begin(), parts.end());
    const bool alike = std::all_of(parts.begin(), parts.end(), [&](const Devices& part) {
        return part.size() == parts.front().size() &&
               stagesOf(works, part) == stagesOf(works, parts.front());
    });
    return parts.size() > 1 && alike ? parts : std::vector<Devices>();
}

/// By what the files say of each rank.
std::vector<Devices> toldReplicas(const Trace& trace, const std::vector<TraceRankId>& rankOfDevice)
{
    std::map<std::int32_t, Devices> byNumber;
    for (const DeviceId device : Ids<DeviceId>(rankOfDevice.size())) {
        const TraceRank& rank = trace.ranks[rankOfDevice[device.index()].index()];
        if (rank.run == 0)
            byNumber[std::max(rank.replica, 0)].push_back(device);
    }
    std::vector<Devices> replicas;
    for (auto& [number, devices] : byNumber)
        replicas.push_back(std::move(devices));
    return replicas;
}

void leaveShardsOut(const Trace& trace, std::vector<Devices>& classes, RecoveredPipeline& whole)
{
    const std::set<std::int32_t> shards = shardsOf(trace);
    std::size_t before = 0, after = 0;
    for (Devices& one : classes) {
        const auto isShard = [&](DeviceId device) {
            const TraceRankId rank = whole.rankOfDevice[device.index()];
            return shards.count(trace.ranks[rank.index()].number) > 0;
        };
        before += one.size();
        // A class of nothing but shards lacks the rank that stands for them.
        if (std::any_of(one.begin(), one.end(), [&](DeviceId device) { return !isShard(device); }))
            one.erase(std::remove_if(one.begin(), one.end(), isShard), one.end());
        after += one.size();
    }
    if (after < before)
        whole.notes.push_back(std::to_string(before - after) +
                              " ranks share the tensors of another, by the process groups; the "
                              "first of each group stands for it");
}

/// The pipeline that each rank is of, as the process groups of the trace tell it; a group for each.
std::map<std::int32_t, std::size_t> pipelineOfRank(const Trace& trace)
{
    std::map<std::int32_t, std::size_t> found;
    for (std::size_t i = 0; i < trace.groups.size(); ++i) {
        const ProcessGroup& group = trace.groups[i];
        if (group.listed() && saysWord(group.description, "pp", "pipeline"))
            for (const std::int32_t rank : ranksOf(group))
                found.emplace(rank, i);
    }
    return found;
}

/// Those of one group, of the groups with the most stages: files of ranks may be missing, and the
/// others of their pipelines are left out. Empty where groups do not tell it of every device.
std::vector<Devices> groupedReplicas(const Trace& trace, const std::vector<Devices>& classes,
                                     RecoveredPipeline& whole)
{
    const std::map<std::int32_t, std::size_t> pipelines = pipelineOfRank(trace);
    std::map<std::size_t, Devices> byGroup;
    std::size_t devices = 0, most = 0;
    for (const Devices& one : classes) {
        std::set<std::size_t> seen;
        for (const DeviceId device : one) {
            const TraceRankId rank = whole.rankOfDevice[device.index()];
            const auto group = pipelines.find(trace.ranks[rank.index()].number);
            // A pipeline has one rank of each stage.
            if (group == pipelines.end() || !seen.insert(group->second).second)
                return {};
            Devices& mine = byGroup[group->second];
            mine.push_back(device);
            most = std::max(most, mine.size());
            ++devices;
        }
    }
    std::vector<Devices> replicas;
    for (auto& [group, one] : byGroup) {
        if (one.size() < most)
            continue;
        devices -= most;
        std::sort(one.begin(), one.end());
        replicas.push_back(std::move(one));
    }
    std::sort(replicas.begin(), replicas.end());
    if (devices > 0)
        whole.notes.push_back(std::to_string(devices) +
                              " ranks are of pipelines that lack a rank which others have, by the "
                              "process groups; they are left out");
    return replicas;
}

/// The n-th of each class. However ranks are laid out, pipeline ranks outermost, innermost or
/// between others: those of one pipeline have the same place among the ranks of their stage.
std::vector<Devices> countedReplicas(const std::vector<Devices>& classes, RecoveredPipeline& whole)
{
    std::size_t most = 0, least = classes.front().size();
    for (const Devices& one : classes) {
        most = std::max(most, one.size());
        least = std::min(least, one.size());
    }
    if (most < 2)
        return {};
    if (least < most) {
        whole.unknown.push_back("replicas: some stages run on " + std::to_string(most) +
                                " ranks at the same time and others on " + std::to_string(least) +
                                "; the first rank of each is taken for a pipeline");
        least = 1;
    }
    std::vector<Devices> replicas(least);
    for (const Devices& one : classes)
        for (std::size_t n = 0; n < least; ++n)
            replicas[n].push_back(one[n]);
    for (Devices& one : replicas)
        std::sort(one.begin(), one.end());
    return replicas;
}

/// Replicas may number the micro-batches of a step through, and the routes of their one order.
void numberAnew(std::vector<FoundPass>& passes)
{
    std::int32_t first = std::numeric_limits<std::int32_t>::max();
    std::int32_t firstRoute = first;
    std::set<std::int32_t> microBatches;
    for (const FoundPass& one : passes) {
        firstRoute = std::min(firstRoute, one.label.route);
        if (one.label.kind == PassKind::U)
            continue;
        first = std::min(first, one.label.microBatch);
        microBatches.insert(one.label.microBatch);
    }
    // Those of several steps of one order have those of other replicas between them.
    std::map<std::int32_t, std::int32_t> placeOf;
    for (const std::int32_t one : microBatches)
        placeOf.emplace(one, static_cast<std::int32_t>(placeOf.size()));
    for (FoundPass& one : passes) {
        if (one.label.kind != PassKind::U)
            one.label.microBatch =
                firstRoute > 0 ? placeOf.at(one.label.microBatch) : one.label.microBatch - first;
        one.label.route -= std::max(firstRoute, 0);
    }
}

} // namespace

std::vector<std::vector<DeviceId>> replicasOf(const Trace& trace, const FoundLabels& labels,
                                              RecoveredPipeline& whole)
{
    const std::vector<TraceRankId>& ranks = whole.rankOfDevice;
    const bool told = std::any_of(ranks.begin(), ranks.end(), [&](TraceRankId id) {
        const TraceRank& rank = trace.ranks[id.index()];
        return rank.replica >= 0 || rank.run > 0;
    });
    if (told)
        return toldReplicas(trace, ranks);
    const bool staged = std::all_of(labels.passes.begin(), labels.passes.end(),
                                    [](const FoundPass& one) { return one.label.stage.valid(); });
    std::vector<Devices> replicas;
    if (staged && ranks.size() > 1) {
        const std::vector<Work> works = workOf(labels.passes, ranks.size());
        if (std::vector<Devices> parts = unconnectedParts(works); !parts.empty())
            return parts;
        std::vector<Devices> classes = classesOf(works);
        leaveShardsOut(trace, classes, whole);
        replicas = groupedReplicas(trace, classes, whole);
        if (replicas.empty())
            replicas = countedReplicas(classes, whole);
        if (replicas.empty() && classes.size() < ranks.size()) {
            replicas.emplace_back();
            for (const Devices& one : classes)
                replicas.front().push_back(one.front());
            std::sort(replicas.front().begin(), replicas.front().end());
        }
    }
    if (replicas.empty()) {
        replicas.emplace_back();
        for (const DeviceId device : Ids<DeviceId>(ranks.size()))
            replicas.front().push_back(device);
    }
    return replicas;
}

FoundLabels passesOf(const FoundLabels& labels, const std::vector<DeviceId>& devices,
                     RecoveredPipeline& pipeline)
{
    std::vector<DeviceId> place(pipeline.rankOfDevice.size());
    std::vector<TraceRankId> ranks;
    for (const DeviceId device : devices) {
        place[device.index()] = DeviceId(ranks.size());
        ranks.push_back(pipeline.rankOfDevice[device.index()]);
    }
    pipeline.rankOfDevice = std::move(ranks);
    FoundLabels part;
    part.lastSender = labels.lastSender;
    for (const FoundPass& one : labels.passes)
        if (place[one.device.index()].valid()) {
            part.passes.push_back(one);
            part.passes.back().device = place[one.device.index()];
        }
    numberAnew(part.passes);
    return part;
}

} // namespace pw
