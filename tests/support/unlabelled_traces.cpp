// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/unlabelled_traces.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <tuple>

namespace pw::test {

namespace {

constexpr int linkTime = 30;

/// A pass of 1F1B on a rank, in the order in which it runs.
struct RankStep
{
    bool forward = true;
    int microBatch = 0;
    int start = 0;
    int end = 0;
    int asked = 0; ///< when the rank began to wait for its input
};

using RankOrder = std::vector<RankStep>;

/// 1F1B as PyTorch's Schedule1F1B runs it, timed over links of `linkTime`.
std::vector<RankOrder> oneForwardOneBackward(int ranks, int microBatches)
{
    std::vector<RankOrder> orders(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
        RankOrder& order = orders[static_cast<std::size_t>(rank)];
        const int warmUp = std::min(microBatches, ranks - rank);
        for (int i = 0; i < warmUp; ++i)
            order.push_back({true, i});
        for (int i = 0; i < microBatches; ++i) {
            order.push_back({false, i});
            if (warmUp + i < microBatches)
                order.push_back({true, warmUp + i});
        }
    }
    std::map<std::tuple<int, bool, int>, int> ends; // by rank, kind, micro-batch
    bool moved = true;
    std::vector<std::size_t> next(orders.size(), 0);
    while (moved) {
        moved = false;
        for (int rank = 0; rank < ranks; ++rank) {
            std::size_t& at = next[static_cast<std::size_t>(rank)];
            RankOrder& order = orders[static_cast<std::size_t>(rank)];
            if (at == order.size())
                continue;
            RankStep& step = order[at];
            const int from = step.forward ? rank - 1 : rank + 1;
            const bool waits = from >= 0 && from < ranks;
            const auto input = ends.find({from, step.forward, step.microBatch});
            if (waits && input == ends.end())
                continue;
            step.asked = at > 0 ? order[at - 1].end + 4 : 0;
            step.start = std::max<int>(step.asked + 4, waits ? input->second + linkTime : 0);
            step.end = step.start + (step.forward ? linkedForwardTime : linkedBackwardTime);
            ends[{rank, step.forward, step.microBatch}] = step.end;
            ++at;
            moved = true;
        }
    }
    return orders;
}

/// Writes what PyTorch's profiler has of such a rank: operators, messages, no label of a pass.
class RankFile
{
public:
    RankFile(int rank, int ranks, bool device)
        : m_rank(rank)
        , m_ranks(ranks)
        , m_device(device)
    {
    }

    void step(const RankOrder& order, int base)
    {
        for (const RankStep& one : order) {
            m_host += 1000; // where a device computes, the host is far ahead
            const int begin = m_device ? m_host : base + one.start;
            const int end = m_device ? m_host + 50 : base + one.end;
            const int from = one.forward ? m_rank - 1 : m_rank + 1;
            const int to = one.forward ? m_rank + 1 : m_rank - 1;
            if (from >= 0 && from < m_ranks)
                message("recv", from, (m_device ? m_host - 20 : base + one.asked), begin - 1);
            operators(one, begin, end);
            if (m_device)
                kernel(one, begin + 5, base);
            if (to >= 0 && to < m_ranks)
                message("send", to, end + 1, end + 3);
        }
        // What follows a step has no part in its passes.
        event("cpu_op", "aten::add_", 1, (m_device ? m_host + 200 : base + order.back().end + 10),
              40);
    }

    std::string text() const
    {
        return "{\"distributedInfo\": {\"rank\": " + std::to_string(m_rank) +
               "}, \"traceEvents\": [\n" + m_events.str() + "{\"ph\": \"i\", \"ts\": 1}]}";
    }

private:
    void event(const char* category, const std::string& name, int thread, int start, int length,
               const std::string& arguments = {}, int process = 500)
    {
        m_events << R"({"ph": "X", "cat": ")" << category << R"(", "name": ")" << name
                 << "\", \"pid\": " << process << ", \"tid\": " << thread << ", \"ts\": " << start
                 << ", \"dur\": " << length << ", \"args\": {" << arguments << "}},\n";
    }

    void message(const char* what, int peer, int start, int end)
    {
        const std::string kind = what;
        if (m_device) {
            event("user_annotation",
                  "nccl:" + kind + " " + std::to_string(m_rank) + (kind == "send" ? "->" : "<-") +
                      std::to_string(peer),
                  1, start, 2);
            return;
        }
        event("cpu_op", kind == "send" ? "c10d::send" : "c10d::recv_", 1, start, 1);
        event("user_annotation", "gloo:" + kind, 1, start + 1, std::max(1, end - start - 1));
    }

    static std::string sequence(int number, bool backward)
    {
        return "\"Sequence number\": " + std::to_string(number) +
               ", \"Fwd thread id\": " + (backward ? "1" : "0");
    }

    /// Two operators, one of them inside another; a backward ends with the sum into a gradient.
    void operators(const RankStep& one, int begin, int end)
    {
        const int half = (end - begin) / 2;
        const int thread = m_device && !one.forward ? 2 : 1;
        if (one.forward) {
            const int number = m_number;
            m_number += 2;
            m_numbers[one.microBatch] = number;
            event("cpu_op", "aten::linear", thread, begin, half);
            event("cpu_op", "aten::addmm", thread, begin + 2, half - 3, sequence(number, false));
            event("cpu_op", "aten::gelu", thread, begin + half, end - begin - half,
                  sequence(number + 1, false));
            return;
        }
        const int number = m_numbers[one.microBatch];
        event("cpu_op", "autograd::engine::evaluate_function: GeluBackward0", thread, begin, half,
              sequence(number + 1, true));
        event("cpu_op", "GeluBackward0", thread, begin + 1, half - 2, sequence(number + 1, true));
        event("cpu_op", "autograd::engine::evaluate_function: AddmmBackward0", thread, begin + half,
              10, sequence(number, true));
        event("cpu_op", "autograd::engine::evaluate_function: AccumulateGrad", thread,
              begin + half + 11, end - begin - half - 11);
    }

    void kernel(const RankStep& one, int launched, int base)
    {
        const std::string same = "\"correlation\": " + std::to_string(++m_correlation);
        event("cuda_runtime", "cudaLaunchKernel", one.forward ? 1 : 2, launched, 1, same);
        event("kernel", "gemm", 7, base + one.start, one.end - one.start, same, 0);
    }

    int m_rank;
    int m_ranks;
    bool m_device;
    int m_host = 0;
    int m_number = 1;
    int m_correlation = 0;
    std::map<int, int> m_numbers; // of forwards, by micro-batch
    std::ostringstream m_events;
};

} // namespace

std::vector<TraceText> unlabelledFiles(int ranks, int microBatches, int steps, bool device,
                                       int without)
{
    const std::vector<RankOrder> orders = oneForwardOneBackward(ranks, microBatches);
    std::vector<TraceText> files;
    for (int rank = 0; rank < ranks; ++rank) {
        RankFile file(rank, ranks, device);
        for (int step = 0; step < steps - (rank == without ? 1 : 0); ++step)
            file.step(orders[static_cast<std::size_t>(rank)], 1'000'000 + 10'000 * step);
        files.push_back({"rank" + std::to_string(rank) + ".json", file.text()});
    }
    return files;
}

} // namespace pw::test
