// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/collective_notes.h"
#include "core/reading/events/label_choice.h"
#include "core/reading/nsys/nsys_content.h"
#include "core/trace/message_split.h"

#include <algorithm>
#include <unordered_map>

namespace pw::nsys {

namespace {

/// What a thread's passes came to on the device so far.
struct LastPass
{
    bool any = false;
    Ticks end = 0;
    std::vector<const LabelledRange*> without; // passes behind it that launched nothing
};

class Labelling
{
public:
    Labelling(const std::string& path, Content& content, const KeepReadingRows& goOn)
        : m_path(path)
        , m_in(content)
        , m_goOn(goOn)
    {
    }

    Result<void> label();

private:
    void noteCollectives();
    void chooseRanges();
    SpanLabel labelOf(const LabelledRange& range, SpanLabel label) const;
    void labelOnHost(const LabelledRange& range);
    void labelOnDevice(const LabelledRange& range);
    void appendOnDevice(const LabelledRange& range, Ticks start, Ticks end, Trust trust);

    const std::string& m_path;
    Content& m_in;
    const KeepReadingRows& m_goOn;
    std::unordered_map<std::int32_t, LastPass> m_lastPass; // by thread
};

SpanLabel Labelling::labelOf(const LabelledRange& range, SpanLabel label) const
{
    label.iteration = range.iteration >= 0 ? range.iteration : label.iteration;
    label.segment = label.segment >= 0 ? label.segment : range.segment;
    return label;
}

void Labelling::labelOnHost(const LabelledRange& range)
{
    const SpanName said = m_in.names.said(range.name);
    const auto next = [this] { return static_cast<std::int32_t>(m_in.trace.labels.size()); };
    m_in.span(range.span).label = next();
    m_in.trace.labels.push_back(labelOf(range, said.first));
    EventProcess& owner = m_in.ownerOf(m_in.threads[m_in.at(range.thread)]);
    owner.labelled += range.role == SpanRole::Pass ? 1 : 0;
    owner.onTheHost += range.role == SpanRole::Pass ? 1 : 0;
    if (said.second.role == SpanRole::Other)
        return;
    TraceSpan second = m_in.span(range.span);
    second.label = next();
    m_in.trace.labels.push_back(labelOf(range, said.second));
    m_in.trace.spans.push_back(second);
}

void Labelling::labelOnDevice(const LabelledRange& range)
{
    if (range.role == SpanRole::Step)
        return;
    const bool pass = range.role == SpanRole::Pass;
    LastPass& last = m_lastPass[range.thread];
    const Extent& extent = range.extent();
    if (extent.any()) {
        if (pass) {
            for (const LabelledRange* without : last.without)
                appendOnDevice(*without, last.end, last.end, Trust::Guessed);
            m_in.withoutWork += static_cast<std::int64_t>(last.without.size());
            last = {true, extent.last, {}};
        }
        appendOnDevice(range, extent.first, extent.last, Trust::Contained);
    } else if (pass && last.any && m_in.withoutLaunch == 0) {
        last.without.push_back(&range);
    } else if (pass) {
        ++m_in.withoutKernels;
    }
}

void Labelling::appendOnDevice(const LabelledRange& range, Ticks start, Ticks end, Trust trust)
{
    Thread& thread = m_in.threads[m_in.at(range.thread)];
    if (thread.deviceTrack < 0)
        thread.deviceTrack = m_in.newTrack();
    m_in.ownerOf(thread).labelled += range.role == SpanRole::Pass ? 1 : 0;
    const SpanName said = m_in.names.said(range.name);
    for (const SpanLabel& label : {said.first, said.second}) {
        if (label.role == SpanRole::Other)
            continue;
        m_in.trace.spans.push_back({start, end, rankAsYet(thread.owner), thread.deviceTrack,
                                    range.name, static_cast<std::int32_t>(m_in.trace.labels.size()),
                                    trust, ActivityKind::Annotation});
        m_in.trace.labels.push_back(labelOf(range, label));
    }
}

/// What NCCL's kernels do, by the ranges around their launches. An all-to-all is part of the pass
/// that it was launched in; a message is none.
void Labelling::noteCollectives()
{
    if (!m_in.communicates)
        return;
    std::unordered_map<std::int32_t, const LaunchedWork*> launched; // by span
    for (const LaunchedWork& one : m_in.work)
        if (one.thread >= 0 && m_in.span(one.span).activity == ActivityKind::Communication)
            launched.emplace(one.span, &one);
    m_in.collectives.finish(
        m_in.trace, m_in.file.firstSpan, [&](std::int32_t span) -> std::optional<LaunchPlace> {
            const auto found = launched.find(span);
            if (found == launched.end())
                return std::nullopt;
            const LaunchedWork& work = *found->second;
            return LaunchPlace{m_in.threads[m_in.at(work.thread)].track, work.launched};
        });
    for (LaunchedWork& one : m_in.work)
        if (one.work == DeviceWork::Message && !isMessageKernel(m_in.trace, one.span))
            one.work = DeviceWork::Compute;
}

/// Leaves out the ranges that others make needless.
void Labelling::chooseRanges()
{
    LabelChoice choice;
    for (const LabelledRange& range : m_in.ranges)
        choice.take(m_in.trace.nameOf(m_in.span(range.span)));
    const auto needless = [&](const LabelledRange& range) {
        return choice.drops(m_in.trace.nameOf(m_in.span(range.span)));
    };
    if (choice.any())
        m_in.ranges.erase(std::remove_if(m_in.ranges.begin(), m_in.ranges.end(), needless),
                          m_in.ranges.end());
}

/// Gives labelled ranges what was launched in them, and the labels to whichever times count.
Result<void> Labelling::label()
{
    noteCollectives();
    chooseRanges();
    numberIterations(m_in.ranges);
    std::vector<ProcessId> ownerOfThread;
    for (const Thread& thread : m_in.threads)
        ownerOfThread.push_back(thread.launchedOn.empty() && thread.said < 0 ? ProcessId::none()
                                                                             : thread.owner);
    m_in.doubtful = joinLaunches(m_in.trace, m_in.work, m_in.ranges, ownerOfThread,
                                 [this] { return !m_goOn || m_goOn(1); });
    if (m_in.doubtful < 0)
        return fail(ErrorCode::Cancelled, "%1: reading was stopped", m_path);
    // Where no pass was seen on the device, messages alone decide.
    struct Seen
    {
        bool passes = false, passesOnDevice = false, messagesOnDevice = false;
    };
    std::vector<Seen> ofOwner(m_in.file.processes.size());
    for (const LabelledRange& range : m_in.ranges) {
        Seen& seen = ofOwner[m_in.threads[m_in.at(range.thread)].owner.index()];
        const bool pass = range.role == SpanRole::Pass;
        seen.passes = seen.passes || pass;
        if (range.extent().any())
            (pass ? seen.passesOnDevice : seen.messagesOnDevice) = true;
    }
    for (const LabelledRange& range : m_in.ranges) {
        const Seen& seen = ofOwner[m_in.threads[m_in.at(range.thread)].owner.index()];
        if (seen.passes ? seen.passesOnDevice : seen.messagesOnDevice)
            labelOnDevice(range);
        else
            labelOnHost(range);
    }
    for (const auto& [thread, last] : m_lastPass)
        m_in.withoutKernels += static_cast<std::int64_t>(last.without.size());
    return {};
}

} // namespace

Result<void> labelRanges(const std::string& path, Content& content, const KeepReadingRows& goOn)
{
    return Labelling(path, content, goOn).label();
}

} // namespace pw::nsys
