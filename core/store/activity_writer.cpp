// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/sqlite/sqlite.h"
#include "core/store/activity_marks_store.h"
#include "core/store/activity_store.h"
#include "core/store/keep_meter.h"
#include "core/store/row_batch.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace pw {

namespace {

/// The whole trace over the grain of a level, the finest first; the finest of all has every slice.
constexpr std::array<int, 3> levelBits = {18, 15, 12};

/// A lane has a coarser level where that is shorter by this than the next finer one that it has.
constexpr std::size_t worthALevel = 4;

/// Nesting up to which a lane is gone through once a depth, so that rows come in the order of their
/// key.
constexpr std::int32_t mostPasses = 8;

/// Slices of a lane put together, on one level.
struct CoarseLevel
{
    std::int64_t number = 0;
    std::vector<ActivitySlice> slices;
};

class ActivityWriter
{
public:
    ActivityWriter(Database& database, RunNumber run, const KeptActivity& kept, KeepMeter& meter)
        : m_database(database)
        , m_run(run)
        , m_kept(kept)
        , m_source(kept.source)
        , m_meter(meter)
    {
    }

    Result<void> write()
    {
        PW_DO(m_meter.ask());
        for (const char* table :
             {"activity", "activity_lane", "activity_level", "activity_name", "activity_link",
              "activity_label", "counter", "counter_value", "process_group", "collective",
              "work_sum", "rank_file", "job", "job_step", "job_summary", "job_worker", "job_cause",
              "job_repair", "job_time"})
            if (const Result<void> done = remove(table); !done)
                return done;
        PW_DO(writeNames(static_cast<std::int32_t>(m_kept.trace.names.size())));
        PW_DO(writeLevels());
        PW_TRY(RowBatch slices,
               RowBatch::open(m_database, "activity",
                              "lane, level, depth, start, seq, duration, name, kind, count, "
                              "queued, label",
                              m_run));
        for (std::size_t i = 0; i < m_source.lanes().size(); ++i)
            if (const Result<void> kept = writeLane(i, slices); !kept)
                return kept;
        PW_DO(slices.flush());
        for (const auto write :
             {writeLabels, writeArrows, writeCounters, writeCollectives, writeSums, writeRankFiles})
            if (const Result<void> kept = write(m_database, m_run, m_kept, m_meter); !kept)
                return kept;
        if (m_kept.more)
            PW_DO(m_kept.more(m_database, m_run));
        return m_meter.ask();
    }

private:
    Result<void> remove(const std::string& table)
    {
        PW_TRY(Statement statement, m_database.prepare("DELETE FROM " + table + " WHERE run = ?"));
        statement.bindAll(m_run);
        return statement.run();
    }

    Result<void> writeNames(std::int32_t names)
    {
        PW_TRY(RowBatch rows, RowBatch::open(m_database, "activity_name", "name, text", m_run));
        for (std::int32_t i = 0; i < names; ++i) {
            PW_TRY(const std::string text, m_source.name(i));
            PW_DO(rows.add(i, text));
            PW_DO(m_meter.step());
        }
        return rows.flush();
    }

    Result<void> writeLevels()
    {
        Ticks first = std::numeric_limits<Ticks>::max(), last = std::numeric_limits<Ticks>::min();
        for (const ActivityLane& lane : m_source.lanes()) {
            first = std::min(first, lane.start);
            last = std::max(last, lane.end);
        }
        PW_TRY(Statement insert,
               m_database.prepare("INSERT INTO activity_level (run, level, grain) VALUES (?,?,?)"));
        for (const int bits : levelBits) {
            const Ticks grain = last > first ? (last - first) >> bits : 0;
            if (grain <= 1)
                continue;
            m_grains.push_back(grain);
            insert.bindAll(m_run, static_cast<std::int64_t>(m_grains.size()), grain);
            PW_DO(insert.run());
        }
        return {};
    }

    /// The coarser levels of a lane that are worth it. Their grains bound their lengths.
    Result<std::vector<CoarseLevel>> coarseLevels(std::size_t index) const
    {
        std::vector<CoarseLevel> all(m_grains.size());
        std::vector<SliceMerger> mergers;
        for (std::size_t level = 0; level < m_grains.size(); ++level) {
            all[level].number = static_cast<std::int64_t>(level) + 1;
            mergers.emplace_back(m_grains[level], all[level].slices);
        }
        const auto most = static_cast<std::size_t>(m_source.lanes()[index].slices) / worthALevel;
        std::vector<bool> longer(m_grains.size(), false);
        PW_DO(m_source.each(index, [&](const ActivitySlice& slice) {
            for (std::size_t level = 0; level < mergers.size(); ++level) {
                if (longer[level])
                    continue;
                mergers[level].take(slice);
                longer[level] = all[level].slices.size() > most;
            }
            return true;
        }));
        std::vector<CoarseLevel> kept;
        std::size_t finer = most * worthALevel;
        for (std::size_t level = 0; level < all.size(); ++level) {
            if (longer[level])
                continue;
            mergers[level].finish();
            std::vector<ActivitySlice>& slices = all[level].slices;
            if (slices.size() > finer / worthALevel)
                continue;
            finer = slices.size();
            std::stable_sort(
                slices.begin(), slices.end(),
                [](const ActivitySlice& a, const ActivitySlice& b) { return a.depth < b.depth; });
            kept.push_back(std::move(all[level]));
        }
        return kept;
    }

    Result<void> writeLane(std::size_t index, RowBatch& rows)
    {
        const ActivityLane& lane = m_source.lanes()[index];
        const auto number = static_cast<std::int64_t>(index);
        PW_TRY(const std::vector<CoarseLevel> levels, coarseLevels(index));
        std::int64_t has = 0;
        for (const CoarseLevel& level : levels)
            has |= std::int64_t{1} << level.number;
        PW_TRY(
            Statement* const row,
            m_database.kept(
                "INSERT INTO activity_lane (run, lane, rank, device, owner, name, depths, slices, "
                "first, last, gpu, replica, levels) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"));
        row->bindAll(m_run, number, lane.rankNumber, std::int64_t{lane.device ? 1 : 0}, lane.owner,
                     lane.name, lane.rows, lane.slices, lane.start, lane.end,
                     lane.track < 0
                         ? -1
                         : m_kept.trace.tracks[static_cast<std::size_t>(lane.track)].deviceNumber,
                     lane.replica, has);
        PW_DO(row->run());
        const bool byDepth = lane.rows <= mostPasses;
        for (std::int32_t depth = 0; depth < (byDepth ? lane.rows : 1); ++depth)
            PW_DO(writeSlices(index, byDepth ? std::optional(depth) : std::nullopt, rows));
        for (const CoarseLevel& level : levels) {
            std::int64_t seq = 0;
            for (const ActivitySlice& slice : level.slices)
                PW_DO(rows.add(number, level.number, std::int64_t{slice.depth}, slice.start, seq++,
                               slice.end - slice.start, slice.name,
                               static_cast<std::int64_t>(slice.kind), slice.count,
                               std::optional<std::int32_t>(), std::optional<std::int64_t>()));
        }
        return {};
    }

    /// Every slice of a lane, or of a depth of it. Those of one depth that start together are told
    /// apart by their number in the lane, which arrows know too.
    Result<void> writeSlices(std::size_t index, std::optional<std::int32_t> depth, RowBatch& rows)
    {
        const auto number = static_cast<std::int64_t>(index);
        Result<void> problem;
        std::int64_t next = 0;
        PW_DO(m_source.each(index, [&](const ActivitySlice& slice) {
            const std::int64_t seq = next++;
            if (depth && slice.depth != *depth)
                return true;
            const TraceSpan& span = m_kept.trace.spans[static_cast<std::size_t>(slice.id)];
            problem = rows.add(
                number, std::int64_t{0}, std::int64_t{slice.depth}, slice.start, seq,
                slice.end - slice.start, slice.name, static_cast<std::int64_t>(slice.kind),
                slice.count,
                span.queued < 0 ? std::optional<std::int32_t>() : std::optional(span.queued),
                span.label < 0 ? std::optional<std::int64_t>() : std::optional(keptLabel(span)));
            if (problem)
                problem = m_meter.step();
            return problem.has_value();
        }));
        return problem;
    }

    Database& m_database;
    RunNumber m_run;
    const KeptActivity& m_kept;
    const TraceActivity& m_source;
    KeepMeter& m_meter;
    std::vector<Ticks> m_grains;
};

/// Rows that take most of the time; labels are few.
std::int64_t rowsOf(const KeptActivity& kept)
{
    std::size_t rows = kept.trace.names.size() + kept.pairs.size() + kept.trace.links.size() +
                       kept.trace.calls.size() + kept.trace.sums.size();
    for (const TraceCounter& counter : kept.trace.counters)
        rows += counter.samples.size();
    auto all = static_cast<std::int64_t>(rows);
    for (const ActivityLane& lane : kept.source.lanes())
        all += lane.slices;
    return all;
}

} // namespace

Result<void> keepActivity(Database& database, RunNumber run, const KeptActivity& kept,
                          const KeepOn& goOn)
{
    KeepMeter meter(database, goOn, rowsOf(kept));
    return ActivityWriter(database, run, kept, meter).write();
}

} // namespace pw
