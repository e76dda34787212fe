// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/trace_details.h"

#include "core/base/text.h"
#include "core/trace/short_name.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/text.h"
#include "ui/traces/activity_view.h"

#include <QCoreApplication>

#include <algorithm>

namespace pw::ui {

namespace {

struct TraceWords
{
    Q_DECLARE_TR_FUNCTIONS(TraceDetails)
};

/// A text that can be broken into lines where a word of it is longer than the panel is wide.
QString breakableText(const QString& words)
{
    constexpr qsizetype longestWord = 18;
    constexpr QChar place(0x200B); // a break that is not seen
    QString out;
    qsizetype run = 0;
    for (const QChar c : words) {
        out += c;
        run = c.isSpace() ? 0 : run + 1;
        const bool joint = QStringLiteral("<>,:()_[]/;").contains(c);
        if (run >= longestWord && (joint || run >= 2 * longestWord)) {
            out += place;
            run = 0;
        }
    }
    return out;
}

/// The time of a slice without what is nested directly in it.
Ticks selfTime(const ShownActivity& activity, const ChosenSlice& chosen)
{
    std::vector<ActivitySlice> inside;
    Ticks self = chosen.slice.end - chosen.slice.start;
    if (!activity.source.slices(static_cast<std::size_t>(chosen.lane), chosen.slice.start,
                                chosen.slice.end, 0, inside))
        return self;
    for (const ActivitySlice& slice : inside)
        if (slice.depth == chosen.slice.depth + 1)
            self -=
                std::min(slice.end, chosen.slice.end) - std::max(slice.start, chosen.slice.start);
    return self;
}

/// What a slice follows from and what follows from it, and how long it waited on its device.
void addLinks(const ActivityView& view, DetailsPart& part)
{
    const ShownActivity& activity = *view.activity();
    const std::optional<ChosenSlice>& chosen = view.chosen();
    const Trace& trace = activity.trace;
    const auto id = static_cast<std::size_t>(chosen->slice.id);
    if (chosen->slice.id < 0 || id >= trace.spans.size())
        return;
    if (const std::int32_t queued = trace.spans[id].queued; queued >= 0)
        part.rows.push_back(
            {TraceWords::tr("launched before"), durationText(static_cast<double>(queued))});
    const TraceSpan& span = trace.spans[id];
    if (const ShownActivity::PassTime* pass = activity.passAt(span.rank, span.start))
        part.rows.push_back(
            {TraceWords::tr("in pass"),
             pass->stage < 0
                 ? text(name(pass->kind))
                 : TraceWords::tr("%1 of stage %2").arg(text(name(pass->kind))).arg(pass->stage)});
    constexpr std::size_t mostLinksShown = 4;
    const std::vector<SliceLink>& links = view.arrows();
    for (std::size_t i = 0; i < std::min(links.size(), mostLinksShown); ++i) {
        const SliceLink& link = links[i];
        const bool to = link.to == static_cast<std::int32_t>(id);
        const TraceSpan& other = trace.spans[static_cast<std::size_t>(to ? link.from : link.to)];
        const QString words =
            link.kind == SliceLinkKind::Launch
                ? (to ? TraceWords::tr("launched by") : TraceWords::tr("launches"))
            : link.kind == SliceLinkKind::Message
                ? (to ? TraceWords::tr("sent by") : TraceWords::tr("received by"))
            : to ? TraceWords::tr("backward of")
                 : TraceWords::tr("its backward");
        part.rows.push_back({words, breakableText(text(trace.nameOf(other)))});
    }
    if (links.size() > mostLinksShown)
        part.rows.push_back(
            {QString(), TraceWords::tr("and %1 more").arg(links.size() - mostLinksShown)});
}

/// Why nothing ran, and what that waited for.
DetailsPart gapPart(const ShownActivity& activity, const ChosenGap& chosen)
{
    const IdleGap& gap = chosen.gap;
    const auto from = static_cast<double>(gap.start), to = static_cast<double>(gap.end);
    const auto nameOf = [&](std::int32_t span) {
        const Trace& trace = activity.trace;
        return breakableText(
            text(shortName(trace.nameOf(trace.spans[static_cast<std::size_t>(span)]))));
    };
    DetailsPart part;
    part.heading = TraceWords::tr("Idle");
    part.rows = {{TraceWords::tr("on"),
                  text(activity.source.lanes()[static_cast<std::size_t>(chosen.lane)].name)},
                 {TraceWords::tr("from – to"), spanText(from, to)},
                 {TraceWords::tr("time"), durationText(to - from)},
                 {TraceWords::tr("why"), breakableText(coreSentence(gap.text))}};
    const std::pair<QString, Ticks> parts[] = {{TraceWords::tr("for the host"), gap.parts.host},
                                               {TraceWords::tr("for a stream"), gap.parts.stream},
                                               {TraceWords::tr("of it for a rank"), gap.peer},
                                               {TraceWords::tr("launch gap"), gap.parts.launch}};
    for (const auto& [words, time] : parts)
        if (time > 0)
            part.rows.push_back({words, durationText(static_cast<double>(time))});
    if (gap.from() >= 0)
        part.rows.push_back({TraceWords::tr("waits for"), nameOf(gap.from())});
    if (gap.next >= 0)
        part.rows.push_back({TraceWords::tr("then"), nameOf(gap.next)});
    return part;
}

DetailsPart chosenPart(const ActivityView& view)
{
    const ShownActivity& activity = *view.activity();
    DetailsPart part;
    part.heading = TraceWords::tr("Selected");
    if (view.chosenGap())
        return gapPart(activity, *view.chosenGap());
    if (const std::optional<ChosenSlice>& chosen = view.chosen()) {
        const ActivitySlice& slice = chosen->slice;
        const ActivityLane& lane = activity.source.lanes()[static_cast<std::size_t>(chosen->lane)];
        part.rows = {
            {TraceWords::tr("name"), breakableText(view.nameOf(slice))},
            {TraceWords::tr("kind"), activityText(slice.kind)},
            {TraceWords::tr("on"), text(lane.name)},
            {TraceWords::tr("from – to"),
             spanText(static_cast<double>(slice.start), static_cast<double>(slice.end))},
            {TraceWords::tr("time"), durationText(static_cast<double>(slice.end - slice.start))}};
        if (slice.count == 1) {
            part.rows.push_back({TraceWords::tr("self"),
                                 durationText(static_cast<double>(selfTime(activity, *chosen)))});
            if (const std::optional<PeerShare> peer = view.waitOf(slice))
                part.rows.push_back(
                    {TraceWords::tr("waits"), breakableText(coreSentence(peer->text))});
            addLinks(view, part);
        }
    } else {
        part.none = TraceWords::tr(
            "Nothing is selected: click a slice or idle time, or drag over a stretch of time.");
    }
    return part;
}

} // namespace

PageDetails traceDetails(const ActivityView& view, const DetailsPart& deviceTime,
                         const ArgumentTexts& arguments)
{
    const ShownActivity& activity = *view.activity();
    PageDetails details;
    details.kind = TraceWords::tr("Trace");
    const Trace& trace = activity.trace;
    DetailsPart about;
    about.heading = TraceWords::tr("Trace");
    about.rows = {{TraceWords::tr("from"), text(trace.origin)},
                  {TraceWords::tr("ranks"), QString::number(trace.ranks.size())},
                  {TraceWords::tr("events"), text(groupedNumber(trace.events))},
                  {TraceWords::tr("span"), durationText(static_cast<double>(activity.end))}};
    details.parts.push_back(about);
    if (!deviceTime.rows.empty())
        details.parts.push_back(deviceTime);
    details.parts.push_back(chosenPart(view));
    if (!arguments.empty()) {
        DetailsPart given;
        given.heading = TraceWords::tr("Arguments");
        for (const auto& [name, value] : arguments)
            given.rows.push_back({text(name), breakableText(text(value))});
        details.parts.push_back(given);
    }
    return details;
}

} // namespace pw::ui
