// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/trace/propose_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace pw {

namespace {

std::map<std::int32_t, double> namesOf(const ProposeRank& rank, const ProposeSegment& segment)
{
    std::map<std::int32_t, double> counts;
    for (const std::size_t i : segment.items)
        counts[rank.items[i].name] += 1;
    return counts;
}

/// 1: the same kernels as often; 0: none in common.
double likeness(const std::map<std::int32_t, double>& a, const std::map<std::int32_t, double>& b)
{
    double both = 0, squaresA = 0, squaresB = 0;
    for (const auto& [name, count] : a) {
        squaresA += count * count;
        if (const auto found = b.find(name); found != b.end())
            both += count * found->second;
    }
    for (const auto& [name, count] : b)
        squaresB += count * count;
    return squaresA > 0 && squaresB > 0 ? both / std::sqrt(squaresA * squaresB) : 0;
}

/// Whether whole passes alternate instead: each backward is of the F right before it.
bool alternatesByMicroBatch(const ProposeRank& rank, const std::vector<ProposeSegment>& segments,
                            const ProposeOverlap& one)
{
    std::size_t own = 0, told = 0;
    std::set<std::int32_t> inForward;
    for (std::size_t s = one.first; s < one.behind; ++s) {
        if (segments[s].state == ProposeState::F) {
            inForward.clear();
            for (const std::size_t i : segments[s].items)
                if (rank.items[i].forward >= 0)
                    inForward.insert(rank.items[i].forward);
        } else {
            for (const std::size_t i : segments[s].items)
                if (const std::int32_t forward = rank.items[i].forward; forward >= 0) {
                    ++told;
                    own += inForward.count(forward);
                }
        }
    }
    return told > 0 && own * 2 > told;
}

/// Sends and receives between most turns are those of whole passes.
bool messagesBetween(const ProposeRank& rank, const std::vector<ProposeSegment>& segments,
                     const ProposeOverlap& one)
{
    std::size_t between = 0;
    for (std::size_t s = one.first; s < one.behind; ++s)
        between +=
            segments[s].cutByMessage ||
                    (s > one.first && std::lower_bound(rank.messages.begin(), rank.messages.end(),
                                                       segments[s - 1].start) !=
                                          std::lower_bound(rank.messages.begin(),
                                                           rank.messages.end(), segments[s].start))
                ? 1U
                : 0U;
    return between * 2 > one.forwards + one.backwards;
}

/// Whether the ranges that name the kinds name other parts in one turn of a backward than in the
/// next: the turns are pieces of one backward, which the parts of F lie between.
bool sharesOutParts(const ProposeRank& rank, const std::vector<ProposeSegment>& segments,
                    const ProposeOverlap& one)
{
    std::set<std::set<std::int32_t>> turns;
    std::set<std::int32_t> turn;
    for (std::size_t s = one.first; s < one.behind; ++s) {
        if (segments[s].state == ProposeState::F) {
            turns.insert(std::move(turn));
            turn = {};
            continue;
        }
        const std::set<std::int32_t> ranges = rangesOf(rank, segments[s]);
        turn.insert(ranges.begin(), ranges.end());
    }
    turns.insert(std::move(turn));
    turns.erase(std::set<std::int32_t>());
    return turns.size() > 1;
}

/// Looks for the two signs of one chunk over another: parts that differ from the one before, and
/// exchanges of experts that run under the compute of the other kind.
void judge(const ProposeRank& rank, const std::vector<ProposeSegment>& segments,
           ProposeOverlap& one)
{
    double alike = 0;
    std::size_t pairs = 0;
    std::map<std::int32_t, double> before;
    for (std::size_t s = one.first; s < one.behind; ++s) {
        if (segments[s].state != ProposeState::F)
            continue;
        std::map<std::int32_t, double> names = namesOf(rank, segments[s]);
        if (!before.empty()) {
            alike += likeness(before, names);
            ++pairs;
        }
        before = std::move(names);
    }
    constexpr double different = 0.75;
    const bool parts = pairs > 0 && alike / static_cast<double>(pairs) < different;
    Ticks hidden = 0, exchanged = 0;
    const Ticks from = segments[one.first].start, to = segments[one.behind - 1].end;
    std::size_t count = 0;
    for (const auto& [start, end] : rank.experts) {
        if (end <= from || start >= to)
            continue;
        ++count;
        exchanged += end - start;
        for (std::size_t s = one.first; s < one.behind; ++s)
            hidden += std::max<Ticks>(0, std::min(end, segments[s].end) -
                                             std::max(start, segments[s].start));
    }
    const bool experts = count >= one.forwards && hidden * 2 > exchanged;
    const bool named = sharesOutParts(rank, segments, one);
    if (named)
        one.why = "the ranges around its kernels name parts, which the turns share out";
    else if (parts)
        one.why = "the parts of F differ from one to the next, so they are parts of one pass";
    if (experts)
        one.why += std::string(one.why.empty() ? "" : "; ") +
                   groupedNumber(static_cast<std::int64_t>(count)) +
                   " exchanges between experts (dispatch, combine) run under compute";
    one.sure = named || (parts && experts);
}

} // namespace

std::set<std::int32_t> rangesOf(const ProposeRank& rank, const ProposeSegment& segment)
{
    std::set<std::int32_t> ranges;
    for (const std::size_t i : segment.items)
        if (rank.items[i].range >= 0)
            ranges.insert(rank.items[i].range);
    return ranges;
}

std::vector<ProposeOverlap> overlapsOf(const ProposeRank& rank,
                                       const std::vector<ProposeSegment>& segments)
{
    constexpr std::size_t fewestTurns = 3;
    std::vector<ProposeOverlap> found;
    for (std::size_t first = 0; first < segments.size();) {
        ProposeOverlap one;
        one.first = one.behind = first;
        Ticks end = segments[first].end, longest = 0;
        for (std::size_t s = first; s < segments.size(); ++s) {
            const ProposeSegment& here = segments[s];
            const bool forward = here.state == ProposeState::F;
            if (here.state == ProposeState::U || (forward && here.cutByExample))
                break;
            // A pause longer than everything before it ends the run.
            if (s > first && here.start - end > 2 * std::max<Ticks>(longest, 1))
                break;
            const bool turn = s == first || forward != (segments[s - 1].state == ProposeState::F);
            if (!turn && forward)
                break; // two of F in a row are two passes
            (forward ? one.forwards : one.backwards) += turn ? 1U : 0U;
            longest = std::max(longest, here.end - here.start);
            end = std::max(end, here.end);
            one.behind = s + 1;
        }
        if (one.forwards >= fewestTurns && one.backwards >= fewestTurns) {
            judge(rank, segments, one);
            if (!one.why.empty() && !alternatesByMicroBatch(rank, segments, one) &&
                !messagesBetween(rank, segments, one))
                found.push_back(one);
        }
        first = std::max(one.behind, first + 1);
    }
    return found;
}

} // namespace pw
