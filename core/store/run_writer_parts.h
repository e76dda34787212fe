// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/records.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pw {

/// Positions of the records in the order of their table: neighbours are inserted as neighbours.
template<typename T, typename Key>
std::vector<std::uint32_t> tableOrder(const std::vector<T>& records, const Key& key)
{
    std::vector<std::uint32_t> order(records.size());
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
        return key(records[a]) < key(records[b]);
    };
    if (!std::is_sorted(order.begin(), order.end(), less))
        std::stable_sort(order.begin(), order.end(), less);
    return order;
}

/// What a batch adds to a lane or an iteration.
struct LaneGrowth
{
    std::int64_t passes = 0;
    Ticks longestPass = 0;
    Ticks longestMessage = 0;
};
struct SpanGrowth
{
    Ticks first = 0;
    Ticks last = 0;
    std::int64_t passes = 0;
    // Of those that stand in the order: what is outside it is not part of an iteration's makespan.
    std::optional<Ticks> orderFirst{};
    std::optional<Ticks> orderLast{};
};
struct Growth
{
    std::map<RankId, LaneGrowth> lanes;
    std::map<std::pair<std::int32_t, RankId>, SpanGrowth> spans; // by iteration and rank

    void add(const RecordedPass& record)
    {
        // Records come rank by rank and in time order: mostly the lane and the span of the last
        // one.
        if (m_lane == nullptr || m_rank != record.rank) {
            m_rank = record.rank;
            m_lane = &lanes[record.rank];
        }
        ++m_lane->passes;
        m_lane->longestPass = std::max(m_lane->longestPass, record.end - record.start);
        const std::pair key(record.iteration, record.rank);
        if (m_span == nullptr || m_key != key) {
            m_key = key;
            m_span = &spans.try_emplace(key, SpanGrowth{record.start, record.end, 0}).first->second;
        }
        m_span->first = std::min(m_span->first, record.start);
        m_span->last = std::max(m_span->last, record.end);
        ++m_span->passes;
        if (record.entry >= 0) {
            m_span->orderFirst = std::min(m_span->orderFirst.value_or(record.start), record.start);
            m_span->orderLast = std::max(m_span->orderLast.value_or(record.end), record.end);
        }
    }
    void add(const RecordedMessage& record)
    {
        LaneGrowth& lane = lanes[record.from];
        lane.longestMessage = std::max(lane.longestMessage, record.ended - record.posted);
    }

private:
    std::pair<std::int32_t, RankId> m_key;
    RankId m_rank{0};
    LaneGrowth* m_lane = nullptr; // nodes of maps stay where they are
    SpanGrowth* m_span = nullptr;
};

/// The same of passes, which come rank by rank in time, or with ranks mixed: they are counted by
/// rank, and sorted only where a rank's are not in time.
inline std::vector<std::uint32_t> passOrder(const std::vector<RecordedPass>& passes)
{
    std::map<RankId, std::vector<std::uint32_t>> ranks;
    std::vector<std::uint32_t>* last = nullptr;
    RankId rank = RankId::none();
    for (std::size_t i = 0; i < passes.size(); ++i) {
        if (last == nullptr || passes[i].rank != rank) {
            rank = passes[i].rank;
            last = &ranks[rank];
        }
        last->push_back(static_cast<std::uint32_t>(i));
    }
    const auto sooner = [&passes](std::uint32_t a, std::uint32_t b) {
        return passes[a].start < passes[b].start;
    };
    std::vector<std::uint32_t> order;
    order.reserve(passes.size());
    for (auto& [number, of] : ranks) {
        if (!std::is_sorted(of.begin(), of.end(), sooner))
            std::stable_sort(of.begin(), of.end(), sooner);
        order.insert(order.end(), of.begin(), of.end());
    }
    return order;
}

/// Passes that one statement takes: at most so many, and no other rank's after at least so many of
/// one rank's.
constexpr std::size_t passesAtOnce = 1024, passesOfOneRank = 256;

/// Where a stretch of sorted passes ends that one statement takes.
inline std::size_t stretchEnd(const std::vector<RecordedPass>& passes,
                              const std::vector<std::uint32_t>& order, std::size_t begin)
{
    const std::size_t most = std::min(begin + passesAtOnce, order.size());
    std::size_t end = std::min(begin + passesOfOneRank, most);
    while (end < most && passes[order[end]].rank == passes[order[end - 1]].rank)
        ++end;
    return end;
}

constexpr const char* insertPass =
    "INSERT INTO pass (run, rank, start, seq, duration, iteration, entry, kind, stage, "
    "micro_batch, segment, route, trust) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)";
/// Those of a feed, beside the run.
constexpr const char* fedPassColumns = "rank, start, seq, duration, iteration, entry, kind, stage, "
                                       "micro_batch, segment, route, trust";
constexpr const char* insertMessage =
    "INSERT INTO message (run, from_rank, posted, seq, started, ended, iteration, message, "
    "to_rank, bytes, kind, stage, micro_batch, segment, route) VALUES "
    "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
constexpr const char* freePass =
    "SELECT coalesce(max(seq) + 1, 0) FROM pass WHERE run = ? AND rank = ? AND start = ?";
constexpr const char* freeMessage =
    "SELECT coalesce(max(seq) + 1, 0) FROM message WHERE run = ? AND from_rank = ? AND posted = ?";
constexpr const char* freeMemory =
    "SELECT coalesce(max(seq) + 1, 0) FROM memory WHERE run = ? AND rank = ? AND time = ?";

inline bool sameKey(const RecordedPass& a, const RecordedPass& b)
{
    return a.rank == b.rank && a.start == b.start;
}

constexpr const char* insertMemory =
    "INSERT INTO memory (run, rank, time, seq, iteration, weights, versions, gradients, optimizer, "
    "activations, held_for_weight, messages, workspace) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)";
constexpr const char* growLane =
    "INSERT INTO lane (run, rank, passes, longest_pass, longest_message) VALUES (?,?,?,?,?) "
    "ON CONFLICT DO UPDATE SET passes = passes + excluded.passes, "
    "longest_pass = max(longest_pass, excluded.longest_pass), "
    "longest_message = max(longest_message, excluded.longest_message)";
constexpr const char* growSpan =
    "INSERT INTO span (run, iteration, rank, first, last, passes, order_first, order_last) "
    "VALUES (?,?,?,?,?,?,?,?) "
    "ON CONFLICT DO UPDATE SET first = min(first, excluded.first), "
    "last = max(last, excluded.last), passes = passes + excluded.passes, "
    "order_first = min(coalesce(order_first, excluded.order_first), "
    "coalesce(excluded.order_first, order_first)), "
    "order_last = max(coalesce(order_last, excluded.order_last), "
    "coalesce(excluded.order_last, order_last))";

} // namespace pw
