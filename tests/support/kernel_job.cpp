// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/kernel_job.h"

#include "tests/support/hand_trace.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace pw::test {

namespace {

constexpr int hop = 50, sumTime = 100, pause = 300; // µs
constexpr const char* messageKernel = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)";
constexpr const char* sumKernel = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(…)";

struct TimedWork
{
    KernelWork work;
    int received = -1; ///< −1: it needs no message
    int start = 0;
    int end = 0;
    int to = -1; ///< stage that its message goes to
};

std::vector<KernelWork> alternatingOrder(const KernelJob& job, int stage)
{
    std::vector<KernelWork> order;
    const int warmUp = std::min(job.microBatches, job.stages - stage);
    for (int i = 0; i < warmUp; ++i)
        order.push_back({true, i});
    for (int i = 0; i < job.microBatches; ++i) {
        order.push_back({false, i});
        if (warmUp + i < job.microBatches)
            order.push_back({true, warmUp + i});
    }
    return order;
}

/// Places of the chain of all chunks, looped over the stages.
int placeOf(const KernelJob& job, int stage, const KernelWork& work, int by)
{
    const int place = work.chunk * job.stages + stage + (work.forward ? by : -by);
    return place < 0 || place >= job.chunks * job.stages ? -1 : place;
}

/// A step of a pipeline, each stage in its order, over links of `hop`.
std::vector<std::vector<TimedWork>> timedStep(const KernelJob& job, int begin)
{
    std::vector<std::vector<KernelWork>> orders;
    for (int stage = 0; stage < job.stages; ++stage)
        orders.push_back(job.order ? job.order(stage) : alternatingOrder(job, stage));
    std::vector<std::vector<TimedWork>> out(orders.size());
    std::map<std::tuple<bool, int, int>, int> ends; // by kind, place and micro-batch
    for (bool moved = true; moved;) {
        moved = false;
        for (int stage = 0; stage < job.stages; ++stage) {
            const auto at = static_cast<std::size_t>(stage);
            if (out[at].size() == orders[at].size())
                continue;
            TimedWork one;
            one.work = orders[at][out[at].size()];
            const int from = placeOf(job, stage, one.work, -1);
            const auto input = ends.find({one.work.forward, from, one.work.microBatch});
            if (from >= 0 && input == ends.end())
                continue;
            const int free = out[at].empty() ? begin : out[at].back().end + 10;
            one.received = from >= 0 ? input->second + hop : -1;
            one.start = std::max(free, one.received);
            one.end = one.start + (one.work.forward ? job.forwardTime : job.backwardTime);
            const int to = placeOf(job, stage, one.work, 1);
            one.to = to < 0 ? -1 : to % job.stages;
            ends[{one.work.forward, placeOf(job, stage, one.work, 0), one.work.microBatch}] =
                one.end;
            out[at].push_back(one);
            moved = true;
        }
    }
    return out;
}

std::vector<std::string> kernelsOf(const KernelJob& job, int stage, const KernelWork& work)
{
    if (job.kernels)
        return job.kernels(stage, work);
    if (work.forward)
        return {"gemm_tn", "softmax", "gelu"};
    return {"gemm_nt", "softmax_grad", "gemm_nn", "add"};
}

/// Writes the rows of one rank.
class RankRows
{
public:
    RankRows(const KernelJob& job, int stage, int replica, int tensorRank, KernelJobTrace& out,
             HandTrace& hand)
        : m_job(job)
        , m_stage(stage)
        , m_replica(replica)
        , m_tensorRank(tensorRank)
        , m_rank(rankAt(stage, replica, tensorRank))
        , m_out(out)
        , m_hand(hand)
        , m_host(hand.thread(m_rank))
        , m_compute(hand.stream(m_rank, 7))
        , m_messages(hand.stream(m_rank, 20))
    {
    }

    void step(int number, const std::vector<TimedWork>& works, int begin, int end)
    {
        if (m_job.stepsTold)
            m_hand.call(m_host, "ProfilerStep#" + std::to_string(number), begin, end,
                        ActivityKind::Annotation);
        if (m_job.stepsTold)
            label(number);
        plain(m_job.before, begin + 2, begin + 3);
        for (std::size_t i = 0; i < works.size(); ++i)
            pass(number, works, i);
        plain(m_job.behind, works.back().end + hop + 20, works.back().end + hop + 20);
        if (m_job.replicas > 1)
            sum("dp_group", dataRanks(), sumTime, works.back().end + 5, m_messages);
    }

private:
    int rankAt(int stage, int replica, int tensorRank) const
    {
        return (stage * m_job.replicas + replica) * m_job.tensorRanks + tensorRank;
    }

    void label(int number)
    {
        SpanLabel said;
        said.role = SpanRole::Step;
        said.iteration = number;
        m_hand.trace.spans.back().label = static_cast<std::int32_t>(m_hand.trace.labels.size());
        m_hand.trace.spans.back().trust = Trust::Host;
        m_hand.trace.labels.push_back(said);
    }

    void kernel(const std::string& name, int start, int end, int launched, int track,
                ActivityKind kind = ActivityKind::Compute)
    {
        m_hand.kernel(track, name, start, end, m_job.launched ? launched : -1, kind);
        m_hand.trace.spans.back().trust = Trust::Device;
    }

    void plain(const std::vector<std::string>& names, int start, int launched)
    {
        for (std::size_t i = 0; i < names.size(); ++i)
            kernel(names[i], start + 2 * static_cast<int>(i), start + 2 * static_cast<int>(i) + 1,
                   launched, m_compute);
    }

    void pass(int number, const std::vector<TimedWork>& works, std::size_t at)
    {
        const TimedWork& one = works[at];
        const std::vector<std::string> names = kernelsOf(m_job, m_stage, one.work);
        if (one.received >= 0) {
            const int before = at == 0 ? one.start - 60 : works[at - 1].start - 7;
            const int posted =
                m_job.early ? std::min(before, one.received - hop - 2) : one.start - 9;
            message(MessageEnd::Receives, placeOf(m_job, m_stage, one.work, -1) % m_job.stages,
                    std::max(one.received - hop, posted), std::max(one.received, posted + 5),
                    posted);
        }
        const auto count = static_cast<int>(names.size());
        const int each = (one.end - one.start) / count;
        for (int i = 0; i < count; ++i) {
            const int start = one.start + each * i, end = i + 1 < count ? start + each : one.end;
            if (m_job.tensorRanks > 1 && i + 1 == count)
                sum("tp_group", tensorRanks(), end - start, start, m_compute, one.start - 8 + i);
            else
                kernel(names[static_cast<std::size_t>(i)], start, end, one.start - 8 + i,
                       m_compute);
        }
        m_out.passes.push_back({m_rank, one.work.chunk * m_job.stages + m_stage, number,
                                one.work.forward, one.work.microBatch, Ticks{one.start} * 1000,
                                Ticks{one.end} * 1000});
        if (one.to >= 0)
            message(MessageEnd::Sends, one.to, one.end, one.end + hop, one.start + 5);
    }

    void message(MessageEnd end, int peerStage, int start, int stop, int launched)
    {
        kernel(messageKernel, start, stop, std::min(launched, start), m_messages,
               ActivityKind::Communication);
        CollectiveCall call;
        call.kind = CollectiveKind::Message;
        call.group = group(m_job.pipelineTold ? "pp_group" : "", pipelineRanks());
        call.end = m_job.endsTold ? end : MessageEnd::NotTold;
        if (m_job.peersTold)
            call.peer = m_job.peersArePlaces ? peerStage
                                             : pipelineRanks()[static_cast<std::size_t>(peerStage)];
        said(call);
    }

    void sum(const char* description, const std::vector<int>& ranks, int length, int start,
             int track, int launched = -1)
    {
        kernel(sumKernel, start, start + length, launched < 0 ? start - 2 : launched, track,
               ActivityKind::Communication);
        CollectiveCall call;
        call.kind = CollectiveKind::AllReduce;
        call.group = group(description, ranks);
        said(call);
    }

    void said(CollectiveCall call)
    {
        call.span = static_cast<std::int32_t>(m_hand.trace.spans.size()) - 1;
        m_hand.trace.calls.push_back(call);
    }

    std::int32_t group(const std::string& description, const std::vector<int>& ranks)
    {
        ProcessGroup one;
        one.name = description + std::to_string(ranks.front());
        one.description = description;
        for (const int rank : ranks)
            one.ranks += (one.ranks.empty() ? "" : ", ") + std::to_string(rank);
        if (!m_job.groupsListed)
            one.ranks.clear();
        std::vector<ProcessGroup>& groups = m_hand.trace.groups;
        const auto known = std::find(groups.begin(), groups.end(), one);
        if (known == groups.end())
            groups.push_back(one);
        return static_cast<std::int32_t>(std::find(groups.begin(), groups.end(), one) -
                                         groups.begin());
    }

    std::vector<int> pipelineRanks() const
    {
        std::vector<int> ranks;
        for (int stage = 0; stage < m_job.stages; ++stage)
            ranks.push_back(rankAt(stage, m_replica, m_tensorRank));
        return ranks;
    }
    std::vector<int> dataRanks() const
    {
        std::vector<int> ranks;
        for (int replica = 0; replica < m_job.replicas; ++replica)
            ranks.push_back(rankAt(m_stage, replica, m_tensorRank));
        return ranks;
    }
    std::vector<int> tensorRanks() const
    {
        std::vector<int> ranks;
        for (int tensorRank = 0; tensorRank < m_job.tensorRanks; ++tensorRank)
            ranks.push_back(rankAt(m_stage, m_replica, tensorRank));
        return ranks;
    }

    const KernelJob& m_job;
    int m_stage, m_replica, m_tensorRank, m_rank;
    KernelJobTrace& m_out;
    HandTrace& m_hand;
    std::int32_t m_host, m_compute, m_messages;
};

bool byRank(const KernelJobPass& a, const KernelJobPass& b)
{
    return std::tie(a.rank, a.start) < std::tie(b.rank, b.start);
}

} // namespace

KernelJobTrace kernelJobTrace(const KernelJob& job)
{
    KernelJobTrace out;
    HandTrace hand;
    std::vector<std::vector<std::vector<TimedWork>>> steps;
    std::vector<int> begins{1000};
    for (int step = 0; step < job.steps; ++step) {
        steps.push_back(timedStep(job, begins.back() + 100));
        int last = 0;
        for (const std::vector<TimedWork>& works : steps.back())
            last = std::max(last, works.back().end);
        begins.push_back(last + pause);
    }
    for (int stage = 0; stage < job.stages; ++stage)
        for (int replica = 0; replica < job.replicas; ++replica)
            for (int tensorRank = 0; tensorRank < job.tensorRanks; ++tensorRank) {
                RankRows rows(job, stage, replica, tensorRank, out, hand);
                for (int step = 0; step < job.steps; ++step) {
                    const auto at = static_cast<std::size_t>(step);
                    rows.step(job.firstStep + step, steps[at][static_cast<std::size_t>(stage)],
                              begins[at], begins[at + 1] - 10);
                }
            }
    out.trace = std::move(hand.trace);
    std::sort(out.passes.begin(), out.passes.end(), byRank);
    return out;
}

std::vector<KernelJobPass> labelledPasses(const Trace& trace)
{
    std::vector<KernelJobPass> passes;
    for (const TraceSpan& span : trace.spans) {
        const SpanLabel* label = trace.labelOf(span);
        if (label != nullptr && label->role == SpanRole::Pass)
            passes.push_back({trace.ranks[span.rank.index()].number, label->stage.value,
                              label->iteration, label->kind == PassKind::F, label->microBatch,
                              span.start, span.end});
    }
    std::sort(passes.begin(), passes.end(), byRank);
    return passes;
}

std::vector<KernelWork> forwardsFirst(int microBatches)
{
    std::vector<KernelWork> order;
    for (const bool forward : {true, false})
        for (int i = 0; i < microBatches; ++i)
            order.push_back({forward, i});
    return order;
}

} // namespace pw::test
