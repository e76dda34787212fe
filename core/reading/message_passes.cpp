// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/message_passes.h"

#include "core/reading/chunk_cuts.h"
#include "core/reading/kernel_runs.h"
#include "core/reading/stage_cuts.h"
#include "core/trace/pipeline_places.h"
#include "core/trace/recover.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace pw {

namespace {

using Order = std::vector<bool>; ///< of a rank in a step; whether it is a forward

Order orderOf(const StepPasses& step)
{
    Order order;
    for (const KernelPass& pass : step.passes)
        order.push_back(pass.forward);
    return order;
}

/// So many forwards, then a backward and a forward in turn, then the rest.
Order alternating(std::size_t microBatches, std::size_t warmUp)
{
    Order order(warmUp, true);
    for (std::size_t i = 0; i < microBatches; ++i) {
        order.push_back(false);
        if (warmUp + i < microBatches)
            order.push_back(true);
    }
    return order;
}

/// Why the passes of a rank in a step are not those of a pipeline; empty: they may be.
std::string faultOf(const StepPasses& step)
{
    if (!step.why.empty())
        return step.why;
    std::int64_t open = 0, forwards = 0, backwards = 0;
    bool early = false;
    for (const KernelPass& pass : step.passes) {
        (pass.forward ? forwards : backwards) += 1;
        open += pass.forward ? 1 : -1;
        early = early || open < 0;
    }
    if (early)
        return "a backward would run before its forward";
    if (forwards != backwards)
        return "it would have " + std::to_string(forwards) + " forwards and " +
               std::to_string(backwards) + " backwards";
    return {};
}

/// Where the ranks of a pipeline send in a step, by stage; empty where one of them is not there.
std::vector<DeviceSends> sendsOf(const std::vector<KernelRuns>& all, std::int32_t pipeline,
                                 std::int32_t iteration)
{
    std::vector<DeviceSends> sends(static_cast<std::size_t>(all.front().place.stages));
    std::size_t there = 0;
    for (const KernelRuns& runs : all)
        for (const StepRuns& step : runs.steps)
            if (runs.place.pipeline == pipeline && step.iteration == iteration) {
                ++there;
                for (const KernelRun& run : step.runs)
                    sends[static_cast<std::size_t>(runs.place.stage)].push_back(run.toStage);
            }
    return there == sends.size() ? sends : std::vector<DeviceSends>();
}

class MessagePasses
{
public:
    explicit MessagePasses(Trace& trace)
        : m_trace(trace)
    {
    }

    void run()
    {
        if (anyPass())
            return;
        const PipelinePlaces places(m_trace);
        if (!places.any() || !anyMessage())
            return;
        m_runs = kernelRuns(m_trace, places);
        if (std::all_of(m_runs.begin(), m_runs.end(),
                        [](const KernelRuns& runs) { return !runs.anyKernel; }))
            return;
        const bool steps = std::any_of(m_runs.begin(), m_runs.end(),
                                       [](const KernelRuns& runs) { return runs.anyStep; });
        if (!steps) {
            refuse("no step of the profiler (ProfilerStep#1 …) says where a step begins");
            return;
        }
        if (const std::string why = elsewhere(); !why.empty()) {
            cutChunks(why);
        } else {
            cut();
            tellAlike();
            chooseSteps();
        }
        if (m_chosen.empty()) {
            refuse(m_fault);
            return;
        }
        append();
        note();
    }

private:
    bool anyPass() const
    {
        return std::any_of(m_trace.spans.begin(), m_trace.spans.end(),
                           [this](const TraceSpan& one) {
                               const SpanLabel* label = m_trace.labelOf(one);
                               return label != nullptr && label->role == SpanRole::Pass;
                           });
    }

    bool anyMessage() const
    {
        return std::any_of(
            m_trace.calls.begin(), m_trace.calls.end(),
            [](const CollectiveCall& call) { return call.kind == CollectiveKind::Message; });
    }

    void refuse(const std::string& why)
    {
        m_trace.warnings.push_back(
            "no pass is labelled, and messages and kernels do not tell them: " + why + "; " +
            std::string(labelsLine));
    }

    std::string rankName(const KernelRuns& runs) const
    {
        return "rank " + std::to_string(m_trace.ranks[runs.rank.index()].number);
    }

    /// A send that goes to no neighbour is of another chunk.
    std::string elsewhere() const
    {
        for (const KernelRuns& runs : m_runs)
            for (const StepRuns& step : runs.steps)
                for (const KernelRun& run : step.runs)
                    if (run.to == SentTo::Elsewhere)
                        return rankName(runs) +
                               " sends to a rank that is no neighbour in its pipeline";
        return {};
    }

    /// The orders of several chunks a rank whose sends are those of a step; two at most.
    /// @param why  ranks hold several chunks
    std::vector<ChunkOrder> ordersOf(const std::string& why)
    {
        constexpr std::size_t mostTried = 4; // of steps that send differently
        const std::string chunks = why + ", as with several chunks a rank, and ";
        m_fault = chunks + "no step is there of all ranks of its pipeline";
        std::set<std::vector<DeviceSends>> tried;
        for (const StepRuns& step : m_runs.front().steps) {
            std::vector<DeviceSends> sends =
                sendsOf(m_runs, m_runs.front().place.pipeline, step.iteration);
            if (tried.size() == mostTried || sends.empty() || !tried.insert(sends).second)
                continue;
            if (std::vector<ChunkOrder> orders = ordersThatSend(sends); !orders.empty())
                return orders;
            const bool told = std::all_of(sends.begin(), sends.end(), [](const DeviceSends& all) {
                return std::count(all.begin(), all.end(), -1) == 0;
            });
            m_fault = chunks + (told ? "its pipeline sends as no order does that is known"
                                     : "not every message says where it goes");
        }
        return {};
    }

    void cutAs(const ChunkOrder& order)
    {
        m_steps.assign(m_runs.size(), {});
        ChunkCuts cuts(m_trace);
        const auto each = [&](std::size_t stage) {
            std::vector<std::size_t> places;
            StageCuts::Ranks ranks;
            for (std::size_t i = 0; i < m_runs.size(); ++i)
                if (m_runs[i].place.stage == static_cast<std::int32_t>(stage)) {
                    places.push_back(i);
                    ranks.push_back(&m_runs[i]);
                }
            StageCuts::Steps steps = cuts.cut(ranks, order.devices[stage]);
            for (std::size_t i = 0; i < places.size(); ++i)
                m_steps[places[i]] = std::move(steps[i]);
        };
        for (std::size_t stage = 1; stage + 1 < order.devices.size(); ++stage)
            each(stage);
        each(0);
        each(order.devices.size() - 1);
        m_doubtful = cuts.doubtful();
    }

    /// Of several chunks a rank the sends of all ranks tell the order, and that the rest. Of two
    /// orders that send alike the one counts whose passes have the kernels of each other.
    /// @param why  they are
    void cutChunks(const std::string& why)
    {
        std::vector<std::vector<StepPasses>> steps;
        double doubtful = 0;
        for (ChunkOrder& order : ordersOf(why)) {
            cutAs(order);
            m_fault.clear();
            chooseSteps();
            if (m_chosen.empty())
                continue;
            m_chosen.clear();
            if (m_order) {
                m_fault = why + ", and its kernels and messages are those of " + m_order->title +
                          " and of " + order.title;
                m_steps.assign(m_runs.size(), {});
                m_order.reset();
                return;
            }
            m_order = std::move(order);
            steps = std::exchange(m_steps, {});
            doubtful = m_doubtful;
        }
        if (!m_order)
            return;
        m_fault.clear();
        m_steps = std::move(steps);
        m_doubtful = doubtful;
        chooseSteps();
    }

    void cut()
    {
        std::map<std::int32_t, std::vector<std::size_t>> byStage;
        const std::int32_t stages = m_runs.front().place.stages;
        for (std::size_t i = 0; i < m_runs.size(); ++i)
            byStage[m_runs[i].place.stage].push_back(i);
        m_steps.resize(m_runs.size());
        StageCuts cuts(m_trace);
        const auto each = [&](std::int32_t stage, auto how) {
            const auto found = byStage.find(stage);
            if (found == byStage.end())
                return;
            StageCuts::Ranks ranks;
            for (const std::size_t i : found->second)
                ranks.push_back(&m_runs[i]);
            StageCuts::Steps steps = (cuts.*how)(ranks);
            for (std::size_t n = 0; n < steps.size(); ++n)
                m_steps[found->second[n]] = std::move(steps[n]);
        };
        for (std::int32_t stage = 1; stage < stages - 1; ++stage)
            each(stage, &StageCuts::between);
        each(0, &StageCuts::first);
        each(stages - 1, &StageCuts::last);
        m_doubtful = cuts.doubtful();
    }

    const StepPasses* stepOf(std::size_t rank, std::int32_t iteration) const
    {
        const std::vector<StepRuns>& steps = m_runs[rank].steps;
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (steps[i].iteration == iteration)
                return &m_steps[rank][i];
        return nullptr;
    }

    /// The forwards before the first backward of a stage, where 1F1B and GPipe differ, by the order
    /// of the first and the last stage of its pipeline.
    std::optional<Order> orderBetween(const PipelinePlace& place, std::int32_t iteration,
                                      std::size_t microBatches) const
    {
        std::optional<Order> ends[2];
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            const PipelinePlace& other = m_runs[i].place;
            if (other.pipeline != place.pipeline ||
                (other.stage != 0 && other.stage != place.stages - 1))
                continue;
            const StepPasses* step = stepOf(i, iteration);
            if (step != nullptr && step->why.empty())
                ends[other.stage == 0 ? 0 : 1] = orderOf(*step);
        }
        const auto stages = static_cast<std::size_t>(place.stages);
        const auto isThat = [&](std::size_t first, std::size_t last) {
            return ends[0] && ends[1] && *ends[0] == alternating(microBatches, first) &&
                   *ends[1] == alternating(microBatches, last);
        };
        if (isThat(std::min(microBatches, stages), 1))
            return alternating(
                microBatches,
                std::min(microBatches, stages - static_cast<std::size_t>(place.stage)));
        if (isThat(microBatches, microBatches))
            return alternating(microBatches, microBatches);
        return std::nullopt;
    }

    void tellAlike()
    {
        for (std::size_t rank = 0; rank < m_runs.size(); ++rank)
            for (std::size_t i = 0; i < m_steps[rank].size(); ++i) {
                StepPasses& step = m_steps[rank][i];
                if (!step.alike || !step.why.empty())
                    continue;
                m_byOrder = true;
                const std::optional<Order> order = orderBetween(
                    m_runs[rank].place, m_runs[rank].steps[i].iteration, step.passes.size() / 2);
                if (!order || order->size() != step.passes.size())
                    step.why = "its forwards and its backwards have the same kernels, and the "
                               "order of the first and the last stage is neither 1F1B nor GPipe";
                else
                    for (std::size_t n = 0; n < order->size(); ++n)
                        step.passes[n].forward = (*order)[n];
            }
    }

    /// Why a step does not count; empty: it does.
    std::string faultIn(std::int32_t iteration) const
    {
        std::size_t passes = 0;
        const KernelRuns* first = nullptr;
        for (std::size_t rank = 0; rank < m_runs.size(); ++rank) {
            const StepPasses* step = stepOf(rank, iteration);
            const std::string here =
                rankName(m_runs[rank]) + ", step " + std::to_string(iteration) + ": ";
            if (step == nullptr)
                return here + "it runs nothing";
            if (const std::string fault = faultOf(*step); !fault.empty())
                return here + fault;
            if (first != nullptr && step->passes.size() != passes)
                return here + std::to_string(step->passes.size()) + " passes, and " +
                       rankName(*first) + " has " + std::to_string(passes) +
                       "; several chunks a rank, or messages that are no pass's, are not told "
                       "apart";
            first = &m_runs[rank];
            passes = step->passes.size();
        }
        return {};
    }

    void chooseSteps()
    {
        std::set<std::int32_t> all;
        for (const KernelRuns& runs : m_runs)
            for (const StepRuns& step : runs.steps)
                all.insert(step.iteration);
        m_all = all.size();
        for (const std::int32_t iteration : all) {
            const std::string fault = faultIn(iteration);
            if (fault.empty())
                m_chosen.insert(iteration);
            else if (m_fault.empty())
                m_fault = fault;
        }
    }

    void append()
    {
        const std::int32_t names[] = {nameOf("backward (found)"), nameOf("forward (found)")};
        for (std::size_t rank = 0; rank < m_runs.size(); ++rank) {
            const KernelRuns& runs = m_runs[rank];
            std::int32_t track = -1;
            for (std::size_t i = 0; i < m_steps[rank].size(); ++i) {
                const std::int32_t iteration = runs.steps[i].iteration;
                if (m_chosen.count(iteration) == 0)
                    continue;
                std::int32_t counts[] = {0, 0};
                for (const KernelPass& pass : m_steps[rank][i].passes) {
                    SpanLabel label;
                    label.role = SpanRole::Pass;
                    label.kind = pass.forward ? PassKind::F : PassKind::BW;
                    label.iteration = iteration;
                    label.stage = StageId(pass.stage < 0 ? runs.place.stage : pass.stage);
                    label.microBatch = counts[pass.forward ? 1 : 0]++;
                    label.microBatch = pass.microBatch < 0 ? label.microBatch : pass.microBatch;
                    track = track < 0 ? newTrack(runs, pass) : track;
                    appendPass(runs, pass, track, names[pass.forward ? 1 : 0], label);
                }
            }
        }
    }

    std::int32_t nameOf(const std::string& text)
    {
        const auto found = std::find(m_trace.names.begin(), m_trace.names.end(), text);
        if (found != m_trace.names.end())
            return static_cast<std::int32_t>(found - m_trace.names.begin());
        m_trace.names.push_back(text);
        return static_cast<std::int32_t>(m_trace.names.size()) - 1;
    }

    const TraceSpan& kernel(const KernelRuns& runs, std::size_t at) const
    {
        return m_trace.spans[static_cast<std::size_t>(runs.kernels[at])];
    }

    std::int32_t newTrack(const KernelRuns& runs, const KernelPass& pass)
    {
        const TraceSpan& one = kernel(runs, pass.first);
        TraceTrack track;
        track.rank = runs.rank;
        track.process = m_trace.tracks[static_cast<std::size_t>(one.track)].process;
        track.thread = "passes found";
        m_trace.tracks.push_back(std::move(track));
        return static_cast<std::int32_t>(m_trace.tracks.size()) - 1;
    }

    void appendPass(const KernelRuns& runs, const KernelPass& pass, std::int32_t track,
                    std::int32_t name, const SpanLabel& label)
    {
        TraceSpan span = kernel(runs, pass.first);
        for (std::size_t i = pass.first; i < pass.end; ++i) {
            span.start = std::min(span.start, kernel(runs, i).start);
            span.end = std::max(span.end, kernel(runs, i).end);
        }
        span.track = track;
        span.name = name;
        span.label = static_cast<std::int32_t>(m_trace.labels.size());
        span.trust = Trust::Counted;
        span.activity = ActivityKind::Annotation;
        span.depth = 0;
        span.queued = -1;
        m_trace.labels.push_back(label);
        m_trace.spans.push_back(span);
        ++m_found;
    }

    void note()
    {
        std::string said = "no label says a pass: " + std::to_string(m_found) +
                           " are inferred; a rank's stage is its place in the process group of its "
                           "pipeline, its sends part its passes, the names of its kernels tell "
                           "forwards from backwards";
        if (m_byOrder)
            said += " (of stages whose passes all have the same kernels, the order of the first "
                    "and the last stage)";
        if (m_order)
            said += ", and each rank has " + std::to_string(m_order->chunks) +
                    " chunks: all ranks send as " + m_order->title +
                    " does, which says chunk and micro-batch";
        else
            said += ", and micro-batches have numbers in the order in which they run";
        m_trace.notes.push_back(std::move(said));
        if (m_doubtful > 0)
            m_trace.notes.push_back(
                "on the last stage up to " +
                std::to_string(static_cast<int>(m_doubtful * 100 + 0.5)) +
                " % of the kernels of a forward and its backward may be of either; the first half "
                "of them is taken for the forward's");
        if (m_chosen.size() < m_all)
            m_trace.notes.push_back(
                std::to_string(m_all - m_chosen.size()) + " of " + std::to_string(m_all) +
                " steps are left out, as their passes cannot be told: " + m_fault);
    }

    Trace& m_trace;
    std::vector<KernelRuns> m_runs;
    std::vector<std::vector<StepPasses>> m_steps; // by rank, parallel to its runs' steps
    double m_doubtful = 0;
    bool m_byOrder = false;
    std::optional<ChunkOrder> m_order; // of several chunks a rank
    std::set<std::int32_t> m_chosen;   // iterations
    std::size_t m_all = 0;             // iterations
    std::string m_fault;               // of the first that does not count
    std::int64_t m_found = 0;
};

} // namespace

void findMessagePasses(Trace& trace)
{
    MessagePasses(trace).run();
}

} // namespace pw
