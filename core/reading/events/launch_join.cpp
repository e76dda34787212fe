// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/launch_join.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace pw {

namespace {

/// Work mostly comes in the order in which it is wanted.
template<typename Less>
void sortUnlessSorted(std::vector<LaunchedWork>& work, const Less& less)
{
    if (!std::is_sorted(work.begin(), work.end(), less))
        std::sort(work.begin(), work.end(), less);
}

/// The range that a launch on a thread belongs to.
struct Owner
{
    std::int32_t range = -1;
    bool doubtful = false;
};

class Join
{
public:
    Join(const Trace& trace, std::vector<LabelledRange>& ranges,
         const std::vector<ProcessId>& ownerOfThread)
        : m_trace(trace)
        , m_ranges(ranges)
        , m_ownerOfThread(ownerOfThread)
    {
    }

    /// Launches come by process and time.
    bool take(const LaunchedWork& work)
    {
        advance(work);
        const Owner owner = ownerOf(work);
        if (owner.range < 0)
            return !owner.doubtful;
        LabelledRange& range = m_ranges[static_cast<std::size_t>(owner.range)];
        const TraceSpan& span = m_trace.spans[static_cast<std::size_t>(work.span)];
        extentFor(range, work.work, span).take(span.start, span.end);
        return true;
    }

private:
    static Extent& extentFor(LabelledRange& range, DeviceWork work, const TraceSpan& span)
    {
        if (work != DeviceWork::Compute)
            return range.message;
        if (span.activity != ActivityKind::Communication)
            return range.compute;
        for (auto& [track, extent] : range.collectives)
            if (track == span.track)
                return extent;
        return range.collectives.emplace_back(span.track, Extent()).second;
    }

    const LabelledRange& at(std::int32_t range) const
    {
        return m_ranges[static_cast<std::size_t>(range)];
    }

    /// Makes `m_open` the ranges of the work's process around its launch, by start.
    void advance(const LaunchedWork& work)
    {
        const auto size = static_cast<std::int32_t>(m_ranges.size());
        while (m_next < size && std::tuple(at(m_next).process, at(m_next).start) <=
                                    std::tuple(work.process(), work.launched)) {
            if (at(m_next).role != SpanRole::Step)
                m_open.push_back(m_next);
            ++m_next;
        }
        m_open.erase(std::remove_if(m_open.begin(), m_open.end(),
                                    [&](std::int32_t range) {
                                        return at(range).process != work.process() ||
                                               at(range).end < work.launched;
                                    }),
                     m_open.end());
    }

    Owner ownerOf(const LaunchedWork& work) const
    {
        for (auto range = m_open.rbegin(); range != m_open.rend(); ++range)
            if (at(*range).thread == work.thread)
                return {*range, false};
        if (work.range >= 0)
            return {work.range, false};
        Owner other;
        const ProcessId launchedFor =
            processOf(m_trace.spans[static_cast<std::size_t>(work.span)].rank);
        for (auto range = m_open.rbegin(); range != m_open.rend(); ++range) {
            const std::int32_t thread = at(*range).thread;
            const ProcessId owner = m_ownerOfThread[static_cast<std::size_t>(thread)];
            if (owner.valid() && owner != launchedFor)
                continue;
            if (other.range < 0)
                other.range = *range;
            else if (at(other.range).thread != thread)
                other.doubtful = true;
        }
        return other.doubtful ? Owner{-1, true} : other;
    }

    const Trace& m_trace;
    std::vector<LabelledRange>& m_ranges;
    const std::vector<ProcessId>& m_ownerOfThread;
    std::int32_t m_next = 0;
    std::vector<std::int32_t> m_open;
};

} // namespace

void Extent::take(Ticks start, Ticks end)
{
    first = any() ? std::min(first, start) : start;
    last = std::max(last, end);
}

const Extent& LabelledRange::extent() const
{
    if (role == SpanRole::Pass)
        return compute;
    return message.any() ? message : compute;
}

LaunchNotes::LaunchNotes(std::vector<LaunchedWork>& work)
    : m_work(work)
{
    sortUnlessSorted(work, [](const LaunchedWork& a, const LaunchedWork& b) {
        return std::tuple(a.key, a.span) < std::tuple(b.key, b.span);
    });
}

void LaunchNotes::note(std::uint64_t key, std::int32_t thread, Ticks time)
{
    // What came next is the first with its key where the one before has another.
    std::size_t at = m_next;
    if (at >= m_work.size() || m_work[at].key != key || (at > 0 && m_work[at - 1].key == key)) {
        // Also where nothing has the key, and lies between the last one and the next.
        const bool between =
            at > 0 && m_work[at - 1].key < key && (at == m_work.size() || m_work[at].key > key);
        if (between)
            return;
        at = static_cast<std::size_t>(
            std::lower_bound(
                m_work.begin(), m_work.end(), key,
                [](const LaunchedWork& one, std::uint64_t wanted) { return one.key < wanted; }) -
            m_work.begin());
    }
    // A graph launches many kernels at once.
    for (; at < m_work.size() && m_work[at].key == key; ++at) {
        m_work[at].thread = thread;
        m_work[at].launched = time;
    }
    m_next = at;
}

void numberIterations(std::vector<LabelledRange>& ranges)
{
    std::sort(ranges.begin(), ranges.end(), [](const LabelledRange& a, const LabelledRange& b) {
        return std::tuple(a.process, a.start, b.end, a.span) <
               std::tuple(b.process, b.start, a.end, b.span);
    });
    struct Step
    {
        Ticks end = 0;
        std::int32_t iteration = -1;
    };
    std::unordered_map<std::int32_t, Step> last; // by thread
    for (LabelledRange& range : ranges) {
        if (range.role == SpanRole::Step) {
            last[range.thread] = {range.end, range.iteration};
            continue;
        }
        const auto step = last.find(range.thread);
        if (range.iteration < 0 && step != last.end() && range.start < step->second.end)
            range.iteration = step->second.iteration;
    }
}

namespace {

/// How many passes of a kind on a thread begin or end with a collective of a stream.
struct CollectiveEnds
{
    std::int64_t leading = 0;
    std::int64_t trailing = 0;
};

/// Decides which collectives belong to the passes that launched them.
class CollectiveJudge
{
public:
    CollectiveJudge(const Trace& trace, std::vector<LabelledRange>& ranges)
        : m_trace(trace)
        , m_ranges(ranges)
    {
    }

    void run()
    {
        for (const LabelledRange& range : m_ranges)
            if (computes(range))
                count(range);
        for (LabelledRange& range : m_ranges) {
            const bool pass = computes(range);
            const Extent compute = range.compute;
            for (const auto& [track, extent] : range.collectives)
                if (!pass)
                    range.compute.take(extent.first, extent.last);
                else
                    take(range, compute, track, extent);
        }
    }

private:
    using Kind = std::pair<std::int32_t, PassKind>; ///< of a pass, with its thread

    static bool computes(const LabelledRange& range)
    {
        return range.role == SpanRole::Pass && range.compute.any();
    }

    Kind kindOf(const LabelledRange& range) const
    {
        const SpanLabel* label =
            m_trace.labelOf(m_trace.spans[static_cast<std::size_t>(range.span)]);
        return {range.thread, label == nullptr ? PassKind::F : label->kind};
    }

    void count(const LabelledRange& range)
    {
        const Kind kind = kindOf(range);
        ++m_passes[kind];
        for (const auto& [track, extent] : range.collectives) {
            CollectiveEnds& ends = m_ends[{kind, track}];
            ends.leading += extent.first < range.compute.first ? 1 : 0;
            ends.trailing += extent.last > range.compute.last ? 1 : 0;
        }
    }

    /// @param compute  of the range, before any collective
    void take(LabelledRange& range, const Extent& compute, std::int32_t track,
              const Extent& extent) const
    {
        const Kind kind = kindOf(range);
        const CollectiveEnds& ends = m_ends.at({kind, track});
        const std::int64_t passes = m_passes.at(kind);
        if (extent.first < compute.first && ends.leading * 2 > passes)
            range.compute.take(extent.first, range.compute.last);
        if (extent.last > compute.last && ends.trailing * 2 > passes)
            range.compute.take(range.compute.first, extent.last);
    }

    const Trace& m_trace;
    std::vector<LabelledRange>& m_ranges;
    std::map<Kind, std::int64_t> m_passes;
    std::map<std::pair<Kind, std::int32_t>, CollectiveEnds> m_ends; // by stream
};

} // namespace

std::int64_t joinLaunches(const Trace& trace, std::vector<LaunchedWork>& work,
                          std::vector<LabelledRange>& ranges,
                          const std::vector<ProcessId>& ownerOfThread,
                          const std::function<bool()>& goOn)
{
    sortUnlessSorted(work, [](const LaunchedWork& a, const LaunchedWork& b) {
        return std::tuple(a.process(), a.launched, a.span) <
               std::tuple(b.process(), b.launched, b.span);
    });
    Join join(trace, ranges, ownerOfThread);
    constexpr std::int64_t often = 4096;
    std::int64_t doubtful = 0, taken = 0;
    for (const LaunchedWork& one : work) {
        if (++taken % often == 0 && goOn && !goOn())
            return -1;
        if (one.thread >= 0)
            doubtful += join.take(one) ? 0 : 1;
    }
    CollectiveJudge(trace, ranges).run();
    return doubtful;
}

} // namespace pw
