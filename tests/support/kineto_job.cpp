// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/kineto_job.h"

#include <QtGlobal>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <span>

namespace pw::test {

namespace {

constexpr double hop = 50, sumTime = 400; // microseconds
constexpr std::array<const char*, 3> forwardKernels = {
    "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64",
    "void flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64>>", "void layer_norm_fwd_kernel"};
constexpr std::array<const char*, 3> backwardKernels = {
    "sm90_xmma_gemm_bf16bf16_bf16f32_f32_nt_n_tilesize128x128x64",
    "void flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel", "void layer_norm_bwd_kernel"};
constexpr const char* sendKernel = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)";
constexpr const char* sumKernel =
    "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";

/// A process group as files tell it.
struct Group
{
    std::string name;
    const char* description;
    std::vector<int> ranks;

    std::string list() const
    {
        std::string text;
        for (const int rank : ranks)
            text += (text.empty() ? "" : ", ") + std::to_string(rank);
        return "[" + text + "]";
    }
};

/// The events of one rank.
class RankText
{
public:
    RankText(const MadeJob& job, int stage, int replica, int kernels, bool labelled,
             GroupsTold told)
        : m_job(job)
        , m_stage(stage)
        , m_kernels(kernels)
        , m_rank(stage * job.replicas + replica)
        , m_labelled(labelled)
        , m_told(told)
    {
        m_pipeline = {"pp" + std::to_string(replica), "pp_group", {}};
        m_data = {"dp" + std::to_string(stage), "dp_group", {}};
        for (int i = 0; i < job.stages; ++i)
            m_pipeline.ranks.push_back(i * job.replicas + replica);
        for (int i = 0; i < job.replicas; ++i)
            m_data.ranks.push_back(stage * job.replicas + i);
        m_text = R"({"schemaVersion":1,"distributedInfo":{"backend":"nccl","rank":)" +
                 std::to_string(m_rank) + R"(,"world_size":)" +
                 std::to_string(job.stages * job.replicas) + head() + R"(},"traceEvents":[)" + "\n";
    }

    void step(int number, double start, double end)
    {
        add(R"({"ph":"X","cat":"user_annotation","name":"ProfilerStep#%d","pid":%d,"tid":1,"ts":%.3f,"dur":%.3f})",
            number + 1, host(), start, end - start);
    }

    void pass(const MadePass& pass)
    {
        const double length = pass.end - pass.start;
        if (m_labelled)
            label(pass, length);
        const int here = pass.chunk * m_job.stages + m_stage, by = pass.forward ? 1 : -1;
        const auto isThere = [&](int stage) {
            return stage >= 0 && stage < m_job.stages * m_job.chunks;
        };
        if (isThere(here - by))
            call(sendKernel, "recv", m_pipeline, pass.start - hop, pass.start, 20,
                 peer("Src Rank", (here - by) % m_job.stages));
        const auto& names = pass.forward ? forwardKernels : backwardKernels;
        for (int i = 0; i < m_kernels; ++i) {
            const double each = length / m_kernels, start = pass.start + each * i;
            launch("cudaLaunchKernel", pass.start - 4 + 3 * i);
            add(R"({"ph":"X","cat":"kernel","name":"%s","pid":%d,"tid":7,"ts":%.3f,"dur":%.3f,"args":{"External id":%d,"correlation":%d,"stream":7,"device":%d,"grid":[128,1,1],"block":[128,1,1]}})",
                names[static_cast<std::size_t>(i) % names.size()], device(), start, each * 0.96,
                m_launches, m_launches, device());
        }
        if (isThere(here + by))
            call(sendKernel, "send", m_pipeline, pass.end, pass.end + hop, 21,
                 peer("Dst Rank", (here + by) % m_job.stages));
    }

    void sumOfGradients(double start, double end)
    {
        call(sumKernel, "allreduce", m_data, start, end, 22, {});
    }

    std::int64_t events() const { return m_events; }
    std::string finished() && { return std::move(m_text) + "\n]}"; }

private:
    int host() const { return 10'000 + m_rank; }
    int device() const { return m_rank % 8; }

    template<typename... All>
    void add(const char* format, All... values)
    {
        std::array<char, 4096> buffer{};
        const int length = std::snprintf(buffer.data(), buffer.size(), format, values...);
        if (m_events++ > 0)
            m_text += ",\n";
        m_text.append(buffer.data(), static_cast<std::size_t>(length));
    }

    void label(const MadePass& pass, double length)
    {
        const char kind = pass.forward ? 'F' : 'B';
        const int stage = pass.chunk * m_job.stages + m_stage;
        add(R"({"ph":"X","cat":"user_annotation","name":"PP:%d%c%d","pid":%d,"tid":1,"ts":%.3f,"dur":%.3f})",
            stage, kind, pass.microBatch, host(), pass.start - 5, length + 4);
        add(R"({"ph":"X","cat":"gpu_user_annotation","name":"PP:%d%c%d","pid":%d,"tid":7,"ts":%.3f,"dur":%.3f})",
            stage, kind, pass.microBatch, device(), pass.start, length);
    }

    void launch(const char* name, double start)
    {
        ++m_launches;
        add(R"({"ph":"X","cat":"cuda_runtime","name":"%s","pid":%d,"tid":1,"ts":%.3f,"dur":2,"args":{"correlation":%d,"External id":%d}})",
            name, host(), start, m_launches, m_launches);
    }

    /// As PyTorch's profiler has it in front of the events.
    std::string head() const
    {
        if (m_told == GroupsTold::InArguments)
            return {};
        std::string text;
        for (const Group* group : {&m_pipeline, &m_data}) {
            Group one = *group;
            if (m_told == GroupsTold::Differently)
                one.ranks.back() += 100;
            text += (text.empty() ? "" : ", ") + (R"({"pg_name": ")" + one.name) +
                    R"(", "pg_desc": ")" + one.description +
                    R"(", "backend_config": "cuda:nccl", "pg_size": )" +
                    std::to_string(one.ranks.size()) + R"(, "ranks": )" + one.list() + "}";
        }
        return R"(, "pg_count": 2, "pg_config": [)" + text + "]";
    }

    /// What the arguments of a kernel tell of its group.
    std::string groupText(const Group& group) const
    {
        std::string text = R"("Process Group Name":")" + group.name + '"';
        if (m_told == GroupsTold::InHead)
            return text;
        std::string ranks = group.list();
        if (m_told == GroupsTold::HeadAndCut)
            ranks = "[" + std::to_string(group.ranks.front()) + ", ..., " +
                    std::to_string(group.ranks.back()) + "]";
        else
            text += R"(,"Process Group Description":")" + std::string(group.description) + '"';
        return text + R"(,"Process Group Ranks":")" + ranks + '"';
    }

    void call(const char* kernel, const char* what, const Group& group, double start, double end,
              int stream, const std::string& peer)
    {
        launch("cudaLaunchKernelExC", start - 8);
        add(R"({"ph":"X","cat":"kernel","name":"%s","pid":%d,"tid":%d,"ts":%.3f,"dur":%.3f,"args":{"External id":%d,"correlation":%d,"stream":%d,"device":%d,"Collective name":"%s","In msg nelems":16777216,"Out msg nelems":16777216,"Group size":%d,"dtype":"BFloat16",%s%s}})",
            kernel, device(), stream, start, end - start, m_launches, m_launches, stream, device(),
            what, static_cast<int>(group.ranks.size()), groupText(group).c_str(), peer.c_str());
    }

    /// The other rank of a message.
    std::string peer(const char* key, int stage) const
    {
        return std::string(",\"") + key +
               "\":" + std::to_string(m_pipeline.ranks[static_cast<std::size_t>(stage)]);
    }

    const MadeJob& m_job;
    int m_stage, m_kernels, m_rank;
    bool m_labelled;
    GroupsTold m_told;
    Group m_pipeline, m_data;
    std::string m_text;
    int m_launches = 0;
    std::int64_t m_events = 0;
};

/// When steps begin, and when the last rank of each ends its passes.
struct StepTimes
{
    std::vector<double> first, last;
};

StepTimes timesOf(const MadeJob& job, const std::vector<MadePass>& passes)
{
    StepTimes times;
    times.first.assign(static_cast<std::size_t>(job.steps), 1e18);
    times.last.assign(times.first.size(), 0);
    for (const MadePass& pass : passes) {
        const auto step = static_cast<std::size_t>(pass.step);
        times.first[step] = std::min(times.first[step], pass.start);
        times.last[step] = std::max(times.last[step], pass.end);
    }
    return times;
}

/// A rank's passes, in their order.
void writePasses(RankText& text, std::span<const MadePass> passes, const StepTimes& times)
{
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const auto step = static_cast<std::size_t>(passes[i].step);
        if (i == 0 || passes[i - 1].step != passes[i].step)
            text.step(passes[i].step, times.first[step] - hop, times.last[step] + sumTime);
        text.pass(passes[i]);
        if (i + 1 == passes.size() || passes[i + 1].step != passes[i].step)
            text.sumOfGradients(passes[i].end, times.last[step] + sumTime);
    }
}

} // namespace

KinetoJobFiles writeKinetoJob(const std::string& folder, const MadeJob& job, int kernels,
                              bool labelled, GroupsTold told)
{
    const std::vector<MadePass> passes = passesOf(job);
    const StepTimes times = timesOf(job, passes);
    const std::size_t each = passes.size() / static_cast<std::size_t>(job.replicas * job.stages);
    KinetoJobFiles made;
    for (int stage = 0; stage < job.stages; ++stage)
        for (int replica = 0; replica < job.replicas; ++replica) {
            RankText text(job, stage, replica, kernels, labelled, told);
            const auto worker = static_cast<std::size_t>(replica * job.stages + stage);
            writePasses(text, std::span(passes).subspan(worker * each, each), times);
            made.events += text.events();
            const std::string content = std::move(text).finished();
            const std::string path = folder + "/rank" +
                                     std::to_string(stage * job.replicas + replica) +
                                     ".pt.trace.json";
            std::ofstream file(path, std::ios::binary);
            if (!file.write(content.data(), static_cast<std::streamsize>(content.size())))
                qFatal("%s cannot be written", path.c_str());
            made.bytes += static_cast<std::int64_t>(content.size());
            made.paths.push_back(path);
        }
    return made;
}

} // namespace pw::test
