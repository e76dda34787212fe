// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/kernel_passes.h"

#include "core/trace/group_ranks.h"
#include "core/trace/message_split.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace pw {

namespace {

/// Whether a kernel is an operation between replicas, as its group says: their gradients' sum is
/// often launched in the last pass, and no part of it.
bool isBetweenReplicas(const Trace& trace, std::int32_t index)
{
    const CollectiveCall* call = trace.callOf(index);
    return call != nullptr && call->group >= 0 &&
           isBetweenReplicas(trace.groups[static_cast<std::size_t>(call->group)]);
}

DeviceWork workOf(const Trace& trace, std::int32_t index)
{
    const TraceSpan& span = trace.spans[static_cast<std::size_t>(index)];
    const std::string_view name = trace.nameOf(span);
    // Only of communication something is said.
    if (isMessageKernel(trace, index) ||
        (span.activity == ActivityKind::Communication && isBetweenReplicas(trace, index)))
        return DeviceWork::Message;
    return name.substr(0, 3) == "Mem" ? DeviceWork::Copy : DeviceWork::Compute;
}

} // namespace

void KernelPasses::take(const ChromeEvent& event, const CategoryMeaning& meaning, std::int32_t span)
{
    if (event.sequence >= 0)
        m_links.op(event, span);
    if (event.correlation <= 0 || event.correlation > std::numeric_limits<std::uint32_t>::max())
        return;
    const Numbered one{static_cast<std::uint32_t>(event.correlation), span};
    if (meaning.kind == ActivityKind::Launch)
        m_launches.push_back(one);
    else if (meaning.device && meaning.kind != ActivityKind::Annotation)
        m_kernels.push_back(one);
}

void KernelPasses::arrow(const ChromeEvent& event, std::int32_t track)
{
    m_links.arrow(event, track);
}

void KernelPasses::link(Trace& trace, std::size_t firstSpan) const
{
    std::vector<TraceLink> links = m_links.links(trace, firstSpan);
    trace.links.insert(trace.links.end(), links.begin(), links.end());
}

void KernelPasses::findLaunches(Trace& trace)
{
    m_anyLaunched = !m_kernels.empty() && !m_launches.empty();
    if (!m_anyLaunched)
        return;
    sortLaunches(trace);
    noteQueued(trace);
}

std::optional<LaunchPlace> KernelPasses::launchOf(const Trace& trace, std::int32_t span) const
{
    // Kernels were taken in the order of their spans.
    const auto kernel = std::lower_bound(
        m_kernels.begin(), m_kernels.end(), span,
        [](const Numbered& one, std::int32_t wanted) { return one.span < wanted; });
    if (kernel == m_kernels.end() || kernel->span != span)
        return std::nullopt;
    const Numbered* launch = launchOf(trace, *kernel);
    if (launch == nullptr)
        return std::nullopt;
    const TraceSpan& call = trace.spans[static_cast<std::size_t>(launch->span)];
    return LaunchPlace{call.track, call.start};
}

bool KernelPasses::label(Trace& trace, EventFile& file)
{
    if (!m_anyLaunched)
        return false;
    std::vector<LabelledRange> ranges = rangesOf(trace, file.firstSpan);
    const bool passes = std::any_of(ranges.begin(), ranges.end(), [](const LabelledRange& range) {
        return range.role == SpanRole::Pass;
    });
    if (!passes)
        return false;
    findWork(trace);
    numberIterations(ranges);
    m_links.find(trace, ranges, file.firstSpan, m_work);
    const std::vector<ProcessId> anyRank(trace.tracks.size());
    const std::int64_t doubtful = joinLaunches(trace, m_work, ranges, anyRank, {});
    const bool any = std::any_of(ranges.begin(), ranges.end(), [](const LabelledRange& range) {
        return range.role == SpanRole::Pass && range.compute.any();
    });
    if (!any) {
        warn(trace, static_cast<std::int64_t>(m_kernels.size()),
             " kernels belong to no labelled pass: their launches lie outside, are not in the file "
             "or have numbers of several processes; passes have the host's times");
        return false;
    }
    appendPasses(trace, file, ranges);
    labelMessages(trace, ranges);
    warn(trace, m_withoutLaunch,
         " kernels have no launch in the file; a pass that they belong to is shown without them");
    warn(trace, doubtful,
         " kernels could belong to passes of several threads; they count for none");
    warn(trace, m_withoutWork,
         " passes have no kernels; they are placed at the end of the pass before, guessed");
    return true;
}

/// The passes, messages and iterations that the host timed.
std::vector<LabelledRange> KernelPasses::rangesOf(const Trace& trace, std::size_t firstSpan) const
{
    std::vector<LabelledRange> ranges;
    for (std::size_t i = firstSpan; i < trace.spans.size(); ++i) {
        const TraceSpan& span = trace.spans[i];
        const SpanLabel* label = trace.labelOf(span);
        if (label == nullptr || label->role == SpanRole::Other || span.trust != Trust::Host)
            continue;
        // The second half of an overlapped pair is the same range.
        if (label->paired && !ranges.empty() && ranges.back().span + 1 == static_cast<int>(i) &&
            ranges.back().name == span.name && ranges.back().start == span.start)
            continue;
        LabelledRange range;
        range.start = span.start;
        range.end = span.end;
        range.span = static_cast<std::int32_t>(i);
        range.process = processOf(span.rank);
        range.thread = span.track;
        range.name = span.name;
        range.iteration = label->iteration;
        range.role = label->role;
        ranges.push_back(range);
    }
    return ranges;
}

/// Sorts the launches by number and time. Numbers that several processes have tell nothing.
void KernelPasses::sortLaunches(const Trace& trace)
{
    const auto spanOf = [&trace](const Numbered& one) -> const TraceSpan& {
        return trace.spans[static_cast<std::size_t>(one.span)];
    };
    const auto earlier = [&](const Numbered& a, const Numbered& b) {
        return std::tuple(a.correlation, spanOf(a).start) <
               std::tuple(b.correlation, spanOf(b).start);
    };
    // A profiler writes them in this order.
    if (!std::is_sorted(m_launches.begin(), m_launches.end(), earlier))
        std::sort(m_launches.begin(), m_launches.end(), earlier);
    auto kept = m_launches.begin();
    for (auto first = m_launches.begin(); first != m_launches.end();) {
        const auto behind = std::find_if(first, m_launches.end(), [&](const Numbered& one) {
            return one.correlation != first->correlation;
        });
        const TraceRankId process = spanOf(*first).rank;
        const bool clear = std::all_of(
            first, behind, [&](const Numbered& one) { return spanOf(one).rank == process; });
        kept = clear ? std::copy(first, behind, kept) : kept;
        first = behind;
    }
    m_launches.erase(kept, m_launches.end());
}

/// The launch of a kernel; where a number comes again, the last before it. Null: none in the file.
const KernelPasses::Numbered* KernelPasses::launchOf(const Trace& trace,
                                                     const Numbered& kernel) const
{
    const auto timeOf = [&trace](const Numbered& one) {
        return trace.spans[static_cast<std::size_t>(one.span)].start;
    };
    // Most numbers are launched once, and kernels come in the order of their launches.
    const auto alone = [&](std::size_t at) {
        return at < m_launches.size() && m_launches[at].correlation == kernel.correlation &&
               (at == 0 || m_launches[at - 1].correlation != kernel.correlation) &&
               (at + 1 == m_launches.size() ||
                m_launches[at + 1].correlation != kernel.correlation);
    };
    for (const std::size_t near : {m_near, m_near + 1})
        if (alone(near)) {
            m_near = near;
            return &m_launches[near];
        }
    auto launched = std::upper_bound(
        m_launches.begin(), m_launches.end(), std::tuple(kernel.correlation, timeOf(kernel)),
        [&timeOf](const auto& wanted, const Numbered& launch) {
            return wanted < std::tuple(launch.correlation, timeOf(launch));
        });
    if (launched != m_launches.begin() && std::prev(launched)->correlation == kernel.correlation)
        --launched;
    if (launched == m_launches.end() || launched->correlation != kernel.correlation)
        return nullptr;
    m_near = static_cast<std::size_t>(launched - m_launches.begin());
    return &*launched;
}

void KernelPasses::noteQueued(Trace& trace) const
{
    for (const Numbered& kernel : m_kernels) {
        const Numbered* launch = launchOf(trace, kernel);
        if (launch == nullptr)
            continue;
        TraceSpan& span = trace.spans[static_cast<std::size_t>(kernel.span)];
        const Ticks queued = span.start - trace.spans[static_cast<std::size_t>(launch->span)].start;
        // Clocks of host and device may differ by more than a launch takes.
        span.queued =
            static_cast<std::int32_t>(std::clamp<Ticks>(queued, 0, TraceSpan::longestQueued));
    }
}

/// What kernels there are, each with its launch.
void KernelPasses::findWork(const Trace& trace)
{
    m_work.reserve(m_kernels.size()); // one list of them, and none that has grown
    for (const Numbered& kernel : m_kernels) {
        LaunchedWork one;
        one.span = kernel.span;
        one.work = workOf(trace, kernel.span);
        const Numbered* launched = launchOf(trace, kernel);
        if (launched == nullptr) {
            m_withoutLaunch += one.work == DeviceWork::Copy ? 0 : 1;
            continue;
        }
        const TraceSpan& launch = trace.spans[static_cast<std::size_t>(launched->span)];
        one.key = launchKey(processOf(launch.rank), kernel.correlation);
        one.launched = launch.start;
        one.thread = launch.track;
        m_work.push_back(one);
    }
}

void KernelPasses::appendPasses(Trace& trace, EventFile& file,
                                const std::vector<LabelledRange>& ranges)
{
    struct Row
    {
        std::int32_t track = -1;
        Ticks end = 0;
        std::vector<const LabelledRange*> without; // passes behind the last that has kernels
    };
    std::map<std::int32_t, Row> rows; // by thread
    const auto append = [&](const LabelledRange& range, Ticks start, Ticks end, Trust trust) {
        Row& row = rows[range.thread];
        if (row.track < 0) {
            row.track = static_cast<std::int32_t>(trace.tracks.size());
            TraceTrack track = trace.tracks[static_cast<std::size_t>(range.thread)];
            track.thread += " on the device";
            trace.tracks.push_back(std::move(track));
        }
        const ProcessId process(range.process);
        ++file.processes[process.index()].labelled;
        const auto first = static_cast<std::size_t>(range.span);
        for (std::size_t half = first; half < first + 2; ++half) {
            const TraceSpan& on = trace.spans[half];
            if (half > first && (on.label < 0 || on.name != range.name || on.start != range.start ||
                                 on.track != range.thread))
                break;
            SpanLabel label = trace.labels[static_cast<std::size_t>(on.label)];
            label.iteration = range.iteration;
            const bool paired = label.paired;
            trace.spans.push_back({start, end, rankAsYet(process), row.track, range.name,
                                   static_cast<std::int32_t>(trace.labels.size()), trust,
                                   ActivityKind::Annotation});
            trace.labels.push_back(label);
            if (!paired)
                break;
        }
    };
    for (const LabelledRange& range : ranges) {
        if (range.role != SpanRole::Pass)
            continue;
        Row& row = rows[range.thread];
        if (!range.compute.any()) {
            if (row.track >= 0)
                row.without.push_back(&range);
            continue;
        }
        if (m_withoutLaunch == 0)
            for (const LabelledRange* without : row.without) {
                append(*without, row.end, row.end, Trust::Guessed);
                ++m_withoutWork;
            }
        row.without.clear();
        append(range, range.compute.first, range.compute.last, Trust::Contained);
        rows[range.thread].end = range.compute.last;
    }
}

/// The label of a message goes from the host's range to a span of its kernels.
void KernelPasses::labelMessages(Trace& trace, const std::vector<LabelledRange>& ranges)
{
    std::map<std::int32_t, std::int32_t> tracks; // by thread
    for (const LabelledRange& range : ranges) {
        const bool message = range.role == SpanRole::Send || range.role == SpanRole::Receive;
        if (!message || !range.message.any())
            continue;
        const auto [track, made] =
            tracks.try_emplace(range.thread, static_cast<std::int32_t>(trace.tracks.size()));
        if (made) {
            TraceTrack row = trace.tracks[static_cast<std::size_t>(range.thread)];
            row.thread += " messages on the device";
            trace.tracks.push_back(std::move(row));
        }
        TraceSpan& host = trace.spans[static_cast<std::size_t>(range.span)];
        const TraceSpan span{range.message.first,
                             range.message.last,
                             rankAsYet(ProcessId(range.process)),
                             track->second,
                             range.name,
                             host.label,
                             Trust::Contained,
                             ActivityKind::Annotation};
        host.label = -1;
        trace.spans.push_back(span);
    }
}

void KernelPasses::warn(Trace& trace, std::int64_t count, const char* what) const
{
    if (count > 0)
        trace.warnings.push_back(trace.files.back() + ": " + std::to_string(count) + what);
}

} // namespace pw
