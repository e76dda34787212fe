// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/kernel_runs.h"

#include "core/reading/events/event_file.h"
#include "core/trace/group_ranks.h"
#include "core/trace/message_split.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace pw {

namespace {

/// A kernel, or a message, at the moment by which it is ordered.
struct OrderedWork
{
    Ticks time = 0;
    std::int32_t span = -1;
    bool message = false;
    MessageEnd end = MessageEnd::NotTold;
    std::int32_t toStage = -1; ///< −1: not told
};

using ToldStep = std::tuple<Ticks, Ticks, std::int32_t>; ///< start, end and number

struct OwnWork
{
    std::vector<OrderedWork> all;
    std::vector<ToldStep> steps;
    bool messages = false;
    bool launched = true; ///< the launch of each is known
};

class RunFinder
{
public:
    RunFinder(const Trace& trace, const PipelinePlaces& places)
        : m_trace(trace)
        , m_places(places)
        , m_work(trace.ranks.size())
    {
        for (const ProcessGroup& group : trace.groups)
            m_within.push_back(isWithinAWorker(group));
        m_reduced.resize(trace.ranks.size(), false);
        for (const RankFile& file : trace.rankFiles)
            m_reduced[file.rank.index()] = true;
    }

    std::vector<KernelRuns> run()
    {
        readPeers();
        collect();
        std::vector<KernelRuns> found;
        for (const TraceRankId rank : Ids<TraceRankId>(m_work.size())) {
            OwnWork& work = m_work[rank.index()];
            const PipelinePlace* place = placeOf(rank);
            if (!work.messages || place == nullptr)
                continue;
            order(work);
            found.push_back(runsOf(rank, *place, work));
        }
        return found;
    }

private:
    const TraceSpan& span(std::int32_t index) const
    {
        return m_trace.spans[static_cast<std::size_t>(index)];
    }

    /// Whether what a group does is a part of a pass: its ranks are of one stage, and no replicas.
    bool isWithinAWorker(const ProcessGroup& group) const
    {
        if (isBetweenReplicas(group))
            return false;
        std::int32_t stage = -1;
        for (const std::int32_t rank : listedRanks(group)) {
            const PipelinePlace* place = m_places.of(rank);
            if (place == nullptr)
                continue;
            if (stage >= 0 && place->stage != stage)
                return false;
            stage = place->stage;
        }
        return true;
    }

    /// A peer is the number of a rank, or else its place in the group, as is possible of all of
    /// them.
    void readPeers()
    {
        m_peersAreRanks = m_peersArePlaces = true;
        for (const CollectiveCall& call : m_trace.calls) {
            if (call.kind != CollectiveKind::Message || call.peer < 0 ||
                (call.group >= 0 && m_within[static_cast<std::size_t>(call.group)]))
                continue;
            const PipelinePlace* own = placeOf(span(call.span).rank);
            if (own == nullptr)
                continue;
            const PipelinePlace* peer = m_places.of(call.peer);
            m_peersAreRanks = m_peersAreRanks && peer != nullptr &&
                              peer->pipeline == own->pipeline && peer->stage != own->stage;
            m_peersArePlaces =
                m_peersArePlaces && call.peer < own->stages && call.peer != own->stage;
        }
    }

    const PipelinePlace* placeOf(TraceRankId rank) const
    {
        return m_places.of(m_trace.ranks[rank.index()].number);
    }

    void collect()
    {
        bool hostSteps = false;
        for (const TraceSpan& one : m_trace.spans)
            hostSteps = hostSteps || (isStep(one) && one.trust != Trust::Device);
        for (std::size_t i = 0; i < m_trace.spans.size(); ++i) {
            const TraceSpan& one = m_trace.spans[i];
            OwnWork& work = m_work[one.rank.index()];
            if (isStep(one)) {
                if (!hostSteps || one.trust != Trust::Device)
                    work.steps.emplace_back(one.start, one.end, m_trace.labelOf(one)->iteration);
            } else if (m_trace.tracks[static_cast<std::size_t>(one.track)].device &&
                       one.trust == Trust::Device) {
                take(static_cast<std::int32_t>(i), work);
            }
        }
    }

    bool isStep(const TraceSpan& one) const
    {
        const SpanLabel* label = m_trace.labelOf(one);
        return label != nullptr && label->role == SpanRole::Step && label->iteration >= 0;
    }

    void take(std::int32_t index, OwnWork& work)
    {
        const TraceSpan& one = span(index);
        OrderedWork taken;
        taken.span = index;
        if (one.activity == ActivityKind::Communication) {
            const CollectiveCall* call = m_trace.callOf(index);
            const bool grouped = call != nullptr && call->group >= 0;
            taken.message = call != nullptr && call->kind == CollectiveKind::Other
                                ? isMessageKernel(m_trace, index)
                                : call != nullptr && call->kind == CollectiveKind::Message;
            // Ranks that share a sequence send around a ring within a pass.
            const bool within = grouped && m_within[static_cast<std::size_t>(call->group)];
            if (taken.message && within)
                taken.message = false;
            else if (!taken.message && grouped && !within)
                return;
            else if (taken.message) {
                taken.end = call->end;
                taken.toStage = sentTo(one.rank, *call);
            }
        } else if (one.activity != ActivityKind::Compute ||
                   (m_reduced[one.rank.index()] && m_trace.nameOf(one) == reducedWorkName)) {
            return;
        }
        work.messages = work.messages || taken.message;
        work.launched = work.launched && one.queued >= 0;
        work.all.push_back(taken);
    }

    /// The place of the other rank in its pipeline; −1: not told.
    std::int32_t sentTo(TraceRankId rank, const CollectiveCall& call) const
    {
        if (placeOf(rank) == nullptr || call.peer < 0 || !call.sends() ||
            (!m_peersAreRanks && !m_peersArePlaces))
            return -1;
        return m_peersAreRanks ? m_places.of(call.peer)->stage : call.peer;
    }

    static SentTo neighbour(std::int32_t stage, std::int32_t to)
    {
        return to < 0            ? SentTo::NotTold
               : to == stage + 1 ? SentTo::NextStage
               : to == stage - 1 ? SentTo::StageBefore
                                 : SentTo::Elsewhere;
    }

    void order(OwnWork& work) const
    {
        for (OrderedWork& one : work.all) {
            const TraceSpan& its = span(one.span);
            one.time = its.start - (work.launched ? its.queued : 0);
        }
        std::stable_sort(work.all.begin(), work.all.end(),
                         [this](const OrderedWork& a, const OrderedWork& b) {
                             return std::tuple(a.time, span(a.span).start) <
                                    std::tuple(b.time, span(b.span).start);
                         });
        std::sort(work.steps.begin(), work.steps.end());
    }

    /// The step around a moment; their number: none.
    static std::size_t stepAt(const std::vector<ToldStep>& steps, Ticks time)
    {
        const auto behind = std::upper_bound(
            steps.begin(), steps.end(), time,
            [](Ticks moment, const ToldStep& step) { return moment < std::get<0>(step); });
        const bool within = behind != steps.begin() && time < std::get<1>(*std::prev(behind));
        return within ? static_cast<std::size_t>(behind - steps.begin()) - 1 : steps.size();
    }

    KernelRuns runsOf(TraceRankId rank, const PipelinePlace& place, const OwnWork& work) const
    {
        KernelRuns runs;
        runs.rank = rank;
        runs.anyStep = !work.steps.empty();
        runs.anyKernel = std::any_of(work.all.begin(), work.all.end(),
                                     [](const OrderedWork& one) { return !one.message; });
        runs.place = place;
        runs.endsTold = std::none_of(work.all.begin(), work.all.end(), [](const OrderedWork& one) {
            return one.message && one.end == MessageEnd::NotTold;
        });
        std::vector<std::vector<OrderedWork>> inSteps(work.steps.size());
        for (const OrderedWork& one : work.all) {
            std::size_t step = stepAt(work.steps, one.time);
            if (step == work.steps.size())
                step = stepAt(work.steps, span(one.span).start);
            if (step < work.steps.size())
                inSteps[step].push_back(one);
        }
        for (std::size_t i = 0; i < inSteps.size(); ++i) {
            if (inSteps[i].empty())
                continue;
            StepRuns step = stepOf(inSteps[i], place.stage, runs.kernels);
            step.iteration = std::get<std::int32_t>(work.steps[i]);
            runs.steps.push_back(std::move(step));
        }
        return runs;
    }

    /// @param stage  of the rank: above 0 the first pass needs a message
    StepRuns stepOf(const std::vector<OrderedWork>& all, std::int32_t stage,
                    std::vector<std::int32_t>& kernels) const
    {
        StepRuns step;
        const auto received = std::find_if(all.begin(), all.end(), [](const OrderedWork& one) {
            return one.message && one.end == MessageEnd::Receives;
        });
        const bool waits = stage > 0 && received != all.end();
        KernelRun run;
        run.first = run.end = kernels.size();
        for (const OrderedWork& one : all) {
            if (!one.message) {
                const bool early =
                    waits && step.runs.empty() && span(one.span).start < span(received->span).end;
                if (!early)
                    kernels.push_back(one.span);
            } else if (one.end != MessageEnd::Receives) {
                run.end = kernels.size();
                run.toStage = one.toStage;
                run.to = neighbour(stage, one.toStage);
                if (run.size() > 0)
                    step.runs.push_back(run);
                run.first = run.end;
            }
        }
        run.end = kernels.size();
        run.to = SentTo::NotTold;
        run.toStage = -1;
        step.rest = run;
        return step;
    }

    const Trace& m_trace;
    const PipelinePlaces& m_places;
    bool m_peersAreRanks = true;
    bool m_peersArePlaces = true;
    std::vector<bool> m_within;  // by group
    std::vector<bool> m_reduced; // by rank
    std::vector<OwnWork> m_work; // likewise
};

} // namespace

std::vector<KernelRuns> kernelRuns(const Trace& trace, const PipelinePlaces& places)
{
    return RunFinder(trace, places).run();
}

} // namespace pw
