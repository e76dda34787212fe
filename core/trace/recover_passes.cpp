// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/routes.h"
#include "core/trace/chunk_placement.h"
#include "core/trace/recover_parts.h"

#include <algorithm>
#include <limits>
#include <map>

namespace pw {

namespace {

/// No pipeline has a number above this; a label with one says something else.
constexpr std::int32_t mostOfAnything = static_cast<std::int32_t>(maxPasses);

struct StepSpan
{
    Ticks start = 0;
    Ticks end = 0;
    std::int32_t iteration = 0;
};

/// What a rank has beside its passes.
struct RankParts
{
    // The surest times count alone: of kernels that belong to passes, or of the device, the host.
    bool contained = false;
    bool onDevice = false;
    bool passes = false;
    std::vector<StepSpan> steps;

    bool counts(Trust trust) const
    {
        return contained ? trust == Trust::Contained || trust == Trust::Guessed
                         : !onDevice || trust == Trust::Device;
    }
};

bool plausible(const SpanLabel& label)
{
    for (const std::int32_t number :
         {label.stage.value, label.chunk, label.microBatch, label.segment, label.route})
        if (number >= mostOfAnything)
            return false;
    return label.route < maxRoutes;
}

/// What is seen of the trace as a whole.
struct Overview
{
    std::vector<RankParts> ranks;
    bool anyWeight = false;
    bool anyMessage = false;
    StageId lastSender; // highest that sends an activation on
};

Overview overviewOf(const Trace& trace)
{
    Overview seen;
    seen.ranks.resize(trace.ranks.size());
    for (const TraceSpan& span : trace.spans) {
        const SpanLabel* label = trace.labelOf(span);
        if (label == nullptr)
            continue;
        RankParts& rank = seen.ranks[span.rank.index()];
        if (label->role == SpanRole::Pass) {
            rank.passes = true;
            rank.onDevice = rank.onDevice || span.trust == Trust::Device;
            rank.contained = rank.contained || span.trust == Trust::Contained;
            seen.anyWeight = seen.anyWeight || label->kind == PassKind::W;
        } else if (label->role == SpanRole::Step) {
            rank.steps.push_back({span.start, span.end, label->iteration});
        } else if (label->role == SpanRole::Send || label->role == SpanRole::Receive) {
            seen.anyMessage = true;
            if (label->role == SpanRole::Send && label->kind == PassKind::F &&
                label->stage < mostOfAnything)
                seen.lastSender = std::max(seen.lastSender, label->stage);
        }
    }
    for (RankParts& rank : seen.ranks)
        std::sort(rank.steps.begin(), rank.steps.end(),
                  [](const StepSpan& a, const StepSpan& b) { return a.start < b.start; });
    return seen;
}

std::int32_t stepAt(const std::vector<StepSpan>& steps, Ticks time)
{
    const auto after =
        std::upper_bound(steps.begin(), steps.end(), time,
                         [](Ticks moment, const StepSpan& step) { return moment < step.start; });
    if (after == steps.begin())
        return -1;
    const StepSpan& step = *std::prev(after);
    return time < step.end ? step.iteration : -1;
}

void drop(std::vector<FoundPass>& found, RecoveredPipeline& pipeline, const std::string& what,
          bool (*without)(const FoundPass&))
{
    const std::size_t before = found.size();
    found.erase(std::remove_if(found.begin(), found.end(), without), found.end());
    if (found.size() < before)
        pipeline.unknown.push_back(what + " of " + std::to_string(before - found.size()) +
                                   " passes: their labels do not say it; left out");
}

/// Iterations by the steps that the profiler or labels name, where every rank has them.
void iterationsBySteps(std::vector<FoundPass>& found, const Overview& seen,
                       RecoveredPipeline& pipeline)
{
    const bool labelled = std::all_of(found.begin(), found.end(),
                                      [](const FoundPass& one) { return one.iteration >= 0; });
    if (labelled)
        return;
    const bool steps =
        std::all_of(pipeline.rankOfDevice.begin(), pipeline.rankOfDevice.end(),
                    [&](TraceRankId rank) { return !seen.ranks[rank.index()].steps.empty(); });
    for (FoundPass& one : found) {
        const TraceRankId rank = pipeline.rankOfDevice[one.device.index()];
        one.iteration = steps ? stepAt(seen.ranks[rank.index()].steps, one.start) : -1;
    }
    if (!steps)
        return;
    pipeline.notes.emplace_back("iterations are the steps that the trace names");
    drop(found, pipeline, "iteration", [](const FoundPass& one) { return one.iteration < 0; });
}

} // namespace

FoundLabels findPasses(const Trace& trace, RecoveredPipeline& pipeline)
{
    const Overview seen = overviewOf(trace);
    std::vector<DeviceId> deviceOfRank(trace.ranks.size());
    for (const TraceRankId rank : Ids<TraceRankId>(seen.ranks.size())) {
        if (!seen.ranks[rank.index()].passes)
            continue;
        deviceOfRank[rank.index()] = DeviceId(pipeline.rankOfDevice.size());
        pipeline.rankOfDevice.push_back(rank);
    }
    FoundLabels labels;
    labels.lastSender = seen.lastSender;
    std::vector<FoundPass>& found = labels.passes;
    std::int64_t implausible = 0;
    for (const TraceSpan& span : trace.spans) {
        const SpanLabel* label = trace.labelOf(span);
        if (label == nullptr || label->role != SpanRole::Pass ||
            !seen.ranks[span.rank.index()].counts(span.trust))
            continue;
        if (!plausible(*label)) {
            ++implausible;
            continue;
        }
        FoundPass one{span.start,       span.end, deviceOfRank[span.rank.index()],
                      label->iteration, *label,   span.trust};
        if (label->kind == PassKind::B && label->openBackward && !seen.anyWeight)
            one.label.kind = PassKind::BW;
        one.label.segment = std::max(one.label.segment, 0);
        found.push_back(one);
    }
    std::stable_sort(found.begin(), found.end(), [](const FoundPass& a, const FoundPass& b) {
        return std::tuple(a.device, a.start, a.end) < std::tuple(b.device, b.start, b.end);
    });
    if (found.empty())
        pipeline.unknown.push_back("pipeline: no span is labelled as a pass; " +
                                   std::string(labelsLine));
    if (implausible > 0)
        pipeline.unknown.push_back(std::to_string(implausible) +
                                   " labels have numbers that no pipeline has; left out");
    drop(found, pipeline, "micro-batch",
         [](const FoundPass& one) { return one.label.microBatch < 0; });
    if (found.empty())
        return labels;
    iterationsBySteps(found, seen, pipeline);
    if (!seen.anyMessage)
        pipeline.unknown.emplace_back("messages: no span is labelled as a send or a receive");
    if (trace.peaks.empty())
        pipeline.unknown.emplace_back("memory: a peak in chunks is counted, bytes are not told");
    return labels;
}

void findStages(std::vector<FoundPass>& found, RecoveredPipeline& pipeline)
{
    const auto has = [&found](auto SpanLabel::*number) {
        return std::any_of(found.begin(), found.end(),
                           [number](const FoundPass& one) { return one.label.*number >= 0; });
    };
    if (has(&SpanLabel::stage)) {
        drop(found, pipeline, "stage", [](const FoundPass& one) { return one.label.stage < 0; });
        return;
    }
    if (has(&SpanLabel::chunk)) {
        drop(found, pipeline, "chunk", [](const FoundPass& one) { return one.label.chunk < 0; });
        stagesFromChunks(found, pipeline);
        return;
    }
    for (FoundPass& one : found) {
        one.label.stage = StageId(one.device.value);
        one.trust = std::max(one.trust, Trust::Counted);
    }
    pipeline.notes.emplace_back("labels say no stage; one stage a rank is counted in their order");
}

namespace {

/// How often the passes of an iteration's number have come again on a device: a program that was
/// started again counts anew, and a step of the profiler may be several of the pipeline.
class IterationTurns
{
public:
    std::int32_t turnOf(const FoundPass& one)
    {
        if (one.device != m_device) {
            m_device = one.device;
            m_turns.clear();
        }
        const SpanLabel& label = one.label;
        // B and BW are one place in a schedule.
        const PassKind kind = label.kind == PassKind::B ? PassKind::BW : label.kind;
        const Place place{static_cast<int>(kind), label.route, label.stage, label.microBatch,
                          label.segment};
        Turn& turn = m_turns[one.iteration];
        if (!turn.seen.insert(place).second) {
            ++turn.number;
            turn.seen = {place};
        }
        return turn.number;
    }

private:
    using Place = std::tuple<int, int, StageId, int, int>;
    struct Turn
    {
        std::int32_t number = 0;
        std::set<Place> seen;
    };
    DeviceId m_device;
    std::map<std::int32_t, Turn> m_turns; // by iteration
};

/// The turn of each pass. A few passes that come twice under one number are no turn of their own.
std::vector<std::int32_t> turnsOf(const std::vector<FoundPass>& found)
{
    IterationTurns turns;
    std::vector<std::int32_t> turnOfPass;
    std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> passes; // by iteration and turn
    for (const FoundPass& one : found) {
        turnOfPass.push_back(turns.turnOf(one));
        ++passes[{one.iteration, turnOfPass.back()}];
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        const std::int32_t number = found[i].iteration;
        const auto second = passes.find({number, 1});
        if (number >= 0 && second != passes.end() && second->second * 2 < passes[{number, 0}])
            turnOfPass[i] = 0;
    }
    return turnOfPass;
}

} // namespace

PairTimes splitIterations(const std::vector<FoundPass>& found, RecoveredPipeline& pipeline)
{
    PairTimes pairs;
    std::map<std::pair<std::int32_t, std::int32_t>, RecoveredIteration> iterations; // by turn
    const bool labelled = found.front().iteration >= 0;
    const std::vector<std::int32_t> turnOfPass = turnsOf(found);
    bool again = false;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const FoundPass& one = found[i];
        const std::int32_t turn = turnOfPass[i];
        again = again || turn > 0;
        const SpanLabel& label = one.label;
        const auto [at, made] = iterations.try_emplace({one.iteration, turn});
        RecoveredIteration& iteration = at->second;
        iteration.number = labelled ? one.iteration : turn;
        iteration.first = made ? one.start : std::min(iteration.first, one.start);
        iteration.last = made ? one.end : std::max(iteration.last, one.end);
        const Pass pass{label.kind, static_cast<std::uint8_t>(std::max(label.route, 0)),
                        label.stage, label.microBatch, label.segment};
        iteration.passes.push_back(
            {iteration.number, rankOf(one.device), EntryId::none(), pass, one.start, one.end});
        iteration.trust.push_back(one.trust);
        if (label.paired)
            pairs.emplace(one.device, one.start, one.end);
    }
    pipeline.passes = static_cast<std::int64_t>(found.size());
    for (auto& [which, iteration] : iterations)
        pipeline.iterations.push_back(std::move(iteration));
    std::stable_sort(
        pipeline.iterations.begin(), pipeline.iterations.end(),
        [](const RecoveredIteration& a, const RecoveredIteration& b) { return a.first < b.first; });
    if (!again)
        return pairs;
    pipeline.notes.emplace_back(
        labelled ? "passes come again under one iteration's number; iterations are counted"
                 : "iterations are counted: each begins where a pass comes again");
    for (std::size_t i = 0; labelled && i < pipeline.iterations.size(); ++i) {
        pipeline.iterations[i].number = static_cast<std::int32_t>(i);
        for (RecordedPass& pass : pipeline.iterations[i].passes)
            pass.iteration = static_cast<std::int32_t>(i);
    }
    return pairs;
}

} // namespace pw
