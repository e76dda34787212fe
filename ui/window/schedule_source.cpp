// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/schedule_source.h"

#include "core/base/text.h"
#include "core/edit/drag.h"
#include "core/edit/present.h"
#include "core/sim/dependencies.h"
#include "core/sim/explain.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/document/composing_room.h"
#include "ui/panels/number_rows.h"
#include "ui/text.h"
#include "ui/timeline/time_scale.h"

#include <QCoreApplication>

#include <algorithm>

namespace pw::ui {

namespace {

/// More arrows than this tell nothing any more.
constexpr std::size_t mostBroken = 200;

struct Hover
{
    Q_DECLARE_TR_FUNCTIONS(ScheduleHover)
};

QString hoverTime(Ticks ticks)
{
    return durationText(static_cast<double>(ticks));
}

/// When an activation goes to the host and comes back.
void addCopyLines(const SimResult& result, EntryId entry, HoverNews& news)
{
    const auto between = [](Ticks start, Ticks end) {
        return spanText(static_cast<double>(start), static_cast<double>(end));
    };
    for (const HostCopy& copy : result.copies) {
        if (copy.forward == entry)
            news.lines += Hover::tr("goes to the host: %1, %2")
                              .arg(between(copy.outStart, copy.outEnd), text(byteText(copy.bytes)));
        if (copy.needed < 0 || (copy.forward != entry && copy.needed != entry))
            continue;
        news.lines += copy.wait > 0 && copy.needed == entry
                          ? Hover::tr("comes back from the host: %1, and is waited for %2")
                                .arg(between(copy.backStart, copy.backEnd), hoverTime(copy.wait))
                          : Hover::tr("comes back from the host: %1")
                                .arg(between(copy.backStart, copy.backEnd));
    }
}

QString idleTitle(int lane, Ticks length)
{
    return Hover::tr("Device %1 idles for %2").arg(lane).arg(hoverTime(length));
}

/// A sentence that begins with a small letter, as one that stands alone.
QString asSentence(const QString& words)
{
    return words.isEmpty() || words.size() < 2 || words[1].isUpper() || words[1] == QLatin1Char(' ')
               ? words
               : words.left(1).toUpper() + words.mid(1);
}

/// The ring's passes: each waits for one that stands behind a waiting one on the next device.
void markRing(const ScheduleDocument& document, const Present& present, WrongLayer& layer)
{
    for (const RingLink& link : document.times().ring) {
        const EntryId needed = present.entry(link.needed);
        const EntryId waiting = present.entry(link.waiting);
        if (needed >= 0 && waiting >= 0 && layer.broken.size() < mostBroken)
            layer.broken.push_back({spanOf(document, needed), spanOf(document, waiting)});
    }
}

/// What stands behind a pass on its device although the pass needs it.
void markOrder(const ScheduleDocument& document, const Present& present, SpanRef span,
               WrongLayer& layer)
{
    const Draft& draft = document.draft();
    const Pass pass = document.lanes()->pass(span);
    if (!belongs(draft.spec, pass, DeviceId(span.lane)))
        return;
    std::vector<Pass> producers;
    present.producers(pass, producers);
    for (const Pass& producer : producers) {
        if (!present.has(producer) || layer.broken.size() >= mostBroken)
            continue;
        const SpanRef from = spanOf(document, present.entry(producer));
        const Arrow arrow{from, span};
        const bool known =
            std::any_of(layer.broken.begin(), layer.broken.end(),
                        [&](const Arrow& one) { return one.from == from && one.to == span; });
        if (from.lane == span.lane && from.index > span.index && !known)
            layer.broken.push_back(arrow);
    }
}

} // namespace

SpanRef spanOf(const ScheduleDocument& document, EntryId entry)
{
    const DeviceId device = document.times().deviceOf(entry);
    return {device, entry - document.times().begin[device.index()]};
}

std::vector<SpanRef> linkedSpans(const ScheduleDocument& document, SpanRef span, bool after)
{
    std::vector<EntryId> entries;
    const Pass pass = document.lanes()->pass(span);
    if (const Schedule* schedule = document.schedule().get(); schedule != nullptr) {
        const Dependencies dependencies(*schedule);
        const PassId id = schedule->table().id(pass);
        std::vector<PassId> ends;
        std::vector<Dependency> waits;
        if (after)
            dependencies.appendConsumers(id, ends);
        else
            dependencies.append(id, waits);
        for (const Dependency& wait : waits)
            ends.push_back(wait.producer);
        for (const PassId end : ends)
            entries.push_back(schedule->entryOf(end));
    } else {
        const Present present(document.draft());
        const EntryId own =
            document.times().entry(DeviceId(span.lane), static_cast<std::size_t>(span.index));
        std::vector<Pass> inputs;
        // A pass that stands there a second time waits for nobody.
        if (present.entry(pass) == own && after)
            present.consumers(pass, entries);
        else if (present.entry(pass) == own)
            present.producers(pass, inputs);
        for (const Pass& input : inputs)
            if (present.has(input))
                entries.push_back(present.entry(input));
    }
    std::vector<SpanRef> spans;
    for (const EntryId entry : entries)
        spans.push_back(spanOf(document, entry));
    return spans;
}

ScheduleSource::ScheduleSource(const ScheduleDocument& document, QObject* parent)
    : TimelineSource(parent)
    , m_document(document)
    , m_gaps(document)
{
    connect(&document, &ScheduleDocument::resultChanged, this, [this] {
        m_room = composingRoom(m_document, m_room);
        Q_EMIT lanesChanged();
    });
}

WrongLayer ScheduleSource::wrong() const
{
    WrongLayer layer;
    const ScheduleDocument& document = m_document;
    const DraftTimes& times = document.times();
    const bool placed =
        std::any_of(document.problems().list.begin(), document.problems().list.end(),
                    [](const Problem& one) { return one.position >= 0; });
    if (!placed && times.blocked.empty())
        return layer;
    const auto mark = [&](SpanRef span) {
        if (std::find(layer.wrong.begin(), layer.wrong.end(), span) == layer.wrong.end())
            layer.wrong.push_back(span);
    };
    const Present present(document.draft());
    markRing(document, present, layer);
    for (const Problem& problem : document.problems().list) {
        const SpanRef span{problem.device, problem.position};
        if (!document.lanes()->holds(span))
            continue;
        mark(span);
        if (problem.code == ProblemCode::OutOfOrder)
            markOrder(document, present, span, layer);
    }
    // Of very many only those that can be told apart are of use.
    constexpr std::size_t most = 2 * Problems::listed;
    for (const EntryId entry : times.blocked) {
        if (layer.wrong.size() >= most)
            break;
        mark(spanOf(document, entry));
    }
    return layer;
}

HoverNews ScheduleSource::describe(SpanRef span, int lane, double time) const
{
    if (lane < 0 || lane >= static_cast<int>(m_document.lanes()->lanes().size()))
        return {};
    if (m_document.lanes()->holds(span))
        return passNews(span);
    const auto at = static_cast<Ticks>(time);
    if (!m_document.schedule())
        return draftGapNews(lane, at);
    const Gap* gap = m_gaps.at(DeviceId(lane), at);
    return gap != nullptr ? gapNews(lane, *gap) : HoverNews{};
}

/// Why a device idles, as the rest of a sentence about it.
QString ScheduleSource::whyIdle(const Gap& gap) const
{
    const PipelineSpec& shape = spec();
    const QString cause = passWords(gap.cause);
    const DeviceId from = shape.device(gap.cause.route, gap.cause.stage);
    switch (gap.reason) {
    case WaitReason::Finished:
        return {};
    case WaitReason::Memory:
        return tr("idles: %1 could run, but there is no memory for its activation").arg(cause);
    case WaitReason::Reload:
        return tr("waits until its activation is back from the host");
    case WaitReason::Dependency:
        return from == gap.device ? tr("waits for %1").arg(cause)
                                  : tr("waits for %1 from device %2").arg(cause).arg(from);
    case WaitReason::Message:
        // A send that is held up has no pass as its cause.
        if (gap.text.english().find("message of") == std::string::npos)
            return tr("waits until its last result is taken");
        return tr("waits for the message of %1 from device %2").arg(cause).arg(from);
    case WaitReason::Start:
    case WaitReason::Order:
        break;
    }
    return coreSentence(gap.text);
}

std::optional<IdleStretch> ScheduleSource::idle(int lane, Ticks time) const
{
    const Gap* gap = m_gaps.at(DeviceId(lane), time);
    if (gap == nullptr)
        return std::nullopt;
    return IdleStretch{gap->start, gap->end, whyIdle(*gap)};
}

std::vector<SpanRef> ScheduleSource::linked(SpanRef span, int direction) const
{
    // Of several first those on other devices, as arrows are drawn.
    std::vector<SpanRef> ends = linkedSpans(m_document, span, direction > 0);
    std::stable_partition(ends.begin(), ends.end(),
                          [&](SpanRef end) { return end.lane != span.lane; });
    return ends;
}

std::vector<Arrow> ScheduleSource::arrows(SpanRef span) const
{
    std::vector<Arrow> arrows;
    for (const SpanRef from : linkedSpans(m_document, span, false))
        if (from.lane != span.lane)
            arrows.push_back({from, span});
    for (const SpanRef to : linkedSpans(m_document, span, true))
        if (to.lane != span.lane)
            arrows.push_back({span, to});
    return arrows;
}

std::vector<SpanRef> ScheduleSource::strand(SpanRef span) const
{
    std::vector<SpanRef> spans;
    const Pass pass = m_document.lanes()->pass(span);
    if (pass.kind != PassKind::U)
        for (const EntryAt& at : strandOf(m_document.draft(), pass.microBatch))
            spans.push_back({at.device, at.position});
    return spans;
}

std::vector<SpanRef> ScheduleSource::critical() const
{
    std::vector<SpanRef> spans;
    if (m_document.schedule() == nullptr)
        return spans;
    for (const CriticalEntry& entry :
         criticalPath(*m_document.schedule(), m_document.costs(), m_document.result()))
        spans.push_back(spanOf(m_document, entry.entry));
    return spans;
}

std::optional<PhasesOf> ScheduleSource::phases() const
{
    if (m_document.lanes()->spanCount() == 0)
        return std::nullopt;
    return m_document.schedule() != nullptr ? phasesOf(*m_document.schedule(), m_document.result())
                                            : phasesOf(m_document.draft(), m_document.times());
}

Curves ScheduleSource::curves(Chart chart, int lane) const
{
    const SimResult& result = m_document.result();
    const bool known = lane >= 0 && lane < static_cast<int>(result.devices.size());
    Curves curves = orderCurves(
        {m_document.draft(), m_document.times(), m_document.costs(), m_document.schedule().get()},
        chart, known ? DeviceId(lane) : fullestDevice(result));
    if (chart == Chart::Memory && m_peakGoal && curves.unit != StepChart::Unit::Bytes) {
        curves.limit = microBatchesFromShare(*m_peakGoal);
        curves.limitLabel = tr("goal: at most %1").arg(text(plainNumber(*curves.limit)));
    }
    return curves;
}

void ScheduleSource::setPeakGoal(std::optional<Share> most)
{
    if (m_peakGoal == most)
        return;
    m_peakGoal = most;
    Q_EMIT moreKnown();
}

std::vector<BubbleRow> ScheduleSource::bubbles() const
{
    return bubbleRows(m_document.times());
}

HoverNews ScheduleSource::passNews(SpanRef span) const
{
    const PipelineSpec& spec = m_document.draft().spec;
    const Lanes& lanes = *m_document.lanes();
    const Lane& own = lanes.lanes()[static_cast<std::size_t>(span.lane)];
    const auto index = static_cast<std::size_t>(span.index);
    HoverNews news;
    news.title = passText(lanes.pass(span), spec);
    if (own.look[index].paired)
        news.title += Hover::tr(" with %1").arg(passText(lanes.pass(span, true), spec));
    news.lines += Hover::tr("%1, takes %2")
                      .arg(spanText(static_cast<double>(own.start[index]),
                                    static_cast<double>(own.end[index])),
                           hoverTime(own.end[index] - own.start[index]));
    news.sentence = Hover::tr("%1, %2 – %3")
                        .arg(news.title, hoverTime(own.start[index]), hoverTime(own.end[index]));
    news.lit = linkedSpans(m_document, span, false);
    for (const SpanRef from : news.lit) {
        const Lane& lane = lanes.lanes()[static_cast<std::size_t>(from.lane)];
        const QString what = passText(lanes.pass(from), spec);
        const QString end = hoverTime(lane.end[static_cast<std::size_t>(from.index)]);
        news.lines += from.lane == span.lane
                          ? Hover::tr("waits for %1, there at %2").arg(what, end)
                          : Hover::tr("waits for %1 of device %2, which ends at %3")
                                .arg(what)
                                .arg(from.lane)
                                .arg(end);
        if (from.lane != span.lane)
            news.arrows.push_back({from, span});
    }
    if (news.lit.empty())
        news.lines += Hover::tr("waits for no other pass");
    addCopyLines(m_document.result(), m_document.times().entry(DeviceId(span.lane), index), news);
    for (const Problem& problem : m_document.problems().list)
        if (problem.device == span.lane && problem.position == span.index)
            news.wrong = asSentence(coreSentence(problem.text));
    if (news.wrong.isEmpty() && own.look[index].blocked)
        news.wrong = Hover::tr("Never starts: %1").arg(m_document.problem());
    return news;
}

HoverNews ScheduleSource::gapNews(int lane, const Gap& gap) const
{
    HoverNews news;
    news.title = idleTitle(lane, gap.end - gap.start);
    news.lines += asSentence(coreSentence(gap.text));
    news.sentence = Hover::tr("device %1 idles for %2: %3")
                        .arg(lane)
                        .arg(hoverTime(gap.end - gap.start), coreSentence(gap.text));
    if (gap.next < 0)
        return news;
    const Schedule& schedule = *m_document.schedule();
    const SpanRef next = spanOf(m_document, gap.next);
    const SpanRef cause = spanOf(m_document, schedule.entryOf(schedule.table().id(gap.cause)));
    if (gap.reason == WaitReason::Memory || gap.reason == WaitReason::Reload) {
        news.lit = {cause};
        return news;
    }
    // A gap may have a reason without a pass that is waited for.
    const std::vector<SpanRef> waited = linkedSpans(m_document, next, false);
    if (std::find(waited.begin(), waited.end(), cause) != waited.end()) {
        news.lit = {cause};
        news.arrows.push_back({cause, next});
    }
    return news;
}

/// Before an entry of an unfinished order: the input that comes last.
HoverNews ScheduleSource::draftGapNews(int lane, Ticks time) const
{
    const Lanes& lanes = *m_document.lanes();
    const Lane& own = lanes.lanes()[static_cast<std::size_t>(lane)];
    if (time < 0 || time >= lanes.end() || own.size() == 0)
        return {};
    const std::size_t at = own.firstEndingAfter(time);
    HoverNews news;
    const Ticks begin = at > 0 ? own.end[at - 1] : 0;
    if (at >= own.size()) {
        news.title = idleTitle(lane, lanes.end() - begin);
        news.lines += Hover::tr("No further pass has its place on this device.");
        return news;
    }
    const SpanRef next{lane, static_cast<std::int64_t>(at)};
    news.title = idleTitle(lane, own.start[at] - begin);
    Ticks latest = -1;
    SpanRef cause;
    for (const SpanRef from : linkedSpans(m_document, next, false)) {
        const Ticks end = lanes.lanes()[static_cast<std::size_t>(from.lane)]
                              .end[static_cast<std::size_t>(from.index)];
        if (end > latest) {
            latest = end;
            cause = from;
        }
    }
    const PipelineSpec& spec = m_document.draft().spec;
    const QString what = passText(lanes.pass(next), spec);
    if (!cause.valid() || latest < begin) {
        news.lines += Hover::tr("%1 comes next.").arg(what);
        return news;
    }
    news.lines += Hover::tr("%1 waits for %2 of device %3.")
                      .arg(what, passText(lanes.pass(cause), spec))
                      .arg(cause.lane);
    news.lit = {cause};
    news.arrows.push_back({cause, next});
    return news;
}

} // namespace pw::ui
