// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/trace_memory.h"

#include <algorithm>
#include <map>
#include <utility>

namespace pw {

namespace {

/// First start and last end of iterations, by rank and number.
using IterationStretches = std::map<std::pair<TraceRankId, std::int32_t>, std::pair<Ticks, Ticks>>;

IterationStretches iterationStretches(const Trace& trace)
{
    IterationStretches stretches;
    for (const TraceSpan& span : trace.spans) {
        const SpanLabel* label = trace.labelOf(span);
        if (label == nullptr || label->iteration < 0)
            continue;
        const auto [found, made] =
            stretches.try_emplace({span.rank, label->iteration}, span.start, span.end);
        if (!made) {
            found->second.first = std::min(found->second.first, span.start);
            found->second.second = std::max(found->second.second, span.end);
        }
    }
    return stretches;
}

bool toldByIteration(const Trace& trace)
{
    return std::any_of(trace.peaks.begin(), trace.peaks.end(),
                       [](const TracePeak& peak) { return peak.iteration >= 0; });
}

double highestOfCounter(const TraceCounter& counter)
{
    double most = 0;
    for (const CounterSample& sample : counter.samples)
        most = std::max(most, sample.value);
    return most;
}

/// When a counter first reaches its highest value.
std::optional<Ticks> firstAtHighest(const TraceCounter& counter)
{
    const auto most = std::max_element(
        counter.samples.begin(), counter.samples.end(),
        [](const CounterSample& a, const CounterSample& b) { return a.value < b.value; });
    return most == counter.samples.end() ? std::optional<Ticks>() : most->time;
}

} // namespace

int memoryWorth(const TraceCounter& counter)
{
    if (counter.kind != CounterKind::Memory)
        return 0;
    return 1 + (counter.device ? 2 : 0) + (counter.reserved ? 0 : 1);
}

namespace {

/// Of those that `counts` takes.
template<typename Counts>
std::int32_t bestCounter(const std::vector<TraceCounter>& counters, const Counts& counts)
{
    std::int32_t best = -1;
    std::pair<int, double> bestWorth{0, 0};
    for (std::size_t i = 0; i < counters.size(); ++i) {
        if (!counts(counters[i]))
            continue;
        const std::pair worth(memoryWorth(counters[i]), highestOfCounter(counters[i]));
        // One that is always 0 says nothing.
        if (worth.first > 0 && worth.second > 0 && worth > bestWorth) {
            best = static_cast<std::int32_t>(i);
            bestWorth = worth;
        }
    }
    return best;
}

} // namespace

std::int32_t memoryCounter(const std::vector<TraceCounter>& counters, TraceRankId rank)
{
    return bestCounter(counters, [rank](const TraceCounter& one) { return one.rank == rank; });
}

std::int32_t memoryCounter(const std::vector<TraceCounter>& counters)
{
    return bestCounter(counters, [](const TraceCounter&) { return true; });
}

std::vector<RankPeak> peaksOfRanks(const Trace& trace)
{
    std::map<TraceRankId, RankPeak> most;
    for (const TracePeak& peak : trace.peaks) {
        const auto [found, made] = most.try_emplace(
            peak.rank, RankPeak{peak.rank, peak.bytes, std::nullopt, peak.iteration});
        // Of iterations that are equal the first has reached it.
        const bool earlier = peak.bytes == found->second.bytes && peak.iteration >= 0 &&
                             peak.iteration < found->second.iteration;
        if (!made && (peak.bytes > found->second.bytes || earlier))
            found->second = {peak.rank, peak.bytes, std::nullopt, peak.iteration};
    }
    const IterationStretches stretches =
        toldByIteration(trace) ? iterationStretches(trace) : IterationStretches();
    std::vector<RankPeak> peaks;
    for (auto& [rank, peak] : most) {
        if (peak.iteration >= 0) {
            if (const auto found = stretches.find({rank, peak.iteration}); found != stretches.end())
                peak.at = found->second.second;
        } else if (const std::int32_t counter = memoryCounter(trace.counters, rank); counter >= 0) {
            peak.at = firstAtHighest(trace.counters[static_cast<std::size_t>(counter)]);
        }
        peaks.push_back(peak);
    }
    return peaks;
}

void addPeakCounters(Trace& trace)
{
    if (!toldByIteration(trace))
        return;
    const IterationStretches stretches = iterationStretches(trace);
    std::map<TraceRankId, TraceCounter> made;
    for (const TracePeak& peak : trace.peaks) {
        const auto stretch = stretches.find({peak.rank, peak.iteration});
        if (stretch == stretches.end() || memoryCounter(trace.counters, peak.rank) >= 0)
            continue;
        TraceCounter& counter = made[peak.rank];
        counter.samples.push_back({stretch->second.first, static_cast<double>(peak.bytes)});
    }
    for (auto& [rank, counter] : made) {
        counter.rank = rank;
        counter.name = "peak reserved";
        counter.kind = CounterKind::Memory;
        counter.device = counter.reserved = true;
        std::stable_sort(
            counter.samples.begin(), counter.samples.end(),
            [](const CounterSample& a, const CounterSample& b) { return a.time < b.time; });
        trace.counters.push_back(std::move(counter));
    }
}

} // namespace pw
