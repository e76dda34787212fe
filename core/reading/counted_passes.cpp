// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/counted_passes.h"

#include "core/trace/origins.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace pw {

namespace {

/// The passes of one iteration of one rank, spans in the order in which they began.
struct CountedRound
{
    std::int32_t rankNumber = 0;
    std::vector<std::size_t> spans;
    std::vector<bool> forward; ///< parallel
    std::int32_t forwards = 0;
};

std::size_t lastSpanOf(const std::vector<EventFile>& files, std::size_t file, const Trace& trace)
{
    return file + 1 < files.size() ? files[file + 1].firstSpan : trace.spans.size();
}

/// The rounds of all files whose passes are counted.
std::vector<CountedRound> roundsOf(const Trace& trace, const std::vector<EventFile>& files)
{
    std::vector<CountedRound> rounds;
    for (std::size_t file = 0; file < files.size(); ++file) {
        const EventFile& said = files[file];
        if (!said.countedPasses)
            continue;
        std::map<std::pair<ProcessId, std::int32_t>, CountedRound> byRound;
        for (std::size_t i = said.firstSpan; i < lastSpanOf(files, file, trace); ++i) {
            const TraceSpan& span = trace.spans[i];
            const SpanLabel* label = trace.labelOf(span);
            if (label == nullptr || label->role != SpanRole::Pass)
                continue;
            const ProcessId process = processOf(span.rank);
            CountedRound& round = byRound[{process, label->iteration}];
            const std::int32_t own = said.processes[process.index()].rankSaid;
            round.rankNumber = own >= 0 ? own : said.rankNumber;
            round.spans.push_back(i);
        }
        for (auto& [key, round] : byRound) {
            std::stable_sort(round.spans.begin(), round.spans.end(),
                             [&](std::size_t a, std::size_t b) {
                                 return trace.spans[a].start < trace.spans[b].start;
                             });
            for (const std::size_t i : round.spans) {
                const bool forward = trace.labelOf(trace.spans[i])->kind == PassKind::F;
                round.forward.push_back(forward);
                round.forwards += forward ? 1 : 0;
            }
            rounds.push_back(std::move(round));
        }
    }
    return rounds;
}

/// Whether forwards and backwards of a rank alternate as Megatron lets them.
bool alternates(const CountedRound& round, std::int32_t ranks, std::int32_t chunks,
                std::int32_t group)
{
    const std::int64_t before = ranks - 1 - round.rankNumber;
    const std::int64_t warmUp = std::min<std::int64_t>(
        round.forwards, chunks == 1 ? before : 2 * before + std::int64_t{chunks - 1} * group);
    std::int64_t place = 0;
    const std::int64_t steady = 2 * (round.forwards - warmUp);
    for (const bool forward : round.forward) {
        const std::int64_t into = place++ - warmUp;
        const bool expected = into < 0 || (into < steady && into % 2 == 0);
        if (forward != expected)
            return false;
    }
    return true;
}

/// The shape that the files say together.
ToldShape toldTogether(const std::vector<EventFile>& files, const std::vector<CountedRound>& rounds)
{
    ToldShape shape;
    for (const EventFile& file : files) {
        for (std::int32_t ToldShape::*number :
             {&ToldShape::ranks, &ToldShape::chunks, &ToldShape::microBatches, &ToldShape::group})
            shape.*number = std::max(shape.*number, file.shape.*number);
    }
    if (shape.ranks < 0)
        for (const CountedRound& round : rounds)
            shape.ranks = std::max(shape.ranks, round.rankNumber + 1);
    return shape;
}

std::optional<std::int32_t> chunksByOrder(const std::vector<CountedRound>& rounds,
                                          const ToldShape& shape)
{
    constexpr std::int32_t mostChunks = 64;
    for (std::int32_t chunks = 1; chunks <= mostChunks; ++chunks) {
        const std::int32_t group = shape.group > 0 ? shape.group : shape.ranks;
        const bool all = std::all_of(rounds.begin(), rounds.end(), [&](const CountedRound& round) {
            return round.forwards % chunks == 0 && alternates(round, shape.ranks, chunks, group);
        });
        if (all)
            return chunks;
    }
    return std::nullopt;
}

} // namespace

void joinSteps(Trace& trace, const std::vector<EventFile>& files)
{
    std::map<std::int32_t, Ticks> lengths;
    const auto each = [&](const auto& take) {
        for (std::size_t file = 0; file < files.size(); ++file) {
            const std::vector<OwnStep>& steps = files[file].steps;
            for (std::size_t i = 0; i < steps.size(); ++i)
                take(steps[i], i + 1 < steps.size() ? steps[i + 1].firstSpan
                                                    : lastSpanOf(files, file, trace));
        }
    };
    each([&](const OwnStep& step, std::size_t end) {
        Ticks& length = lengths[step.iteration];
        length = std::max(length, step.length);
        for (std::size_t i = step.firstSpan; i < end; ++i)
            length = std::max(length, trace.spans[i].end);
    });
    if (lengths.empty())
        return;
    std::map<std::int32_t, Ticks> starts;
    Ticks start = 0;
    bool tooLong = false;
    for (const auto& [iteration, length] : lengths) {
        starts[iteration] = start;
        tooLong = tooLong || start > latestTime / 2 - length;
        start += tooLong ? 0 : length;
    }
    if (tooLong)
        trace.warnings.emplace_back("the steps are too long together to lie one behind the other");
    each([&](const OwnStep& step, std::size_t end) {
        for (std::size_t i = step.firstSpan; i < end; ++i) {
            trace.spans[i].start += starts[step.iteration];
            trace.spans[i].end += starts[step.iteration];
        }
    });
}

std::vector<std::pair<std::int32_t, std::int32_t>>
megatronTable(std::int32_t microBatches, std::int32_t chunks, std::int32_t group)
{
    std::vector<std::pair<std::int32_t, std::int32_t>> table;
    for (std::int32_t first = 0; first < microBatches; first += group)
        for (std::int32_t chunk = 0; chunk < chunks; ++chunk)
            for (std::int32_t one = first; one < microBatches && one - first < group; ++one)
                table.emplace_back(chunk, one);
    return table;
}

void countPasses(Trace& trace, const std::vector<EventFile>& files)
{
    const std::vector<CountedRound> rounds = roundsOf(trace, files);
    if (rounds.empty())
        return;
    const ToldShape shape = toldTogether(files, rounds);
    std::set<std::int32_t> present;
    for (const CountedRound& round : rounds)
        present.insert(round.rankNumber);
    if (shape.ranks > static_cast<std::int32_t>(present.size()))
        trace.warnings.push_back("the run has " + std::to_string(shape.ranks) +
                                 " pipeline ranks, and files of " + std::to_string(present.size()) +
                                 " are here");
    const std::optional<std::int32_t> byOrder =
        shape.chunks > 0 ? std::nullopt : chunksByOrder(rounds, shape);
    const std::int32_t chunks = shape.chunks > 0 ? shape.chunks : byOrder.value_or(1);
    const std::int32_t group = std::max(shape.group > 0 ? shape.group : shape.ranks, 1);
    if (shape.chunks <= 0 && !byOrder)
        trace.warnings.emplace_back(
            "forwards and backwards do not alternate as Megatron lets them; one chunk a rank is "
            "taken for granted, and micro-batches are counted as they ran");
    std::int64_t uneven = 0;
    for (const CountedRound& round : rounds) {
        if (round.forwards % chunks != 0) {
            ++uneven;
            for (const std::size_t i : round.spans)
                trace.labels[static_cast<std::size_t>(trace.spans[i].label)].microBatch = -1;
            continue;
        }
        const auto table = megatronTable(round.forwards / chunks, chunks, group);
        std::map<PassKind, std::size_t> counts;
        for (const std::size_t i : round.spans) {
            SpanLabel& label = trace.labels[static_cast<std::size_t>(trace.spans[i].label)];
            const std::size_t number = counts[label.kind]++;
            const bool known = number < table.size();
            label.microBatch = known ? table[number].second : -1;
            label.chunk = !known                      ? -1
                          : label.kind == PassKind::F ? table[number].first
                                                      : chunks - 1 - table[number].first;
        }
    }
    if (uneven > 0)
        trace.warnings.push_back(
            std::to_string(uneven) + " steps of ranks have a number of forwards that " +
            std::to_string(chunks) + " chunks do not divide; their micro-batches stay unknown");
}

} // namespace pw
