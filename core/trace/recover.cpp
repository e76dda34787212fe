// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/recover.h"

#include "core/model/draft.h"
#include "core/sim/dependencies.h"
#include "core/trace/likely_costs.h"
#include "core/trace/match.h"
#include "core/trace/missing_passes.h"
#include "core/trace/recover_parts.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace pw {

namespace {

/// An iteration this much longer than the median, before any usual one, is warm-up.
constexpr double warmUpFactor = 1.3;

bool frees(PassKind kind)
{
    return kind == PassKind::W || kind == PassKind::BW;
}

Ticks medianMakespan(const std::vector<RecoveredIteration>& iterations)
{
    std::vector<Ticks> all;
    for (const RecoveredIteration& one : iterations)
        all.push_back(one.makespan());
    std::sort(all.begin(), all.end());
    return all.empty() ? 0 : all[(all.size() - 1) / 2];
}

void markWarmUp(RecoveredPipeline& pipeline)
{
    constexpr std::size_t enough = 3;
    if (pipeline.iterations.size() < enough)
        return;
    const auto usual = static_cast<double>(medianMakespan(pipeline.iterations)) * warmUpFactor;
    for (RecoveredIteration& one : pipeline.iterations) {
        if (static_cast<double>(one.makespan()) <= usual)
            return;
        one.warmUp = true;
    }
}

/// Of the iterations that count the one of the median makespan, of two the longer, as where a
/// stored run is opened; one with all passes, where any has them.
std::size_t shownOf(const std::vector<RecoveredIteration>& iterations)
{
    std::size_t most = 0;
    for (const RecoveredIteration& one : iterations)
        most = std::max(most, one.warmUp ? 0 : one.passes.size());
    std::vector<std::pair<Ticks, std::size_t>> byTime;
    for (std::size_t i = 0; i < iterations.size(); ++i)
        if (!iterations[i].warmUp && iterations[i].passes.size() == most)
            byTime.emplace_back(iterations[i].makespan(), i);
    std::sort(byTime.begin(), byTime.end());
    return byTime.empty() ? 0 : byTime[byTime.size() / 2].second;
}

RankFigures figuresOf(const RecoveredIteration& iteration, DeviceId device, TraceRankId rank)
{
    RankFigures figures;
    figures.rank = rank;
    struct Change
    {
        Ticks time;
        int by;
    };
    std::vector<Change> changes;
    Ticks covered = 0;
    for (const RecordedPass& record : iteration.passes) {
        if (deviceOf(record.rank) != device)
            continue;
        const bool first = figures.passes == 0;
        figures.firstStart = first ? record.start : std::min(figures.firstStart, record.start);
        figures.lastEnd = first ? record.end : std::max(figures.lastEnd, record.end);
        covered = first ? record.start : covered;
        figures.busy += std::max<Ticks>(0, record.end - std::max(covered, record.start));
        covered = std::max(covered, record.end);
        ++figures.passes;
        if (record.pass.kind == PassKind::F)
            changes.push_back({record.start, 1});
        else if (frees(record.pass.kind))
            changes.push_back({record.end, -1});
    }
    // What ends when another begins is free for it.
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return std::tuple(a.time, a.by) < std::tuple(b.time, b.by);
    });
    int live = 0;
    for (const Change& change : changes) {
        live += change.by;
        figures.peakLive = std::max(figures.peakLive, live);
    }
    const Ticks makespan = iteration.makespan();
    figures.idle =
        makespan > 0 ? 1 - static_cast<double>(figures.busy) / static_cast<double>(makespan) : 0;
    return figures;
}

/// Passes by kind, stage and segment; halves of a pair of F and BW count as one with the stage of
/// the F, pairs of F and B do not count.
std::vector<MeasuredPass> timesOf(const std::vector<RecoveredIteration>& iterations,
                                  const PairTimes& pairs)
{
    using Key = std::tuple<PassKind, bool, StageId, int>;
    std::map<Key, std::vector<Ticks>> times;
    for (const RecoveredIteration& one : iterations) {
        if (one.warmUp)
            continue;
        PairTimes withoutWeight;
        for (const RecordedPass& record : one.passes)
            if (record.pass.kind == PassKind::B)
                withoutWeight.emplace(deviceOf(record.rank), record.start, record.end);
        for (const RecordedPass& record : one.passes) {
            const std::tuple when(deviceOf(record.rank), record.start, record.end);
            const bool paired = pairs.count(when) > 0;
            if (paired && (record.pass.kind != PassKind::F || withoutWeight.count(when) > 0))
                continue;
            times[{record.pass.kind, paired, record.pass.stage, record.pass.segment}].push_back(
                record.end - record.start);
        }
    }
    std::vector<MeasuredPass> measured;
    for (auto& [key, list] : times) {
        const auto& [kind, paired, stage, segment] = key;
        measured.push_back({kind, paired, stage, segment, spreadOf(std::move(list))});
    }
    return measured;
}

/// Compares every pass with what it waits for.
void checkOrder(RecoveredPipeline& pipeline)
{
    const Schedule& schedule = *pipeline.schedule;
    const Dependencies rules(schedule);
    std::vector<Dependency> needs;
    pipeline.dependencies = pipeline.violated = 0;
    for (const EntryId i : schedule.entries()) {
        const Schedule::Places& entry = schedule.places()[static_cast<std::size_t>(i)];
        needs.clear();
        for (const PassId id : {entry.first, entry.second})
            if (id.valid())
                rules.append(id, needs);
        for (const Dependency& need : needs) {
            const auto producer = static_cast<std::size_t>(schedule.entryOf(need.producer));
            ++pipeline.dependencies;
            pipeline.violated += pipeline.measured.start[static_cast<std::size_t>(i)] <
                                         pipeline.measured.end[producer]
                                     ? 1
                                     : 0;
        }
    }
}

/// Gives records the entries of the schedule; complete iterations have each of them once.
void placeRecords(RecoveredPipeline& pipeline)
{
    const Schedule& schedule = *pipeline.schedule;
    for (RecoveredIteration& one : pipeline.iterations) {
        std::set<Pass> seen;
        for (RecordedPass& record : one.passes) {
            record.entry = EntryId::none();
            if (!belongs(schedule.spec(), record.pass, deviceOf(record.rank)))
                continue;
            const PassId id = schedule.table().id(record.pass);
            if (schedule.has(id) && schedule.kind(id) == record.pass.kind &&
                seen.insert(record.pass).second)
                record.entry = schedule.entryOf(id);
        }
        one.complete = static_cast<std::int64_t>(seen.size()) == schedule.passCount() &&
                       seen.size() == one.passes.size();
    }
}

/// Peaks of memory by device, where every device has one.
std::vector<Bytes> peaksOf(const Trace& trace, const RecoveredPipeline& pipeline)
{
    std::vector<Bytes> ofRank(trace.ranks.size(), -1), peaks;
    for (const TracePeak& peak : trace.peaks) {
        Bytes& most = ofRank[peak.rank.index()];
        most = std::max(most, peak.bytes);
    }
    for (const TraceRankId rank : pipeline.rankOfDevice) {
        peaks.push_back(ofRank[rank.index()]);
        if (peaks.back() < 0)
            return {};
    }
    return peaks;
}

} // namespace

void findFigures(RecoveredPipeline& pipeline)
{
    const RecoveredIteration& shown = pipeline.iterations[pipeline.shown];
    pipeline.ranks.clear();
    for (const DeviceId device : Ids<DeviceId>(pipeline.rankOfDevice.size()))
        pipeline.ranks.push_back(figuresOf(shown, device, pipeline.rankOfDevice[device.index()]));
    if (!pipeline.schedule)
        return;
    if (Result<SimResult> measured = measuredResult(*pipeline.schedule, shown.passes, {}))
        pipeline.measured = std::move(*measured);
    checkOrder(pipeline);
}

void findTimes(RecoveredPipeline& pipeline)
{
    PairTimes pairs;
    for (const RecoveredIteration& one : pipeline.iterations)
        for (const RecordedPass& record : one.passes)
            if (record.entry.valid() && pipeline.schedule->entry(record.entry).paired)
                pairs.emplace(deviceOf(record.rank), record.start, record.end);
    pipeline.times = timesOf(pipeline.iterations, pairs);
}

void findFamily(RecoveredPipeline& pipeline)
{
    pipeline.family = recognise(*pipeline.schedule, likelyCosts(pipeline));
    constexpr std::string_view nameless =
        "family: no family of Pipewright has this order, or nearly this one";
    std::vector<std::string>& unknown = pipeline.unknown;
    unknown.erase(std::remove(unknown.begin(), unknown.end(), nameless), unknown.end());
    if (pipeline.family.matches.empty())
        unknown.emplace_back(nameless);
}

namespace {

/// What follows from the passes of one pipeline.
/// @param known  a replica whose order may be the same, so that it is named once; may be null
void recoverFrom(const Trace& trace, FoundLabels labels, const RecoveredPipeline* known,
                 RecoveredPipeline& pipeline)
{
    std::vector<FoundPass>& found = labels.passes;
    if (found.empty())
        return;
    findStages(found, pipeline);
    if (found.empty())
        return;
    pipeline.peakBytes = peaksOf(trace, pipeline);
    const PairTimes pairs = splitIterations(found, pipeline);
    markWarmUp(pipeline);
    pipeline.shown = shownOf(pipeline.iterations);
    pipeline.times = timesOf(pipeline.iterations, pairs);
    findSchedule(pairs, labels.lastSender, pipeline);
    if (pipeline.schedule)
        placeRecords(pipeline);
    findFigures(pipeline);
    if (!pipeline.schedule) {
        if (const std::string missing = missingText(pipeline); !missing.empty())
            pipeline.unknown.push_back("passes: " + missing);
        pipeline.unknown.emplace_back("family: it is told by a complete order only");
        return;
    }
    if (pipeline.violated > 0)
        pipeline.notes.push_back(std::to_string(pipeline.violated) + " of " +
                                 std::to_string(pipeline.dependencies) +
                                 " dependencies begin before what they wait for has ended, by the "
                                 "recorded clocks");
    if (known != nullptr && known->schedule && known->family.exact() &&
        *known->schedule == *pipeline.schedule)
        pipeline.family = known->family;
    else
        findFamily(pipeline);
}

/// @param most  replicas to recover
std::vector<RecoveredPipeline> recoverSome(const Trace& trace, std::size_t most)
{
    RecoveredPipeline whole;
    whole.notes = trace.notes;
    FoundLabels labels = findPasses(trace, whole);
    const std::vector<std::vector<DeviceId>> replicas = replicasOf(trace, labels, whole);
    whole.replicas = static_cast<int>(replicas.size());
    std::vector<RecoveredPipeline> pipelines(std::min(replicas.size(), most), whole);
    for (std::size_t i = 0; i < pipelines.size(); ++i) {
        RecoveredPipeline& pipeline = pipelines[i];
        pipeline.replica = static_cast<int>(i);
        const bool part = replicas[i].size() < pipeline.rankOfDevice.size();
        recoverFrom(trace, part ? passesOf(labels, replicas[i], pipeline) : std::move(labels),
                    i > 0 ? &pipelines.front() : nullptr, pipeline);
    }
    return pipelines;
}

} // namespace

RecoveredPipeline recover(const Trace& trace)
{
    return std::move(recoverSome(trace, 1).front());
}

std::vector<RecoveredPipeline> recoverReplicas(const Trace& trace)
{
    return recoverSome(trace, trace.ranks.size() + 1);
}

std::string whyNoOrder(const RecoveredPipeline& pipeline)
{
    if (pipeline.schedule)
        return {};
    // What was found out last stopped the rest.
    for (auto one = pipeline.unknown.rbegin(); one != pipeline.unknown.rend(); ++one)
        for (const std::string_view about : {"order: ", "placement: ", "pipeline: "})
            if (one->compare(0, about.size(), about) == 0)
                return one->substr(about.size());
    return "the passes have too few labels; " + std::string(labelsLine);
}

std::array<std::int64_t, trustCount> trustCounts(const RecoveredPipeline& pipeline)
{
    std::array<std::int64_t, trustCount> counts{};
    for (const RecoveredIteration& one : pipeline.iterations)
        for (const Trust trust : one.trust)
            ++counts[static_cast<std::size_t>(trust)];
    return counts;
}

Costs medianCosts(const RecoveredPipeline& pipeline)
{
    const PipelineSpec& spec = pipeline.schedule->spec();
    UniformCosts none;
    none.forward = none.backward = none.weight = 0;
    Costs costs = expand(none, spec);
    const auto table = [&costs](std::vector<Ticks>& times) -> std::vector<Ticks>& {
        if (times.empty())
            times.assign(costs.forward.size(), 0);
        return times;
    };
    for (const MeasuredPass& pass : pipeline.times) {
        if (pass.stage >= spec.stages() || pass.segment >= spec.segments())
            continue;
        const std::size_t cell = cellIndex(spec, pass.stage, pass.segment);
        const Ticks time = std::min(pass.time.median, longestPass);
        switch (pass.kind) {
        case PassKind::F:
            (pass.paired ? table(costs.pair) : costs.forward)[cell] = time;
            break;
        case PassKind::B:
            costs.backward[cell] = time;
            break;
        case PassKind::W:
            costs.weight[cell] = time;
            break;
        case PassKind::BW:
            costs.backward[cell] = time / 2;
            costs.weight[cell] = time - time / 2;
            break;
        case PassKind::R:
            table(costs.recompute)[cell] = time;
            break;
        case PassKind::U:
            if (costs.update.empty())
                costs.update.assign(static_cast<std::size_t>(spec.stages()), 0);
            costs.update[static_cast<std::size_t>(pass.stage)] = time;
            break;
        }
    }
    // A kind that was timed on some stages only stays unknown on the others, pairs too.
    for (std::size_t cell = 0; cell < costs.pair.size(); ++cell)
        if (costs.pair[cell] == 0)
            costs.pair[cell] = costs.forward[cell] + costs.backward[cell] + costs.weight[cell];
    return costs;
}

Costs measuredCosts(const RecoveredPipeline& pipeline, Ticks hop)
{
    const Schedule& schedule = *pipeline.schedule;
    Costs costs = medianCosts(pipeline);
    costs.link.latency = hop;
    for (const EntryId i : schedule.entries()) {
        const OrderEntry entry = schedule.entry(i);
        const auto at = static_cast<std::size_t>(i);
        const Ticks time =
            std::min(pipeline.measured.end[at] - pipeline.measured.start[at], longestPass);
        costs.single.push_back({entry.pass, time});
        if (entry.paired) // with single times a pair takes their sum
            costs.single.push_back({entry.partner, 0});
    }
    std::sort(costs.single.begin(), costs.single.end(),
              [](const PassTime& a, const PassTime& b) { return a.pass < b.pass; });
    return costs;
}

} // namespace pw
