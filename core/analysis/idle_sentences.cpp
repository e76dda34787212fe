// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/idle_sentences.h"

#include "core/analysis/idle_gaps.h"
#include "core/base/text.h"
#include "core/trace/short_name.h"

#include <algorithm>

namespace pw {

Sentence IdleSentences::named(std::int32_t index) const
{
    constexpr std::size_t longest = 60;
    const TraceSpan& one = span(index);
    const std::string_view name = m_trace.nameOf(one);
    const bool kernel =
        one.activity == ActivityKind::Compute || one.activity == ActivityKind::Communication;
    return cutName(kernel ? shortName(name) : std::string(name), longest);
}

Sentence IdleSentences::streamOf(std::int32_t index) const
{
    const std::int32_t lane = m_laneOfTrack[static_cast<std::size_t>(span(index).track)];
    if (lane < 0)
        return "?";
    // Some name it "stream 4 ".
    const std::string& name = m_lanes.lanes[static_cast<std::size_t>(lane)].name;
    return name.substr(0, name.find_last_not_of(' ') + 1);
}

Sentence IdleSentences::rankOf(std::int32_t index) const
{
    const std::int32_t number = m_trace.ranks[span(index).rank.index()].number;
    return number < 0 ? said("another rank") : said("rank %1", number);
}

Sentence IdleSentences::explain(const IdleGap& gap) const
{
    switch (gap.cause) {
    case IdleCause::Before:
        return span(gap.next).queued < 0
                   ? said("nothing runs yet: %1 is the first activity", named(gap.next))
                   : said(
                         "nothing runs yet: %1 is the first activity, launched %2 before it begins",
                         named(gap.next), timeText(span(gap.next).queued));
    case IdleCause::After:
        return said("nothing runs any more: %1 is the last activity", named(gap.previous));
    case IdleCause::Unknown:
        return said("not known why: the launch of %1 is not in the trace", named(gap.next));
    case IdleCause::Host:
        return explainHost(gap);
    case IdleCause::Launch:
        return explainLaunch(gap);
    case IdleCause::Stream:
    case IdleCause::Peer:
        break;
    }
    const Sentence other = named(gap.other), stream = streamOf(gap.other);
    Sentence text =
        gap.cause == IdleCause::Peer
            ? said("waits for %1, which begins %2 after %3 on %4", rankOf(gap.peerSpan),
                   timeText(span(gap.peerSpan).start - span(gap.other).start), other, stream)
            : said("waits for %1 on %2, which ends %3 before %4 begins", other, stream,
                   timeText(gap.end - span(gap.other).end), named(gap.next));
    if (gap.cause == IdleCause::Stream && gap.peer > 0)
        text = said("%1; %2 of it for %3", text, timeText(gap.peer), rankOf(gap.peerSpan));
    if (gap.parts.host > 0)
        text = said("%1; before that, %2 for the host", text, timeText(gap.parts.host));
    return text;
}

/// Where no slice of the thread takes most of the time.
Sentence IdleSentences::explainThread(const IdleGap& gap, const Sentence& text)
{
    if (gap.slices == 0)
        return said("%1; its thread does nothing that was recorded", text);
    if (gap.busy < 0)
        return said("%1; its thread runs %2 meanwhile", text,
                    counted(gap.slices, "%1 slice", "%1 slices"));
    return said("%1; its thread runs %2 for %3 of it", text,
                counted(gap.slices, "%1 slice", "%1 slices"), timeText(gap.busy));
}

Sentence IdleSentences::explainHost(const IdleGap& gap) const
{
    const std::string late = timeText(launchedAt(span(gap.next)) - gap.start);
    Sentence text = gap.launch < 0
                        ? said("waits for the host: %1 is launched only %2 after the end of %3",
                               named(gap.next), late, named(gap.previous))
                        : said("waits for the host: %1 launches %2 only %3 after the end of %4",
                               named(gap.launch), named(gap.next), late, named(gap.previous));
    if (gap.wait >= 0)
        text = said("%1; its thread waits for the device in %2 until %3 after that end", text,
                    named(gap.wait), timeText(span(gap.wait).end - gap.start));
    const Ticks until = gap.start + gap.parts.host;
    if (gap.doing >= 0 && gap.doing != gap.wait)
        text = said("%1; its thread is in %2 for %3 of it", text, named(gap.doing),
                    timeText(std::min(span(gap.doing).end, until) -
                             std::max(span(gap.doing).start, gap.start)));
    else if (gap.doing < 0 && gap.launch >= 0)
        text = explainThread(gap, text);
    if (gap.parts.stream > 0)
        text = said("%1; then %2 for %3 on %4", text, timeText(gap.parts.stream), named(gap.other),
                    streamOf(gap.other));
    if (gap.parts.launch > 0)
        text = said("%1; %2 of it is launching", text, timeText(gap.parts.launch));
    return text;
}

Sentence IdleSentences::explainLaunch(const IdleGap& gap) const
{
    const Sentence next = named(gap.next);
    const Ticks launched = launchedAt(span(gap.next));
    if (gap.ahead >= 0)
        return said("%1 on %2 was launched before and waits, too; %3 is launched %4 after the end "
                    "of %5",
                    named(gap.ahead), streamOf(gap.ahead), next, timeText(launched - gap.start),
                    named(gap.previous));
    if (gap.launch >= 0) {
        const TraceSpan& call = span(gap.launch);
        const Ticks within =
            std::min(call.end, gap.end) - std::max(call.start, gap.end - gap.parts.launch);
        if (2 * within > gap.parts.launch)
            return said("launch gap: %1 takes %2 to launch %3", named(gap.launch),
                        timeText(call.end - call.start), next);
    }
    if (launched >= gap.start)
        return said("launch gap: %1 is launched %2 after the end of %3 and begins %4 later", next,
                    timeText(launched - gap.start), named(gap.previous),
                    timeText(gap.end - launched));
    return said("launch gap: %1 is launched %2 before the end of %3 and begins %4 after it", next,
                timeText(gap.start - launched), named(gap.previous), timeText(gap.end - gap.start));
}

Sentence IdleSentences::wait(const PeerWait& wait) const
{
    return said("waits %1 of its %2 for %3, which begins that much later", timeText(wait.waited),
                timeText(span(wait.span).end - span(wait.span).start), rankOf(wait.peer));
}

} // namespace pw
