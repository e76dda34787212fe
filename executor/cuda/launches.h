// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/cuda/call_words.h"
#include "executor/cuda/cuda_error.h"
#include "executor/cuda/events.h"
#include "executor/cuda/leaving_graphs.h"

#include <cuda_runtime_api.h>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace pw::exec::cuda {

/// What becomes a graph of what is launched again and again.
enum class Graphs : std::uint8_t
{
    None,
    WhereShort, ///< what the device does so quickly that launching may hold it up
    All
};

/// As PW_CUDA_GRAPHS says: 0 none, 1 all, where it is not set those where it helps.
/// @throws DeviceError  it says something else
Graphs graphsWanted();

/// Fills memory of the device with zeros, or copies within it, as launches like others.
/// @throws DeviceError
void launchFill(void* data, Bytes bytes, cudaStream_t stream);
void launchCopy(void* to, const void* from, Bytes bytes, cudaStream_t stream);

/// What a rank launches on its stream.
///
/// Without graphs each call is made at once. With them calls are only noted, until somebody needs
/// the stream for something else and says `flush`. A sequence of calls that comes for the second
/// time, the same to the last bit of every argument, is captured, and from then on launched as one
/// graph: one call of the driver in place of tens, which ranks of one process contend for. Nothing
/// needs to know what a sequence is part of; what comes once only is launched call by call, and so
/// is, where not all become graphs, what took the device longer than the host needs to launch it.
///
/// One thread, the rank's; its GPU is current.
class Launches
{
public:
    struct Limits
    {
        std::size_t sequences = 1024; ///< that are known
        std::size_t graphs = 256;     ///< of them; each takes memory of the GPU
        /// So many calls are launched as quickly by themselves.
        std::size_t fewestCalls = 3;
        /// What a call takes the device at most, on the mean of a sequence, where graphs are of
        /// short ones. A launch costs 3 µs, more where ranks contend: a graph saves nothing there,
        /// and takes memory.
        Ticks longestCall = ticksPerMs / 10;
    };
    struct Counts
    {
        std::int64_t made = 0;     ///< graphs
        std::int64_t launched = 0; ///< graphs, the first time, too
        std::int64_t replayed = 0; ///< calls within those
        std::int64_t direct = 0;   ///< calls by themselves
        std::int64_t refused = 0;  ///< sequences that cannot become graphs
    };

    /// Calls go to the device's own stream until `goOn` says otherwise.
    Launches(std::shared_ptr<EventPool> events, Graphs graphs)
        : Launches(std::move(events), graphs, Limits{})
    {
    }
    Launches(std::shared_ptr<EventPool> events, Graphs graphs, Limits limits)
        : m_events(std::move(events))
        , m_graphs(graphs)
        , m_limits(limits)
        , m_leaving(m_events)
    {
    }
    /// @pre  the device has come to the end of its work, or `abandon` was called
    ~Launches() { end(); }
    Launches(const Launches&) = delete;
    Launches& operator=(const Launches&) = delete;

    bool graphs() const { return m_graphs != Graphs::None; }
    /// Called around what makes a graph or fails to, for who counts the memory that it takes; must
    /// not throw.
    void whenMade(std::function<void()> before, std::function<void()> after)
    {
        m_beforeMade = std::move(before);
        m_afterMade = std::move(after);
    }
    /// Where calls go; what is noted is not there yet.
    cudaStream_t stream() const { return m_stream; }
    /// Calls go to another stream from now on.
    /// @throws DeviceError
    void goOn(cudaStream_t stream);

    /// A call of `Launch(args..., stream)`.
    /// @tparam Launch  a function that only enqueues, and keeps nothing of what it is given
    /// @param  what    the operation, for who reads of its failure; a literal
    /// @throws DeviceError  it could not be launched, or something before it
    template<auto Launch, typename... Args>
    void add(const char* what, Args... args)
    {
        if (!graphs()) {
            Launch(args..., m_stream);
            checkLaunch(what);
            return;
        }
        if (m_failure)
            std::rethrow_exception(std::exchange(m_failure, nullptr));
        m_calls.push_back({&callOf<Launch, Args...>, what, m_words.size() + 1});
        putWords(m_words, &callOf<Launch, Args...>);
        (putWords(m_words, args), ...);
    }

    /// Sends what was noted: work that is enqueued from now on comes after it.
    /// @throws DeviceError  names the operation that could not be launched
    void flush()
    {
        if (m_failure)
            std::rethrow_exception(std::exchange(m_failure, nullptr));
        if (!m_calls.empty())
            send();
    }
    /// The same; a failure comes with the next call.
    void flushQuietly() noexcept;

    /// Sends what was noted, and makes graphs anew: memory that they use goes back to the driver,
    /// or somebody wants to hear of their kernels.
    /// @throws DeviceError
    void forget();
    /// What was noted is not wanted any more, and graphs are not either.
    /// @pre  the device has come to the end of its work
    void end() noexcept;
    /// The same where it has not: the driver keeps the graphs.
    void abandon() noexcept;

    const Counts& counts() const { return m_counts; }
    /// Counts since the last time for a person to read, a line each; none where nothing was
    /// captured, unless all was to be.
    std::vector<std::string> takeNotes();

private:
    using Run = void (*)(const std::uint64_t* words, cudaStream_t stream);
    struct Call
    {
        Run run;
        const char* what;
        std::size_t at; ///< of its arguments, in the words
    };
    struct Sequence
    {
        Words words;
        std::uint64_t hash = 0;
        cudaStream_t stream = nullptr;
        cudaGraphExec_t graph = nullptr;
        bool refused = false;
        std::shared_ptr<Event> began =
            nullptr; ///< around its calls, when they were made last; or null
        std::shared_ptr<Event> ended = nullptr;
        std::uint64_t used = 0; ///< number of the sending that used it last
    };
    struct Making;
    using Sequences = std::list<Sequence>;

    template<auto Launch, typename... Args>
    static void callOf([[maybe_unused]] const std::uint64_t* words, cudaStream_t stream)
    {
        const std::tuple<Args...> args{takeWords<Args>(words)...};
        std::apply([stream](const Args&... each) { Launch(each..., stream); }, args);
    }

    void send();
    void sendEach();
    void sendTimed(Sequence& sequence);
    bool isShort(const Sequence& sequence) const;
    void makeEach();
    Sequence* known(std::uint64_t hash);
    Sequence& learn(std::uint64_t hash);
    void drop(Sequences::iterator sequence);
    bool hasRoom();
    void launch(Sequence& sequence);
    void capture(Sequence& sequence);
    void retire(Sequence& sequence);

    cudaStream_t m_stream = nullptr;
    std::shared_ptr<EventPool> m_events;
    Graphs m_graphs;
    std::function<void()> m_beforeMade;
    std::function<void()> m_afterMade;
    Limits m_limits;
    std::vector<Call> m_calls; ///< that were noted
    Words m_words;             ///< of those
    std::exception_ptr m_failure;

    Sequences m_sequences; ///< what was used last comes first
    std::unordered_multimap<std::uint64_t, Sequences::iterator> m_byHash;
    LeavingGraphs m_leaving;
    std::size_t m_held = 0;   ///< graphs of sequences
    std::uint64_t m_sent = 0; ///< sequences so far
    Counts m_counts;
    std::string m_why; ///< the first that was refused was
};

} // namespace pw::exec::cuda
