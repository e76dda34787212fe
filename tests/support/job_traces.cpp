// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/job_traces.h"

#include "tests/support/family_runs.h"

#include <algorithm>
#include <random>
#include <sstream>
#include <utility>

namespace pw::test {

namespace {

constexpr double forwardTime = 1000, backwardTime = 2000, hopTime = 50, slowHop = 1000,
                 betweenSteps = 500;

struct MadeWork
{
    bool forward;
    int microBatch;
    int chunk = 0;
};

std::vector<MadeWork> interleavedOrder(const MadeJob& job, int stage)
{
    const Schedule schedule =
        *buildUniform(familyOf("interleaved-1f1b"),
                      sized(job.stages, job.microBatches, "chunks", job.chunks), {});
    std::vector<MadeWork> order;
    const DeviceId device(stage);
    for (const EntryId entry : Ids<EntryId>(schedule.begin(device), schedule.end(device))) {
        const Pass pass = schedule.entry(entry).pass;
        order.push_back({pass.kind == PassKind::F, pass.microBatch, pass.stage.value / job.stages});
    }
    return order;
}

std::vector<MadeWork> orderOf(const MadeJob& job, int stage)
{
    if (job.chunks > 1)
        return interleavedOrder(job, stage);
    std::vector<MadeWork> order;
    int forward = 0, backward = 0;
    const int warmUp = job.forwardsFirst ? job.microBatches : job.stages - stage - 1;
    while (forward < std::min(job.microBatches, warmUp))
        order.push_back({true, forward++});
    while (forward < job.microBatches) {
        order.push_back({true, forward++});
        order.push_back({false, backward++});
    }
    while (backward < job.microBatches)
        order.push_back({false, backward++});
    return order;
}

/// Runs one step of one replica.
class MadeStep
{
public:
    MadeStep(const MadeJob& job, int replica, int step, double begin, std::mt19937& random)
        : m_job(job)
        , m_replica(replica)
        , m_step(step)
        , m_random(random)
        , m_free(static_cast<std::size_t>(job.stages), begin)
        , m_ends(2 * static_cast<std::size_t>(job.microBatches * job.stages * job.chunks), -1)
        , m_passes(static_cast<std::size_t>(job.stages))
    {
    }

    std::vector<std::vector<MadePass>> run()
    {
        std::vector<std::vector<MadeWork>> orders;
        for (int stage = 0; stage < m_job.stages; ++stage)
            orders.push_back(orderOf(m_job, stage));
        std::vector<std::size_t> next(orders.size(), 0);
        for (bool moved = true; moved;) {
            moved = false;
            for (int stage = 0; stage < m_job.stages; ++stage) {
                const auto at = static_cast<std::size_t>(stage);
                while (next[at] < orders[at].size() && runOne(stage, orders[at][next[at]])) {
                    ++next[at];
                    moved = true;
                }
            }
        }
        return std::move(m_passes);
    }

private:
    bool runOne(int stage, const MadeWork& work)
    {
        const auto at = static_cast<std::size_t>(stage);
        double start = m_free[at];
        const int here = work.chunk * m_job.stages + stage;
        const int from = work.forward ? here - 1 : here + 1;
        if (from >= 0 && from < m_job.stages * m_job.chunks) {
            const double sent = m_ends[place(work, from)];
            if (sent < 0)
                return false;
            start = std::max(start, sent + hop(std::min(from % m_job.stages, stage)));
        }
        const double end = start + timeOf(stage, work);
        m_ends[place(work, here)] = m_free[at] = end;
        m_passes[at].push_back(
            {m_replica, stage, m_step, work.forward, work.microBatch, start, end, work.chunk});
        return true;
    }

    std::size_t place(const MadeWork& work, int stage) const
    {
        const int pass = (work.forward ? 0 : m_job.microBatches) + work.microBatch;
        return static_cast<std::size_t>(pass * m_job.stages * m_job.chunks + stage);
    }

    double hop(int lower) const
    {
        return m_replica == m_job.linkReplica && lower == m_job.linkFrom ? slowHop : hopTime;
    }

    double timeOf(int stage, const MadeWork& work)
    {
        std::uniform_real_distribution<double> spread(1 - m_job.spread, 1 + m_job.spread);
        double time = (work.forward ? forwardTime : backwardTime) * spread(m_random);
        for (const bool slow :
             {m_replica == m_job.slowReplica && stage == m_job.slowStage, stage == m_job.heavyStage,
              m_step == m_job.slowStep,
              m_replica == m_job.longReplica && work.microBatch == m_job.longMicroBatch})
            time *= slow ? m_job.factor : 1;
        return time;
    }

    const MadeJob& m_job;
    int m_replica;
    int m_step;
    std::mt19937& m_random;
    std::vector<double> m_free;
    std::vector<double> m_ends; // by `place`; −1: not yet
    std::vector<std::vector<MadePass>> m_passes;
};

std::string number(double value)
{
    std::ostringstream text;
    text.precision(15);
    text << value;
    return text.str();
}

std::string event(const std::string& name, int process, int thread, double start, double end,
                  const std::string& rest)
{
    return R"({"ph":"X","name":")" + name + R"(","pid":)" + std::to_string(process) + R"(,"tid":)" +
           std::to_string(thread) + R"(,"ts":)" + number(start) + R"(,"dur":)" +
           number(end - start) + rest + "}";
}

std::string named(const char* what, int process, int thread, const std::string& name)
{
    return std::string(R"({"ph":"M","name":")") + what + R"(","pid":)" + std::to_string(process) +
           R"(,"tid":)" + std::to_string(thread) + R"(,"args":{"name":")" + name + R"("}})";
}

std::string joined(const std::vector<std::string>& events)
{
    std::string text;
    for (const std::string& one : events)
        text += (text.empty() ? "" : ",\n") + one;
    return text;
}

} // namespace

std::vector<MadePass> passesOf(const MadeJob& job)
{
    std::mt19937 random(job.seed);
    std::vector<std::vector<std::vector<MadePass>>> all( // by replica and stage
        static_cast<std::size_t>(job.replicas),
        std::vector<std::vector<MadePass>>(static_cast<std::size_t>(job.stages)));
    double begin = 0;
    for (int step = 0; step < job.steps; ++step) {
        double last = begin;
        for (int replica = 0; replica < job.replicas; ++replica) {
            auto stages = MadeStep(job, replica, step, begin, random).run();
            for (std::size_t stage = 0; stage < stages.size(); ++stage) {
                last = std::max(last, stages[stage].back().end);
                auto& mine = all[static_cast<std::size_t>(replica)][stage];
                mine.insert(mine.end(), stages[stage].begin(), stages[stage].end());
            }
        }
        begin = last + betweenSteps;
    }
    std::vector<MadePass> passes;
    for (const auto& stages : all)
        for (const auto& mine : stages)
            passes.insert(passes.end(), mine.begin(), mine.end());
    return passes;
}

std::vector<double> stepsOf(const MadeJob& job, const std::vector<MadePass>& passes)
{
    std::vector<double> first(static_cast<std::size_t>(job.steps), 1e18), last(first.size(), 0);
    for (const MadePass& pass : passes) {
        const auto step = static_cast<std::size_t>(pass.step);
        first[step] = std::min(first[step], pass.start);
        last[step] = std::max(last[step], pass.end);
    }
    for (std::size_t i = 0; i < first.size(); ++i)
        last[i] -= first[i];
    return last;
}

std::string megatronText(const MadeJob& job)
{
    std::vector<std::string> events;
    for (const MadePass& pass : passesOf(job))
        events.push_back(event(pass.forward ? "forward" : "backward",
                               pass.replica * job.stages + pass.stage, 0, pass.start, pass.end,
                               R"(,"args":{"iteration":)" + std::to_string(pass.step) +
                                   R"(,"microbatch":)" + std::to_string(pass.microBatch) +
                                   R"(,"model_chunk":0,"pp_rank":)" + std::to_string(pass.stage) +
                                   "}"));
    return R"({"traceEvents":[)" + joined(events) + "]}";
}

std::vector<TraceText> kinetoFiles(const MadeJob& job, RankLayout layout)
{
    const std::vector<MadePass> passes = passesOf(job);
    std::vector<TraceText> files;
    std::vector<double> first(static_cast<std::size_t>(job.steps), 1e18), last(first.size(), 0);
    for (const MadePass& pass : passes) {
        const auto step = static_cast<std::size_t>(pass.step);
        first[step] = std::min(first[step], pass.start);
        last[step] = std::max(last[step], pass.end);
    }
    for (int rank = 0; rank < job.stages * job.replicas; ++rank) {
        const bool outside = layout == RankLayout::StagesOutside;
        const int stage = outside ? rank / job.replicas : rank % job.stages;
        const int replica = outside ? rank % job.replicas : rank / job.stages;
        const int before = job.numberedThrough ? replica * job.microBatches : 0;
        std::vector<std::string> events;
        for (std::size_t step = 0; step < first.size(); ++step)
            events.push_back(event("ProfilerStep#" + std::to_string(step), 100 + rank, 1,
                                   first[step], last[step], R"(,"cat":"user_annotation")"));
        for (const MadePass& pass : passes)
            if (pass.stage == stage && pass.replica == replica)
                events.push_back(event("PP:" + std::to_string(stage) + (pass.forward ? "F" : "B") +
                                           std::to_string(pass.microBatch + before),
                                       100 + rank, 1, pass.start, pass.end,
                                       R"(,"cat":"user_annotation")"));
        files.push_back({"rank" + std::to_string(rank) + ".json",
                         R"({"schemaVersion":1,"distributedInfo":{"backend":"nccl","rank":)" +
                             std::to_string(rank) + R"(,"world_size":)" +
                             std::to_string(job.stages * job.replicas) + R"(},"traceEvents":[)" +
                             joined(events) + "]}"});
    }
    return files;
}

std::string foreignText(const MadeJob& job)
{
    std::vector<std::string> events;
    for (int replica = 0; replica < job.replicas; ++replica) {
        events.push_back(named("process_name", replica, 0, "replica " + std::to_string(replica)));
        for (int stage = 0; stage < job.stages; ++stage)
            events.push_back(
                named("thread_name", replica, stage,
                      "stage " + std::to_string(stage) + " of " + std::to_string(job.stages)));
    }
    for (const MadePass& pass : passesOf(job))
        events.push_back(event(pass.forward ? "fw" : "bw", pass.replica, pass.stage, pass.start,
                               pass.end,
                               R"(,"args":{"round":)" + std::to_string(pass.step) + R"(,"batch":)" +
                                   std::to_string(pass.microBatch) + "}"));
    return R"({"traceEvents":[)" + joined(events) + "]}";
}

} // namespace pw::test
