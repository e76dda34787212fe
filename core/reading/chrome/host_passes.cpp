// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/host_passes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace pw {

namespace {

/// What an operator or annotation of the host is for a pass around it, by its name.
enum class HostWork : std::uint8_t
{
    Other,
    Library, ///< of the communication library, or a wait
    Send,    ///< of a backend
    Receive
};

HostWork hostWork(std::string_view name)
{
    constexpr std::array<std::string_view, 6> backends = {
        "gloo:", "nccl:", "xccl:", "ucc:", "mpi:", "hccl:"};
    for (const std::string_view backend : backends)
        if (name.starts_with(backend)) {
            const std::string_view what = name.substr(backend.size());
            return what.starts_with("send")                                ? HostWork::Send
                   : what.starts_with("recv") || what.starts_with("irecv") ? HostWork::Receive
                                                                           : HostWork::Library;
        }
    constexpr std::array<std::string_view, 5> library = {
        "c10d::", "_c10d_functional::", "c10d_functional::", "record_param_comms", "dist::"};
    for (const std::string_view head : library)
        if (name.starts_with(head))
            return HostWork::Library;
    return HostWork::Other;
}

/// A labelled stretch of the host.
struct HostRange
{
    Ticks start = 0;
    Ticks end = 0;
    Ticks work = latestTime;      // the first operator that computes
    Ticks received = -latestTime; // the last receive that ends inside
    std::int32_t span = -1;
    ProcessId process;
    std::int32_t track = -1;
    std::int32_t transfer = -1; // of a message, the backend's span
    SpanRole role = SpanRole::Other;
    PassKind kind = PassKind::F;

    /// From where on it computes.
    Ticks begin() const
    {
        if (work <= end)
            return std::max(work, start);
        return std::clamp(received, start, end);
    }
};

class HostPasses
{
public:
    HostPasses(Trace& trace, EventFile& file)
        : m_trace(trace)
        , m_file(file)
    {
    }

    void run()
    {
        for (const std::string& name : m_trace.names)
            m_work.push_back(hostWork(name));
        if (!findRanges())
            return;
        sortRanges();
        for (std::size_t i = m_file.firstSpan; i < m_end; ++i)
            take(static_cast<std::int32_t>(i));
        appendPasses();
        moveMessages();
    }

private:
    TraceSpan& at(std::int32_t index) { return m_trace.spans[static_cast<std::size_t>(index)]; }
    HostWork workOf(const TraceSpan& span) const
    {
        return m_work[static_cast<std::size_t>(span.name)];
    }

    /// @return whether there are passes, and operators that tell waits from work
    bool findRanges()
    {
        m_end = m_trace.spans.size();
        bool library = false, passes = false;
        for (std::size_t i = m_file.firstSpan; i < m_end; ++i) {
            const TraceSpan& span = m_trace.spans[i];
            library = library || workOf(span) != HostWork::Other;
            const SpanLabel* label = m_trace.labelOf(span);
            if (label == nullptr || span.trust != Trust::Host ||
                m_trace.nameOf(span).substr(0, 3) != "PP:")
                continue;
            if (label->role != SpanRole::Pass && label->role != SpanRole::Send &&
                label->role != SpanRole::Receive)
                continue;
            HostRange range;
            range.start = span.start;
            range.end = span.end;
            range.span = static_cast<std::int32_t>(i);
            range.process = processOf(span.rank);
            range.track = span.track;
            range.role = label->role;
            range.kind = label->kind;
            m_ranges.push_back(range);
            passes = passes || range.role == SpanRole::Pass;
        }
        return library && passes;
    }

    void sortRanges()
    {
        std::sort(m_ranges.begin(), m_ranges.end(), [](const HostRange& a, const HostRange& b) {
            return std::tuple(a.track, a.start, a.span) < std::tuple(b.track, b.start, b.span);
        });
        for (std::size_t i = 0; i < m_ranges.size(); ++i)
            if (const auto [found, made] = m_firstOfTrack.try_emplace(m_ranges[i].track, i); made)
                m_tracksOfProcess[m_ranges[i].process].push_back(m_ranges[i].track);
    }

    /// Calls `use` with the ranges of a track around a moment: both halves of a pair, one message.
    template<typename Use>
    void around(std::int32_t track, Ticks moment, const Use& use)
    {
        const auto behind =
            std::upper_bound(m_ranges.begin(), m_ranges.end(), std::tuple(track, moment),
                             [](const auto& wanted, const HostRange& range) {
                                 return wanted < std::tuple(range.track, range.start);
                             });
        constexpr int most = 4; // a pair has two halves, and a bound two neighbours
        auto range = behind;
        for (int i = 0; i < most && range != m_ranges.begin(); ++i) {
            --range;
            if (range->track != track)
                break;
            if (range->end >= moment)
                use(*range);
        }
    }

    void take(std::int32_t index)
    {
        const TraceSpan& span = at(index);
        const HostWork work = workOf(span);
        const bool computes = work == HostWork::Other && span.activity == ActivityKind::Operator;
        if (!computes && work != HostWork::Send && work != HostWork::Receive)
            return;
        const auto on = [&](std::int32_t track) {
            if (computes)
                around(track, span.start,
                       [&](HostRange& range) { range.work = std::min(range.work, span.start); });
            else
                takeTransfer(index, track, work);
        };
        if (m_firstOfTrack.count(span.track) > 0) {
            on(span.track);
            return;
        }
        // Threads of one process with passes of their own are several ranks.
        const auto tracks = m_tracksOfProcess.find(processOf(span.rank));
        if (tracks != m_tracksOfProcess.end() && tracks->second.size() == 1)
            on(tracks->second.front());
    }

    void takeTransfer(std::int32_t index, std::int32_t track, HostWork work)
    {
        const TraceSpan& span = at(index);
        const SpanRole role = work == HostWork::Send ? SpanRole::Send : SpanRole::Receive;
        around(track, span.start, [&](HostRange& range) {
            if (range.role == role && range.transfer < 0)
                range.transfer = index;
        });
        if (work == HostWork::Receive)
            around(track, span.end, [&](HostRange& range) {
                if (range.role == SpanRole::Pass)
                    range.received = std::max(range.received, span.end);
            });
    }

    /// The track of the passes of a thread, made where it is not there yet.
    std::int32_t trackOf(std::int32_t thread)
    {
        const auto [track, made] =
            m_passTracks.try_emplace(thread, static_cast<std::int32_t>(m_trace.tracks.size()));
        if (made) {
            TraceTrack row = m_trace.tracks[static_cast<std::size_t>(thread)];
            row.thread += " passes";
            m_trace.tracks.push_back(std::move(row));
        }
        return track->second;
    }

    void appendPasses()
    {
        // In the order of the file, so that halves of a pair stay neighbours.
        std::sort(m_ranges.begin(), m_ranges.end(),
                  [](const HostRange& a, const HostRange& b) { return a.span < b.span; });
        for (const HostRange& range : m_ranges) {
            if (range.role != SpanRole::Pass)
                continue;
            TraceSpan span = at(range.span);
            span.start = range.begin();
            span.track = trackOf(range.track);
            span.trust = Trust::Contained;
            const SpanLabel label = *m_trace.labelOf(span);
            span.label = static_cast<std::int32_t>(m_trace.labels.size());
            m_trace.labels.push_back(label);
            m_trace.spans.push_back(span);
            ++m_file.processes[range.process.index()].labelled;
        }
    }

    /// A send can arrive before the backend's span begins, which is made once it is handed over: a
    /// transfer begins with the posting of it.
    void moveMessages()
    {
        for (const HostRange& range : m_ranges) {
            if (range.transfer < 0 || at(range.transfer).label >= 0)
                continue;
            TraceSpan& posted = at(range.span);
            if (range.role == SpanRole::Receive) {
                std::swap(at(range.transfer).label, posted.label);
                continue;
            }
            TraceSpan span = at(range.transfer);
            span.start = std::min(span.start, posted.start);
            if (m_messageTrack < 0)
                m_messageTrack = newMessageTrack(range.track);
            span.track = m_messageTrack;
            span.label = posted.label;
            span.trust = Trust::Contained;
            posted.label = -1;
            m_trace.spans.push_back(span);
        }
    }

    std::int32_t newMessageTrack(std::int32_t thread)
    {
        TraceTrack row = m_trace.tracks[static_cast<std::size_t>(thread)];
        row.thread += " sends";
        m_trace.tracks.push_back(std::move(row));
        return static_cast<std::int32_t>(m_trace.tracks.size()) - 1;
    }

    Trace& m_trace;
    EventFile& m_file;
    std::size_t m_end = 0;
    std::vector<HostWork> m_work; // by name
    std::vector<HostRange> m_ranges;
    std::map<std::int32_t, std::size_t> m_firstOfTrack;
    std::map<std::int32_t, std::int32_t> m_passTracks; // made for the passes of each thread
    std::int32_t m_messageTrack = -1;
    std::map<ProcessId, std::vector<std::int32_t>> m_tracksOfProcess;
};

} // namespace

void labelHostPasses(Trace& trace, EventFile& file)
{
    HostPasses(trace, file).run();
}

} // namespace pw
