// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/backward_links.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace pw {

void BackwardLinks::op(const ChromeEvent& event, std::int32_t span)
{
    m_ops.push_back({event.sequence, span, event.forwardThread > 0});
}

void BackwardLinks::arrow(const ChromeEvent& event, std::int32_t track)
{
    if (event.flow >= 0 && event.time && event.category == "fwdbwd")
        m_arrows.push_back({event.flow, *event.time, track, event.phase == 'f'});
}

std::vector<TraceLink> BackwardLinks::links(const Trace& trace, std::size_t firstSpan) const
{
    const auto spanOf = [&trace](const Op& op) -> const TraceSpan& {
        return trace.spans[static_cast<std::size_t>(op.span)];
    };
    std::vector<Op> ops;
    // Operators of no backward have numbers too, but only those before a backward matter.
    if (std::any_of(m_ops.begin(), m_ops.end(), [](const Op& op) { return op.backward; }))
        ops = m_ops;
    std::stable_sort(ops.begin(), ops.end(), [&spanOf](const Op& a, const Op& b) {
        return std::tuple(spanOf(a).rank, a.sequence, spanOf(a).start) <
               std::tuple(spanOf(b).rank, b.sequence, spanOf(b).start);
    });
    std::vector<TraceLink> links;
    // The last operator of a number before the first backward of it, which is the outermost.
    for (std::size_t i = 0; i + 1 < ops.size(); ++i)
        if (!ops[i].backward && ops[i + 1].backward && ops[i].sequence == ops[i + 1].sequence &&
            spanOf(ops[i]).rank == spanOf(ops[i + 1]).rank)
            links.push_back({ops[i].span, ops[i + 1].span});
    if (links.empty())
        links = linksOfArrows(trace, firstSpan);
    std::sort(links.begin(), links.end(), [](const TraceLink& a, const TraceLink& b) {
        return std::tie(a.to, a.from) < std::tie(b.to, b.from);
    });
    return links;
}

/// An arrow begins and ends where a span of its thread begins; the longest of them counts.
std::vector<TraceLink> BackwardLinks::linksOfArrows(const Trace& trace, std::size_t firstSpan) const
{
    std::map<std::pair<std::int32_t, Ticks>, std::int32_t> at;
    for (const ArrowEnd& arrow : m_arrows)
        at.try_emplace({arrow.track, arrow.time}, -1);
    for (std::size_t i = firstSpan; !at.empty() && i < trace.spans.size(); ++i) {
        const TraceSpan& span = trace.spans[i];
        const auto found = at.find({span.track, span.start});
        if (found != at.end() &&
            (found->second < 0 ||
             trace.spans[static_cast<std::size_t>(found->second)].end < span.end))
            found->second = static_cast<std::int32_t>(i);
    }
    std::map<std::int64_t, std::int32_t> tails;
    for (const ArrowEnd& arrow : m_arrows)
        if (!arrow.head)
            tails[arrow.id] = at[{arrow.track, arrow.time}];
    std::vector<TraceLink> links;
    for (const ArrowEnd& arrow : m_arrows) {
        const auto tail = arrow.head ? tails.find(arrow.id) : tails.end();
        const std::int32_t head = tail == tails.end() ? -1 : at[{arrow.track, arrow.time}];
        if (head >= 0 && tail->second >= 0)
            links.push_back({tail->second, head});
    }
    return links;
}

BackwardLinks::Cell BackwardLinks::cellOf(std::int32_t process, const SpanLabel& label)
{
    return {process, label.route, label.stage, label.chunk, label.microBatch, label.segment};
}

void BackwardLinks::findRanges(const Trace& trace, const std::vector<LabelledRange>& ranges)
{
    m_ranges = &ranges;
    m_cells.resize(ranges.size());
    std::vector<NestedSpans::Item> forwards;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const LabelledRange& range = ranges[i];
        if (range.role != SpanRole::Pass)
            continue;
        const auto number = static_cast<std::int32_t>(i);
        const auto take = [&](const SpanLabel& label) {
            const Cell cell = cellOf(range.process, label);
            if (label.kind == PassKind::F) {
                m_cells[i] = cell;
                forwards.push_back({range.thread, range.start, range.end, number});
            } else if (isBackward(label.kind) || label.kind == PassKind::W) {
                m_backwards[cell].push_back(number);
            }
        };
        const auto at = static_cast<std::size_t>(range.span);
        const SpanLabel& first = *trace.labelOf(trace.spans[at]);
        take(first);
        if (first.paired && at + 1 < trace.spans.size())
            if (const SpanLabel* second = trace.labelOf(trace.spans[at + 1]))
                take(*second);
    }
    for (auto& [cell, list] : m_backwards)
        std::stable_sort(list.begin(), list.end(), [&ranges](std::int32_t a, std::int32_t b) {
            return ranges[static_cast<std::size_t>(a)].start <
                   ranges[static_cast<std::size_t>(b)].start;
        });
    m_forwards = NestedSpans(std::move(forwards));
}

BackwardLinks::Forward BackwardLinks::forwardAt(std::int32_t track, Ticks time) const
{
    Forward found{time, -1};
    m_forwards.around(track, time, [&found](std::int32_t range) {
        found.range = range;
        return true;
    });
    return found;
}

/// Several operators may have one number: those called inside another, and those before the one
/// that autograd notes, which is the last. A number that is told on several threads tells nothing.
BackwardLinks::Found BackwardLinks::bySequence(const Trace& trace) const
{
    struct Numbered
    {
        ProcessId process{0};
        std::int64_t sequence = 0;
        const TraceSpan* span = nullptr;

        auto key() const { return std::tuple(process, sequence); }
    };
    if (std::none_of(m_ops.begin(), m_ops.end(), [](const Op& op) { return op.backward; }))
        return {};
    std::vector<Numbered> forwards;
    for (const Op& op : m_ops) {
        const TraceSpan& span = trace.spans[static_cast<std::size_t>(op.span)];
        if (!op.backward)
            forwards.push_back({processOf(span.rank), op.sequence, &span});
    }
    const auto earlier = [](const Numbered& a, const Numbered& b) {
        return std::tuple(a.key(), a.span->start) < std::tuple(b.key(), b.span->start);
    };
    // A profiler writes them in this order.
    if (!std::is_sorted(forwards.begin(), forwards.end(), earlier))
        std::sort(forwards.begin(), forwards.end(), earlier);
    // The last of each number, or none.
    std::vector<Numbered> last;
    for (const Numbered& one : forwards) {
        if (last.empty() || last.back().key() != one.key())
            last.push_back(one);
        else if (last.back().span != nullptr && last.back().span->track == one.span->track)
            last.back() = one;
        else
            last.back().span = nullptr;
    }
    Found found;
    std::vector<NestedSpans::Item> backwards;
    for (const Op& op : m_ops) {
        if (!op.backward)
            continue;
        const TraceSpan& span = trace.spans[static_cast<std::size_t>(op.span)];
        const Numbered wanted{processOf(span.rank), op.sequence, nullptr};
        const auto at = std::lower_bound(
            last.begin(), last.end(), wanted,
            [](const Numbered& a, const Numbered& b) { return a.key() < b.key(); });
        if (at == last.end() || at->key() != wanted.key() || at->span == nullptr)
            continue;
        const Forward forward = forwardAt(at->span->track, at->span->start);
        if (forward.range < 0)
            continue;
        backwards.push_back(
            {span.track, span.start, span.end, static_cast<std::int32_t>(found.forwards.size())});
        found.forwards.push_back(forward);
    }
    found.backwards = NestedSpans(std::move(backwards));
    return found;
}

/// An arrow's head is at the start of the backward, on its thread.
BackwardLinks::Found BackwardLinks::byArrows(const Trace& trace, std::size_t firstSpan) const
{
    std::map<std::int64_t, const ArrowEnd*> tails;
    std::map<std::pair<std::int32_t, Ticks>, Ticks> ends; // of the longest span at a head
    for (const ArrowEnd& arrow : m_arrows) {
        if (arrow.head)
            ends.try_emplace({arrow.track, arrow.time}, arrow.time);
        else
            tails[arrow.id] = &arrow;
    }
    for (std::size_t i = firstSpan; !ends.empty() && i < trace.spans.size(); ++i) {
        const TraceSpan& span = trace.spans[i];
        if (const auto at = ends.find({span.track, span.start}); at != ends.end())
            at->second = std::max(at->second, span.end);
    }
    Found found;
    std::vector<NestedSpans::Item> backwards;
    for (const ArrowEnd& arrow : m_arrows) {
        const auto tail = arrow.head ? tails.find(arrow.id) : tails.end();
        if (tail == tails.end())
            continue;
        const Forward forward = forwardAt(tail->second->track, tail->second->time);
        if (forward.range < 0)
            continue;
        backwards.push_back({arrow.track, arrow.time, ends.at({arrow.track, arrow.time}),
                             static_cast<std::int32_t>(found.forwards.size())});
        found.forwards.push_back(forward);
    }
    found.backwards = NestedSpans(std::move(backwards));
    return found;
}

std::int32_t BackwardLinks::rangeOf(const Found& found, const LaunchedWork& work) const
{
    std::int32_t range = -1;
    found.backwards.around(work.thread, work.launched, [&](std::int32_t id) {
        const Forward& forward = found.forwards[static_cast<std::size_t>(id)];
        const auto list = m_backwards.find(m_cells[static_cast<std::size_t>(forward.range)]);
        if (list == m_backwards.end())
            return false;
        const auto startOf = [this](std::int32_t one) {
            return (*m_ranges)[static_cast<std::size_t>(one)].start;
        };
        const auto behind = std::upper_bound(
            list->second.begin(), list->second.end(), work.launched,
            [&startOf](Ticks time, std::int32_t one) { return time < startOf(one); });
        if (behind == list->second.begin() || startOf(*std::prev(behind)) < forward.start)
            return false;
        range = *std::prev(behind);
        return true;
    });
    return range;
}

void BackwardLinks::find(const Trace& trace, const std::vector<LabelledRange>& ranges,
                         std::size_t firstSpan, std::vector<LaunchedWork>& work)
{
    findRanges(trace, ranges);
    const Found numbers = bySequence(trace);
    const Found arrows = byArrows(trace, firstSpan);
    for (LaunchedWork& one : work) {
        one.range = rangeOf(numbers, one);
        if (one.range < 0)
            one.range = rangeOf(arrows, one);
    }
}

} // namespace pw
