// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/activity_lanes.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <tuple>

namespace pw {

namespace {

/// Spans that a window passes over at once.
constexpr std::size_t blockSize = 512;

/// A number behind the last blank of a text, or of the whole text; −1: none. "stream 7" is 7.
std::int64_t trailingNumber(std::string_view text)
{
    const std::size_t blank = text.rfind(' ');
    if (blank != std::string_view::npos)
        text.remove_prefix(blank + 1);
    std::int64_t number = -1;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    return problem == std::errc{} && end == text.data() + text.size() && number >= 0 ? number : -1;
}

ActivityLane laneOf(const Trace& trace, std::int32_t track)
{
    const TraceTrack& row = trace.tracks[static_cast<std::size_t>(track)];
    ActivityLane lane;
    if (row.rank.valid() && row.rank.index() < trace.ranks.size()) {
        lane.rankNumber = trace.ranks[row.rank.index()].number;
        lane.replica = trace.ranks[row.rank.index()].replica;
    }
    lane.device = row.device;
    lane.track = track;
    lane.owner = row.device && row.deviceNumber >= 0 ? "GPU " + std::to_string(row.deviceNumber)
                                                     : row.process;
    const bool bareStream = row.device && !row.thread.empty() &&
                            row.thread.find_first_not_of("0123456789") == std::string::npos;
    const std::size_t stream = row.device ? row.thread.find("stream ") : std::string::npos;
    lane.name = bareStream                    ? "stream " + row.thread
                : stream != std::string::npos ? row.thread.substr(stream)
                                              : row.thread;
    return lane;
}

/// Ranks in their order, those without a number last; replicas; devices first; then by number and
/// name.
bool drawnBefore(const ActivityLane& a, const ActivityLane& b)
{
    const auto rank = [](const ActivityLane& lane) {
        return lane.rankNumber < 0 ? std::numeric_limits<std::int32_t>::max() : lane.rankNumber;
    };
    if (rank(a) != rank(b))
        return rank(a) < rank(b);
    if (a.replica != b.replica)
        return a.replica < b.replica;
    if (a.device != b.device)
        return a.device;
    const auto number = [](const std::string& text) { return trailingNumber(text); };
    return std::tuple(number(a.owner), std::string_view(a.owner), number(a.name),
                      std::string_view(a.name),
                      a.track) < std::tuple(number(b.owner), std::string_view(b.owner),
                                            number(b.name), std::string_view(b.name), b.track);
}

/// Puts the spans of one track, in their order, onto lanes of levels.
class TrackNesting
{
public:
    /// @return  0: on the track's own lane; 1: it crosses another one there
    int place(TraceSpan& span)
    {
        for (int lane = 0;; ++lane) {
            std::vector<Ticks>& open = m_open[lane];
            while (!open.empty() && open.back() <= span.start)
                open.pop_back();
            const bool nests = open.empty() || span.end <= open.back();
            // On the second lane whatever still crosses stands a level lower.
            if (!nests && lane == 0)
                continue;
            constexpr std::size_t deepest = std::numeric_limits<std::uint16_t>::max();
            span.depth = static_cast<std::uint16_t>(std::min(open.size(), deepest));
            // A level is free once everything on it and below it has ended.
            open.push_back(nests ? span.end : std::max(span.end, open.back()));
            return lane;
        }
    }

private:
    std::vector<Ticks> m_open[2]; // ends, the innermost last
};

/// Spans of each track by start, the longer first.
std::vector<std::int32_t> byTrack(const Trace& trace, std::vector<std::size_t>& first)
{
    first.assign(trace.tracks.size() + 1, 0);
    for (const TraceSpan& span : trace.spans)
        ++first[static_cast<std::size_t>(span.track) + 1];
    for (std::size_t i = 1; i < first.size(); ++i)
        first[i] += first[i - 1];
    std::vector<std::int32_t> order(trace.spans.size());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (std::size_t i = 0; i < trace.spans.size(); ++i)
        order[next[static_cast<std::size_t>(trace.spans[i].track)]++] =
            static_cast<std::int32_t>(i);
    const auto span = [&trace](std::int32_t i) -> const TraceSpan& {
        return trace.spans[static_cast<std::size_t>(i)];
    };
    const auto earlier = [&span](std::int32_t a, std::int32_t b) {
        return std::tuple(span(a).start, span(b).end, a) <
               std::tuple(span(b).start, span(a).end, b);
    };
    for (std::size_t track = 0; track + 1 < first.size(); ++track) {
        const auto from = order.begin() + static_cast<std::ptrdiff_t>(first[track]);
        const auto to = order.begin() + static_cast<std::ptrdiff_t>(first[track + 1]);
        if (!std::is_sorted(from, to, earlier))
            std::sort(from, to, earlier);
    }
    return order;
}

void count(ActivityLane& lane, const TraceSpan& span)
{
    lane.start = lane.slices == 0 ? span.start : std::min(lane.start, span.start);
    lane.end = lane.slices == 0 ? span.end : std::max(lane.end, span.end);
    lane.rows = std::max(lane.rows, static_cast<std::int32_t>(span.depth) + 1);
    ++lane.slices;
}

} // namespace

ActivityLanes activityLanes(Trace& trace)
{
    std::vector<std::size_t> first;
    std::vector<std::int32_t> order = byTrack(trace, first);
    struct Part
    {
        ActivityLane lane;
        std::size_t from = 0, to = 0; // of `order`
        bool crossing = false;
    };
    std::vector<Part> parts;
    std::vector<std::int32_t> crossing;
    for (std::size_t track = 0; track + 1 < first.size(); ++track) {
        if (first[track] == first[track + 1])
            continue;
        TrackNesting nesting;
        crossing.clear();
        ActivityLane own = laneOf(trace, static_cast<std::int32_t>(track));
        ActivityLane second = own;
        std::size_t kept = first[track];
        for (std::size_t i = first[track]; i < first[track + 1]; ++i) {
            const std::int32_t index = order[i];
            TraceSpan& span = trace.spans[static_cast<std::size_t>(index)];
            if (nesting.place(span) == 0) {
                count(own, span);
                order[kept++] = index;
            } else {
                count(second, span);
                crossing.push_back(index);
            }
        }
        std::copy(crossing.begin(), crossing.end(),
                  order.begin() + static_cast<std::ptrdiff_t>(kept));
        parts.push_back({std::move(own), first[track], kept, false});
        if (!crossing.empty())
            parts.push_back({std::move(second), kept, first[track + 1], true});
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Part& a, const Part& b) { return drawnBefore(a.lane, b.lane); });
    ActivityLanes found;
    found.spans.reserve(order.size());
    for (Part& part : parts) {
        found.firstSpan.push_back(found.spans.size());
        found.spans.insert(found.spans.end(),
                           order.begin() + static_cast<std::ptrdiff_t>(part.from),
                           order.begin() + static_cast<std::ptrdiff_t>(part.to));
        // Named last: the two lanes of a track stand together.
        if (part.crossing)
            part.lane.name += " (crossing)";
        found.lanes.push_back(std::move(part.lane));
    }
    found.firstSpan.push_back(found.spans.size());
    return found;
}

TraceActivity::TraceActivity(Trace& trace)
    : TraceActivity(trace, activityLanes(trace))
{
}

TraceActivity::TraceActivity(const Trace& trace, ActivityLanes lanes)
    : m_trace(trace)
    , m_lanes(std::move(lanes))
    , m_ends((m_lanes.spans.size() + blockSize - 1) / blockSize, std::numeric_limits<Ticks>::min())
{
    for (std::size_t i = 0; i < m_lanes.spans.size(); ++i) {
        const TraceSpan& span = trace.spans[static_cast<std::size_t>(m_lanes.spans[i])];
        m_ends[i / blockSize] = std::max(m_ends[i / blockSize], span.end);
    }
    m_coarse.resize(m_lanes.lanes.size());
    for (std::size_t lane = 0; lane < m_lanes.lanes.size(); ++lane)
        findCoarse(lane);
}

ActivitySlice TraceActivity::sliceAt(std::size_t place) const
{
    const std::int32_t index = m_lanes.spans[place];
    const TraceSpan& span = m_trace.spans[static_cast<std::size_t>(index)];
    return {span.start, span.end, index, span.name, 1, span.depth, span.activity};
}

/// From the finest grain that shortens the lane enough to be worth its memory to the coarsest, each
/// made of the one before it: a window of any length reads not many more slices than it has pixels.
void TraceActivity::findCoarse(std::size_t lane)
{
    constexpr std::size_t longLane = 1U << 16, shorterThanAll = 5, shorterThanFiner = 3;
    constexpr unsigned finestBits = 24, coarsestBits = 12;
    const std::size_t from = m_lanes.firstSpan[lane], to = m_lanes.firstSpan[lane + 1];
    if (to - from < longLane)
        return;
    const Ticks length = m_lanes.lanes[lane].end - m_lanes.lanes[lane].start;
    std::vector<Coarse>& levels = m_coarse[lane];
    for (unsigned bits = finestBits; bits >= coarsestBits; --bits) {
        Coarse coarse;
        coarse.grain = length >> bits;
        if (coarse.grain <= 0)
            continue;
        const bool first = levels.empty();
        const std::size_t finer = first ? to - from : levels.back().slices.size();
        const std::size_t most = finer / (first ? shorterThanAll : shorterThanFiner);
        // A part in the middle tells most grains that are too fine.
        constexpr std::size_t part = 1U << 16;
        const std::size_t middle = finer > part ? (finer - part) / 2 : 0;
        const auto merged = [&](std::size_t begin, std::size_t end, std::size_t atMost) {
            coarse.slices.clear();
            SliceMerger merger(coarse.grain, coarse.slices);
            for (std::size_t i = begin; i < end && coarse.slices.size() <= atMost; ++i)
                merger.take(first ? sliceAt(from + i) : levels.back().slices[i]);
            merger.finish();
            return coarse.slices.size() <= atMost;
        };
        if (finer > part && !merged(middle, middle + part, 2 * part / (finer / most)))
            continue;
        if (!merged(0, finer, most))
            continue;
        coarse.slices.shrink_to_fit();
        coarse.ends.assign((coarse.slices.size() + blockSize - 1) / blockSize,
                           std::numeric_limits<Ticks>::min());
        for (std::size_t i = 0; i < coarse.slices.size(); ++i)
            coarse.ends[i / blockSize] = std::max(coarse.ends[i / blockSize], coarse.slices[i].end);
        levels.push_back(std::move(coarse));
    }
}

Result<void> ActivitySource::each(std::size_t lane,
                                  const std::function<bool(const ActivitySlice&)>& take) const
{
    std::vector<ActivitySlice> all;
    const Result<void> read = slices(lane, std::numeric_limits<Ticks>::min() / 4,
                                     std::numeric_limits<Ticks>::max() / 4, 0, all);
    if (!read)
        return read;
    for (const ActivitySlice& slice : all)
        if (!take(slice))
            break;
    return {};
}

Result<void> TraceActivity::each(std::size_t lane,
                                 const std::function<bool(const ActivitySlice&)>& take) const
{
    for (std::size_t i = m_lanes.firstSpan[lane]; i < m_lanes.firstSpan[lane + 1]; ++i) {
        const std::int32_t index = m_lanes.spans[i];
        const TraceSpan& span = m_trace.spans[static_cast<std::size_t>(index)];
        if (!take({span.start, span.end, index, span.name, 1, span.depth, span.activity}))
            break;
    }
    return {};
}

template<class Merger>
void TraceActivity::read(std::size_t lane, Ticks from, Ticks to, Ticks grain, Merger& merger) const
{
    const auto take = [&](std::size_t begin, std::size_t end, const std::vector<Ticks>& ends,
                          const auto& at) {
        for (std::size_t i = begin; i < end; ++i) {
            if (i % blockSize == 0 && ends[i / blockSize] < from) {
                i += blockSize - 1;
                continue;
            }
            const ActivitySlice slice = at(i);
            if (slice.start >= to)
                break;
            // What has no length is seen where it stands.
            if (slice.end > from || (slice.end == from && slice.start == from))
                merger.take(slice);
        }
    };
    const Coarse* coarse = nullptr;
    for (const Coarse& level : m_coarse[lane])
        if (level.grain <= grain)
            coarse = &level;
    if (coarse != nullptr)
        take(0, coarse->slices.size(), coarse->ends,
             [coarse](std::size_t i) { return coarse->slices[i]; });
    else
        take(m_lanes.firstSpan[lane], m_lanes.firstSpan[lane + 1], m_ends,
             [this](std::size_t i) { return sliceAt(i); });
    merger.finish();
}

Result<void> TraceActivity::slices(std::size_t lane, Ticks from, Ticks to, Ticks grain,
                                   std::vector<ActivitySlice>& out) const
{
    out.clear();
    if (lane >= m_lanes.lanes.size())
        return {};
    SliceMerger merger(grain, out);
    read(lane, from, to, grain, merger);
    return {};
}

void TraceActivity::levels(std::size_t lane, Ticks from, Ticks to, Ticks grain,
                           std::vector<std::vector<ActivitySlice>>& out) const
{
    for (std::vector<ActivitySlice>& level : out)
        level.clear();
    if (lane >= m_lanes.lanes.size())
        return;
    LevelMerger merger(grain, out);
    read(lane, from, to, grain, merger);
}

Result<std::string> TraceActivity::name(std::int32_t name) const
{
    const bool known = name >= 0 && static_cast<std::size_t>(name) < m_trace.names.size();
    return known ? m_trace.names[static_cast<std::size_t>(name)] : std::string();
}

} // namespace pw
