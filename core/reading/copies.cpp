// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/copies.h"

#include "core/reading/rank_order.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace pw {

namespace {

/// Where a pass stands in its pipeline.
using Place = std::tuple<std::int32_t, int, StageId, std::int32_t, std::int32_t, std::int32_t>;

Place placeOf(const SpanLabel& label)
{
    return {label.iteration,  static_cast<int>(label.kind),
            label.stage,      label.chunk,
            label.microBatch, label.segment};
}

/// The passes of one row.
struct Row
{
    std::int32_t track = 0;
    std::set<Place> places;
    Ticks first = 0;
    Ticks last = 0;
};

/// Whether two rows run the same passes at the same time: most of those of the shorter row, for
/// most of its time.
bool areCopies(const Row& a, const Row& b)
{
    const Row& fewer = a.places.size() <= b.places.size() ? a : b;
    const Row& more = &fewer == &a ? b : a;
    const auto same =
        std::count_if(fewer.places.begin(), fewer.places.end(),
                      [&](const Place& place) { return more.places.count(place) > 0; });
    const Ticks together = std::min(a.last, b.last) - std::max(a.first, b.first);
    const Ticks shorter = std::min(a.last - a.first, b.last - b.first);
    return same * 2 > static_cast<std::ptrdiff_t>(fewer.places.size()) && together * 2 > shorter;
}

using RowsOfRank = std::map<TraceRankId, std::vector<Row>>;

/// The rows of the host with passes; none of a rank whose passes a device has too.
RowsOfRank hostRows(const Trace& trace)
{
    RowsOfRank rows;
    std::set<TraceRankId> onDevices;
    std::map<std::pair<TraceRankId, std::int32_t>, std::size_t> places;
    for (const TraceSpan& span : trace.spans) {
        const SpanLabel* label = trace.labelOf(span);
        if (label == nullptr || label->role != SpanRole::Pass)
            continue;
        if (trace.tracks[static_cast<std::size_t>(span.track)].device ||
            span.trust == Trust::Contained) {
            onDevices.insert(span.rank);
            continue;
        }
        std::vector<Row>& ofRank = rows[span.rank];
        // A row has several ranks where names on it say so.
        const auto [at, made] = places.emplace(std::pair(span.rank, span.track), ofRank.size());
        if (made)
            ofRank.push_back({span.track, {}, span.start, span.end});
        Row& row = ofRank[at->second];
        row.places.insert(placeOf(*label));
        row.first = std::min(row.first, span.start);
        row.last = std::max(row.last, span.end);
    }
    for (const TraceRankId rank : onDevices)
        rows.erase(rank);
    return rows;
}

/// Rows that are no copies of each other, each the part of one rank: which row is in which part.
std::vector<std::size_t> partsOf(const std::vector<Row>& rows)
{
    std::vector<std::vector<std::size_t>> parts;
    std::vector<std::size_t> partOf;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto free = [&](const std::vector<std::size_t>& part) {
            return std::none_of(part.begin(), part.end(),
                                [&](std::size_t other) { return areCopies(rows[i], rows[other]); });
        };
        const auto at = std::find_if(parts.begin(), parts.end(), free);
        partOf.push_back(static_cast<std::size_t>(at - parts.begin()));
        if (at == parts.end())
            parts.push_back({i});
        else
            at->push_back(i);
    }
    return partOf;
}

class Parting
{
public:
    explicit Parting(Trace& trace)
        : m_trace(trace)
    {
    }

    /// @return  numbers of the ranks that are several now
    std::set<std::int32_t> run()
    {
        for (const auto& [rank, rows] : hostRows(m_trace))
            part(rank, rows);
        if (m_parted.empty())
            return {};
        for (TraceSpan& span : m_trace.spans)
            if (const auto moved = m_moved.find({span.rank, span.track}); moved != m_moved.end())
                span.rank = m_trace.tracks[static_cast<std::size_t>(span.track)].rank =
                    moved->second;
        sort();
        say();
        return std::move(m_parted);
    }

private:
    const std::string& processOf(const Row& row) const
    {
        return m_trace.tracks[static_cast<std::size_t>(row.track)].process;
    }

    void part(TraceRankId rank, const std::vector<Row>& rows)
    {
        const std::vector<std::size_t> partOf = partsOf(rows);
        const std::size_t parts = *std::max_element(partOf.begin(), partOf.end()) + 1;
        if (parts == 1)
            return;
        m_trace.ranks[rank.index()].replica = std::max(m_trace.ranks[rank.index()].replica, 0);
        for (std::size_t number = 1; number < parts; ++number) {
            const auto first = static_cast<std::size_t>(
                std::find(partOf.begin(), partOf.end(), number) - partOf.begin());
            const bool sameProcess = processOf(rows[first]) == processOf(rows.front());
            const TraceRankId copy(m_trace.ranks.size());
            TraceRank made = m_trace.ranks[rank.index()];
            made.process = processOf(rows[first]);
            (sameProcess ? made.run : made.replica) = static_cast<std::int32_t>(number);
            m_trace.ranks.push_back(std::move(made));
            m_parted.insert(m_trace.ranks[copy.index()].number);
            for (std::size_t i = 0; i < rows.size(); ++i)
                if (partOf[i] == number)
                    moveTracks(rank, copy, rows[i], sameProcess);
        }
    }

    /// A process goes whole, with what nobody labelled; a thread alone.
    void moveTracks(TraceRankId from, TraceRankId to, const Row& row, bool threadAlone)
    {
        for (std::size_t i = 0; i < m_trace.tracks.size(); ++i) {
            const TraceTrack& track = m_trace.tracks[i];
            const bool moves = threadAlone ? i == static_cast<std::size_t>(row.track)
                                           : track.rank == from && track.process == processOf(row);
            if (moves)
                m_moved[{from, static_cast<std::int32_t>(i)}] = to;
        }
    }

    void sort()
    {
        const std::vector<TraceRankId> place = sortRanks(m_trace);
        for (TraceTrack& track : m_trace.tracks)
            if (track.rank.valid())
                track.rank = place[track.rank.index()];
    }

    void say()
    {
        if (const int runs = runsOf(m_trace); runs > 1)
            m_trace.warnings.push_back(
                "every pass is there " + std::to_string(runs) +
                " times, on threads of one process at the same time: " + std::to_string(runs) +
                " runs, of which one is read at a time");
    }

    Trace& m_trace;
    std::map<std::pair<TraceRankId, std::int32_t>, TraceRankId> m_moved; // rows of a rank
    std::set<std::int32_t> m_parted;
};

} // namespace

std::set<std::int32_t> partCopies(Trace& trace)
{
    return Parting(trace).run();
}

int runsOf(const Trace& trace)
{
    std::int32_t last = 0;
    for (const TraceRank& rank : trace.ranks)
        last = std::max(last, rank.run);
    return last + 1;
}

void leaveSpans(Trace& trace, const std::function<bool(const TraceSpan&)>& keeps)
{
    std::vector<std::int32_t> spanPlace(trace.spans.size(), -1);
    std::vector<TraceSpan> spans;
    for (std::size_t i = 0; i < trace.spans.size(); ++i)
        if (keeps(trace.spans[i])) {
            spanPlace[i] = static_cast<std::int32_t>(spans.size());
            spans.push_back(trace.spans[i]);
        }
    std::vector<TraceLink> links;
    for (const TraceLink& link : trace.links) {
        const std::int32_t from = spanPlace[static_cast<std::size_t>(link.from)];
        const std::int32_t to = spanPlace[static_cast<std::size_t>(link.to)];
        if (from >= 0 && to >= 0)
            links.push_back({from, to});
    }
    trace.links = std::move(links);
    std::vector<CollectiveCall> calls;
    for (CollectiveCall call : trace.calls)
        if (call.span = spanPlace[static_cast<std::size_t>(call.span)]; call.span >= 0)
            calls.push_back(call);
    trace.calls = std::move(calls);
    trace.spans = std::move(spans);
}

namespace {

void startAtZero(Trace& trace)
{
    Ticks first = trace.spans.empty() ? 0 : trace.spans.front().start;
    for (const TraceSpan& span : trace.spans)
        first = std::min(first, span.start);
    trace.base += trace.base == 0 ? 0 : first;
    for (TraceSpan& span : trace.spans) {
        span.start -= first;
        span.end -= first;
    }
    for (TraceCounter& counter : trace.counters)
        for (CounterSample& sample : counter.samples)
            sample.time -= first;
}

} // namespace

void keepRun(Trace& trace, int run)
{
    std::vector<TraceRankId> place(trace.ranks.size());
    std::vector<TraceRank> kept;
    for (std::size_t i = 0; i < place.size(); ++i) {
        // What says no rank belongs to all runs.
        if (trace.ranks[i].run != run && trace.ranks[i].number >= 0)
            continue;
        place[i] = TraceRankId(kept.size());
        kept.push_back(std::move(trace.ranks[i]));
        kept.back().run = 0;
    }
    trace.ranks = std::move(kept);
    const auto gone = [&](TraceRankId rank) { return !place[rank.index()].valid(); };
    const auto keep = [&](auto& list) {
        list.erase(std::remove_if(list.begin(), list.end(),
                                  [&](const auto& one) { return gone(one.rank); }),
                   list.end());
        for (auto& one : list)
            one.rank = place[one.rank.index()];
    };
    leaveSpans(trace, [&](const TraceSpan& span) { return !gone(span.rank); });
    keep(trace.spans);
    keep(trace.peaks);
    keep(trace.counters);
    keep(trace.sums);
    keep(trace.rankFiles);
    for (TraceTrack& track : trace.tracks)
        if (track.rank.valid())
            track.rank = place[track.rank.index()];
    startAtZero(trace);
}

void keepSpans(Trace& trace, const std::function<bool(const TraceSpan&)>& keeps)
{
    leaveSpans(trace, keeps);
    std::vector<bool> has(trace.ranks.size(), false);
    for (const TraceSpan& span : trace.spans)
        has[span.rank.index()] = true;
    const auto keep = [&](auto& list) {
        list.erase(std::remove_if(list.begin(), list.end(),
                                  [&](const auto& one) { return !has[one.rank.index()]; }),
                   list.end());
    };
    keep(trace.peaks);
    keep(trace.counters);
    keep(trace.sums);
    keep(trace.rankFiles);
    startAtZero(trace);
}

} // namespace pw
