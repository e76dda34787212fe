// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/launches.h"

#include "core/base/text.h"
#include "executor/model/ops.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace pw::exec::cuda {

namespace {

/// Four at a time: a pass has some thousand words, and each step waits for the last one of its own.
std::uint64_t hashOf(const Words& words, cudaStream_t stream)
{
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
    const auto mixed = [](std::uint64_t hash, std::uint64_t word) {
        hash = (hash ^ word) * odd;
        return hash ^ (hash >> 29U);
    };
    std::array<std::uint64_t, 4> lanes = {words.size(), 1, 2, 3};
    std::size_t at = 0;
    for (; at + lanes.size() <= words.size(); at += lanes.size()) {
        for (std::size_t i = 0; i < lanes.size(); ++i)
            lanes[i] = mixed(lanes[i], words[at + i]);
    }
    std::uint64_t hash = reinterpret_cast<std::uintptr_t>(stream);
    for (; at < words.size(); ++at)
        hash = mixed(hash, words[at]);
    for (const std::uint64_t lane : lanes)
        hash = mixed(hash, lane);
    return hash;
}

} // namespace

Graphs graphsWanted()
{
    const char* const text = std::getenv("PW_CUDA_GRAPHS");
    const std::string_view wanted = text == nullptr ? "" : text;
    if (wanted.empty())
        return Graphs::WhereShort;
    if (wanted != "0" && wanted != "1")
        throw DeviceError("PW_CUDA_GRAPHS is '" + std::string(wanted) + "', not 1 or 0");
    return wanted == "1" ? Graphs::All : Graphs::None;
}

void launchFill(void* data, Bytes bytes, cudaStream_t stream)
{
    check("cudaMemsetAsync", cudaMemsetAsync(data, 0, static_cast<std::size_t>(bytes), stream));
}

void launchCopy(void* to, const void* from, Bytes bytes, cudaStream_t stream)
{
    check("cudaMemcpyAsync", cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes),
                                             cudaMemcpyDeviceToDevice, stream));
}

void Launches::goOn(cudaStream_t stream)
{
    flush();
    m_stream = stream;
}

void Launches::flushQuietly() noexcept
{
    try {
        flush();
    } catch (const std::exception&) {
        m_failure = std::current_exception();
    }
}

void Launches::send()
{
    /// Whatever comes, what was noted is not sent twice.
    struct Sent
    {
        Launches& launches;
        ~Sent()
        {
            launches.m_calls.clear();
            launches.m_words.clear();
        }
    };
    const Sent sent{*this};
    if (m_calls.size() < m_limits.fewestCalls) {
        sendEach();
        return;
    }
    ++m_sent;
    const std::uint64_t hash = hashOf(m_words, m_stream);
    Sequence* const sequence = known(hash);
    if (sequence == nullptr) {
        sendTimed(learn(hash));
    } else if (sequence->graph != nullptr) {
        launch(*sequence);
    } else if (sequence->refused || !isShort(*sequence) || !hasRoom()) {
        sendTimed(*sequence);
    } else {
        capture(*sequence);
    }
}

void Launches::sendEach()
{
    m_counts.direct += static_cast<std::int64_t>(m_calls.size());
    makeEach();
}

/// The first time tells little, since kernels are loaded then: each time tells anew.
void Launches::sendTimed(Sequence& sequence)
{
    if (m_graphs == Graphs::All || sequence.refused) {
        sendEach();
        return;
    }
    sequence.ended = nullptr;
    sequence.began = m_events->record(m_stream, EventPool::Kind::Timed);
    sendEach();
    sequence.ended = m_events->record(m_stream, EventPool::Kind::Timed);
}

/// Whether the device has made the calls so quickly, when it was last asked to, that launching them
/// may have held it up. One that has not come to their end has enough to do.
bool Launches::isShort(const Sequence& sequence) const
{
    if (m_graphs == Graphs::All)
        return true;
    if (sequence.ended == nullptr || !sequence.ended->passed())
        return false;
    float ms = 0;
    check("cudaEventElapsedTime",
          cudaEventElapsedTime(&ms, sequence.began->handle(), sequence.ended->handle()));
    return ticksFromMs(ms) < static_cast<Ticks>(m_calls.size()) * m_limits.longestCall;
}

void Launches::makeEach()
{
    for (const Call& call : m_calls) {
        call.run(m_words.data() + call.at, m_stream);
        checkLaunch(call.what);
    }
}

/// The sequence that was noted, where it has been before; it comes first now.
Launches::Sequence* Launches::known(std::uint64_t hash)
{
    const auto [first, end] = m_byHash.equal_range(hash);
    const auto found = std::find_if(first, end, [this](const auto& one) {
        const Sequence& sequence = *one.second;
        return sequence.stream == m_stream && sequence.words == m_words;
    });
    if (found == end)
        return nullptr;
    m_sequences.splice(m_sequences.begin(), m_sequences, found->second);
    Sequence& sequence = m_sequences.front();
    sequence.used = m_sent;
    return &sequence;
}

Launches::Sequence& Launches::learn(std::uint64_t hash)
{
    m_sequences.push_front({.words = m_words, .hash = hash, .stream = m_stream, .used = m_sent});
    m_byHash.emplace(hash, m_sequences.begin());
    if (m_sequences.size() > m_limits.sequences)
        drop(std::prev(m_sequences.end()));
    return m_sequences.front();
}

void Launches::drop(Sequences::iterator sequence)
{
    retire(*sequence);
    const auto [first, end] = m_byHash.equal_range(sequence->hash);
    m_byHash.erase(
        std::find_if(first, end, [&](const auto& one) { return one.second == sequence; }));
    m_sequences.erase(sequence);
}

/// Whether one graph more may be made. One that has not been launched for long makes room; where
/// all are in use there is none: they would only drive each other out.
bool Launches::hasRoom()
{
    if (m_held < m_limits.graphs)
        return true;
    const auto last = std::find_if(m_sequences.rbegin(), m_sequences.rend(),
                                   [](const Sequence& one) { return one.graph != nullptr; });
    if (last == m_sequences.rend() || m_sent - last->used < 4 * m_limits.graphs)
        return false;
    retire(*last);
    return true;
}

void Launches::launch(Sequence& sequence)
{
    const cudaError_t status = cudaGraphLaunch(sequence.graph, m_stream);
    if (status != cudaSuccess) {
        const std::string name =
            "cudaGraphLaunch, " + std::string(m_calls.front().what) + " to " + m_calls.back().what;
        check(name.c_str(), status);
    }
    ++m_counts.launched;
    m_counts.replayed += static_cast<std::int64_t>(m_calls.size());
}

/// Says what is to be said around the making of a graph, also where it fails.
struct Launches::Making
{
    explicit Making(Launches& of)
        : launches(of)
    {
        if (launches.m_beforeMade)
            launches.m_beforeMade();
    }
    ~Making()
    {
        if (launches.m_afterMade)
            launches.m_afterMade();
    }
    Launches& launches;
};

namespace {

/// Makes a graph of what is enqueued on a stream. @return  empty, or why there is no graph
std::string capturedGraph(cudaStream_t stream, const std::function<void()>& enqueue,
                          cudaGraphExec_t& graph)
{
    const auto failed = [](const char* call, cudaError_t status) {
        cudaGetLastError();
        return errorText(call, status);
    };
    // Of this thread alone: the other ranks' ask the driver for memory meanwhile.
    if (const cudaError_t begun = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
        begun != cudaSuccess)
        return failed("cudaStreamBeginCapture", begun);
    std::string why;
    try {
        enqueue();
    } catch (const DeviceError& failure) {
        why = failure.what();
    }
    cudaGraph_t nodes = nullptr;
    if (const cudaError_t ended = cudaStreamEndCapture(stream, &nodes);
        ended != cudaSuccess && why.empty())
        why = errorText("cudaStreamEndCapture", ended);
    if (why.empty()) {
        if (const cudaError_t made = cudaGraphInstantiate(&graph, nodes, 0); made != cudaSuccess) {
            why = errorText("cudaGraphInstantiate", made);
            graph = nullptr;
        }
    }
    if (nodes != nullptr)
        cudaGraphDestroy(nodes);
    cudaGetLastError(); // what was refused is told, and no failure of the next call
    return why;
}

} // namespace

/// What cannot become a graph is sent call by call: if a call is to blame, it fails there again,
/// under its own name.
void Launches::capture(Sequence& sequence)
{
    m_leaving.sweep();
    const Making making{*this};
    const std::string why = capturedGraph(
        m_stream, [this] { makeEach(); }, sequence.graph);
    if (why.empty()) {
        sequence.began = sequence.ended = nullptr;
        ++m_held;
        ++m_counts.made;
        launch(sequence);
        return;
    }
    sequence.refused = true;
    if (m_counts.refused++ == 0)
        m_why = why;
    sendEach();
}

void Launches::retire(Sequence& sequence)
{
    if (sequence.graph == nullptr)
        return;
    --m_held;
    m_leaving.add(std::exchange(sequence.graph, nullptr), sequence.stream);
}

void Launches::forget()
{
    flush();
    while (!m_sequences.empty())
        drop(m_sequences.begin());
}

void Launches::end() noexcept
{
    m_calls.clear();
    m_words.clear();
    m_failure = nullptr;
    m_byHash.clear();
    for (const Sequence& sequence : m_sequences) {
        if (sequence.graph != nullptr)
            cudaGraphExecDestroy(sequence.graph);
    }
    m_sequences.clear();
    m_held = 0;
    m_leaving.end();
}

void Launches::abandon() noexcept
{
    for (Sequence& sequence : m_sequences)
        sequence.graph = nullptr;
    m_leaving.abandon();
    end();
}

std::vector<std::string> Launches::takeNotes()
{
    std::vector<std::string> notes;
    const Counts counts = std::exchange(m_counts, {});
    const std::string why = std::exchange(m_why, {});
    if (!graphs() || (m_graphs != Graphs::All && counts.launched + counts.refused == 0))
        return notes;
    notes.push_back("CUDA graphs: " + groupedNumber(counts.made) + " made; " +
                    groupedNumber(counts.launched) + " launches of them took the place of " +
                    groupedNumber(counts.replayed) + " calls, " + groupedNumber(counts.direct) +
                    " were made by themselves");
    if (counts.refused > 0)
        notes.push_back(groupedNumber(counts.refused) +
                        " sequences of calls could not become a CUDA graph and are launched call "
                        "by call: " +
                        why);
    return notes;
}

} // namespace pw::exec::cuda
