// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/activity_store.h"

#include "core/base/try.h"
#include "core/store/activity_marks_store.h"
#include "core/store/keep_meter.h"
#include "core/store/schema.h"
#include "core/store/sqlite.h"
#include "core/store/stored_limits.h"
#include "core/store/stored_numbers.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <tuple>

namespace pw {

namespace {

/// The whole trace over the grain of a level, the finest first; the finest of all has every slice.
constexpr std::array<int, 3> levelBits = {18, 15, 12};

constexpr const char* insertSlice =
    "INSERT INTO activity (run, lane, level, depth, start, seq, duration, name, kind, count, "
    "queued, label) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)";

/// Writes the slices of one lane on one level.
class LevelWriter
{
public:
    LevelWriter(Statement& insert, RunNumber run, std::int64_t lane, std::int64_t level)
        : m_insert(insert)
        , m_run(run)
        , m_lane(lane)
        , m_level(level)
    {
    }

    /// @param span  of the slice; null: it stands for several
    Result<void> write(const ActivitySlice& slice, const TraceSpan* span = nullptr)
    {
        // Of a lane, slices of one level and depth that start together are told apart by their
        // order.
        m_insert.bindAll(m_run, m_lane, m_level, std::int64_t{slice.depth}, slice.start, m_next++,
                         slice.end - slice.start, slice.name, static_cast<std::int64_t>(slice.kind),
                         slice.count,
                         span == nullptr || span->queued < 0 ? std::optional<std::int32_t>()
                                                             : std::optional(span->queued),
                         span == nullptr || span->label < 0 ? std::optional<std::int64_t>()
                                                            : std::optional(keptLabel(*span)));
        return m_insert.run();
    }

private:
    Statement& m_insert;
    RunNumber m_run;
    std::int64_t m_lane;
    std::int64_t m_level;
    std::int64_t m_next = 0;
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
        for (const char* table : {"activity", "activity_lane", "activity_level", "activity_name",
                                  "activity_link", "activity_label", "counter", "counter_value",
                                  "process_group", "collective", "work_sum"})
            if (const Result<void> done = remove(table); !done)
                return done;
        PW_DO(writeNames(static_cast<std::int32_t>(m_kept.trace.names.size())));
        PW_DO(writeLevels());
        PW_TRY(Statement insert, m_database.prepare(insertSlice));
        for (std::size_t i = 0; i < m_source.lanes().size(); ++i)
            if (const Result<void> kept = writeLane(i, insert); !kept)
                return kept;
        for (const auto write :
             {writeLabels, writeArrows, writeCounters, writeCollectives, writeSums})
            if (const Result<void> kept = write(m_database, m_run, m_kept, m_meter); !kept)
                return kept;
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
        PW_TRY(Statement insert,
               m_database.prepare("INSERT INTO activity_name (run, name, text) VALUES (?,?,?)"));
        for (std::int32_t i = 0; i < names; ++i) {
            PW_TRY(const std::string text, m_source.name(i));
            insert.bindAll(m_run, i, text);
            PW_DO(insert.run());
            PW_DO(m_meter.step());
        }
        return {};
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

    Result<void> writeLane(std::size_t index, Statement& insert)
    {
        const ActivityLane& lane = m_source.lanes()[index];
        const auto number = static_cast<std::int64_t>(index);
        PW_TRY(
            Statement row,
            m_database.prepare(
                "INSERT INTO activity_lane (run, lane, rank, device, owner, name, depths, slices, "
                "first, last, gpu, replica) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)"));
        row.bindAll(m_run, number, lane.rankNumber, std::int64_t{lane.device ? 1 : 0}, lane.owner,
                    lane.name, lane.rows, lane.slices, lane.start, lane.end,
                    lane.track < 0
                        ? -1
                        : m_kept.trace.tracks[static_cast<std::size_t>(lane.track)].deviceNumber,
                    lane.replica);
        PW_DO(row.run());
        // A stretch of the lane at a time, so that memory does not grow with it.
        std::vector<ActivitySlice> slices, merged;
        LevelWriter all(insert, m_run, number, 0);
        std::vector<LevelWriter> writers;
        std::vector<SliceMerger> mergers;
        std::vector<std::vector<ActivitySlice>> outs(m_grains.size());
        for (std::size_t level = 0; level < m_grains.size(); ++level) {
            writers.emplace_back(insert, m_run, number, static_cast<std::int64_t>(level) + 1);
            mergers.emplace_back(m_grains[level], outs[level]);
        }
        const auto flush = [&](std::size_t level) -> Result<void> {
            for (const ActivitySlice& slice : outs[level])
                if (const Result<void> done = writers[level].write(slice); !done)
                    return done;
            outs[level].clear();
            return {};
        };
        Result<void> problem;
        const Result<void> read = m_source.each(index, [&](const ActivitySlice& slice) {
            const TraceSpan& span = m_kept.trace.spans[static_cast<std::size_t>(slice.id)];
            if (problem = all.write(slice, &span); !problem)
                return false;
            if (problem = m_meter.step(); !problem)
                return false;
            constexpr std::size_t many = 1024;
            for (std::size_t level = 0; level < mergers.size(); ++level) {
                mergers[level].take(slice);
                if (outs[level].size() >= many)
                    if (problem = flush(level); !problem)
                        return false;
            }
            return true;
        });
        if (!read)
            return read;
        if (!problem)
            return problem;
        for (std::size_t level = 0; level < mergers.size(); ++level) {
            mergers[level].finish();
            PW_DO(flush(level));
        }
        return {};
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

Result<void> keepActivity(const std::string& store, RunNumber run, const KeptActivity& kept,
                          const KeepOn& goOn)
{
    // Opened as a store first: it is made, brought up to date and checked.
    PW_TRY(RunStore opened, RunStore::open(store));
    if (const Result<RunDetails> there = opened.run(run); !there)
        return fail(there.error());
    PW_TRY(std::unique_ptr<Database> database, Database::open(store, Database::Mode::Write));
    database->refuseViews();
    PW_TRY(Transaction transaction, Transaction::begin(*database));
    PW_DO(keepActivity(*database, run, kept, goOn));
    return transaction.commit();
}

StoredActivity::StoredActivity(std::unique_ptr<Database> database, RunNumber run)
    : m_database(std::move(database))
    , m_run(run)
{
}

StoredActivity::~StoredActivity() = default;
StoredActivity::StoredActivity(StoredActivity&&) noexcept = default;
StoredActivity& StoredActivity::operator=(StoredActivity&&) noexcept = default;

Result<StoredActivity> StoredActivity::open(const std::string& store, RunNumber run)
{
    // Brings an older store up to date, and says what is wrong with it.
    PW_TRY(RunStore opened, RunStore::openToRead(store));
    if (const Result<RunDetails> there = opened.run(run); !there)
        return fail(there.error());
    PW_TRY(std::unique_ptr<Database> database, Database::open(store, Database::Mode::Read));
    database->refuseViews();
    StoredActivity activity(std::move(database), run);
    PW_DO(activity.load());
    return activity;
}

Result<void> StoredActivity::load()
{
    PW_TRY(Statement lanes,
           m_database->prepare(
               "SELECT rank, device, owner, name, depths, slices, first, last, replica "
               "FROM activity_lane "
               "WHERE run = ? ORDER BY lane"));
    lanes.bindAll(m_run);
    const Result<void> read = lanes.each([this](const Statement& row) {
        ActivityLane lane;
        lane.rankNumber =
            static_cast<std::int32_t>(row.within(0, -1, mostStoredRanks, "a lane's rank"));
        lane.device = row.whole(1) != 0;
        lane.owner = row.text(2);
        lane.name = row.text(3);
        lane.rows = static_cast<std::int32_t>(
            row.within(4, 0, std::numeric_limits<std::uint16_t>::max() + 1, "a lane's levels"));
        lane.slices = row.within(5, 0, std::numeric_limits<std::int64_t>::max(), "a lane's slices");
        lane.start = row.within(6, -latestStored, latestStored, "a lane's start");
        lane.end = row.within(7, -latestStored, latestStored, "a lane's end");
        lane.replica =
            static_cast<std::int32_t>(row.within(8, -1, mostStoredRanks, "a lane's replica"));
        m_lanes.push_back(std::move(lane));
    });
    if (!read)
        return read;
    PW_TRY(Statement levels,
           m_database->prepare(
               "SELECT level, grain FROM activity_level WHERE run = ? ORDER BY grain"));
    levels.bindAll(m_run);
    return levels.each([this](const Statement& row) {
        m_levels.push_back({row.whole(0), row.within(1, 1, latestStored, "a level's grain")});
    });
}

Result<void> StoredActivity::slices(std::size_t lane, Ticks from, Ticks to, Ticks grain,
                                    std::vector<ActivitySlice>& out) const
{
    out.clear();
    if (lane >= m_lanes.size())
        return {};
    std::int64_t level = 0;
    for (const Level& one : m_levels)
        level = one.grain <= grain ? one.number : level;
    // On a level of nesting slices follow each other: one at most reaches in from before.
    PW_TRY(
        Statement* const query,
        m_database->kept(
            "SELECT start, duration, name, kind, count, seq FROM activity WHERE run = ?1 AND "
            "lane = ?2 AND level = ?3 AND depth = ?4 AND start < ?6 AND start >= coalesce((SELECT "
            "max(start) FROM activity WHERE run = ?1 AND lane = ?2 AND level = ?3 AND depth = ?4 "
            "AND "
            "start <= ?5), ?5) ORDER BY start, seq"));
    for (std::int32_t depth = 0; depth < m_lanes[lane].rows; ++depth) {
        query->bindAll(m_run, static_cast<std::int64_t>(lane), level, std::int64_t{depth}, from,
                       to);
        const Result<void> read = query->each([&](const Statement& row) {
            ActivitySlice slice;
            slice.start = row.within(0, -latestStored, latestStored, "a slice's start");
            slice.end = slice.start + row.within(1, 0, latestStored, "a slice's length");
            slice.name = static_cast<std::int32_t>(
                row.within(2, -1, std::numeric_limits<std::int32_t>::max(), "a slice's name"));
            slice.kind = static_cast<ActivityKind>(
                row.within(3, 0, activityKindCount - 1, "a slice's kind"));
            slice.count = static_cast<std::int32_t>(
                row.within(4, 1, std::numeric_limits<std::int32_t>::max(), "a slice's count"));
            slice.id = slice.count == 1 ? row.whole(5) : -1;
            slice.depth = static_cast<std::uint16_t>(depth);
            if (slice.end > from || (slice.end == from && slice.start == from))
                out.push_back(slice);
        });
        if (!read)
            return read;
    }
    std::sort(out.begin(), out.end(), [](const ActivitySlice& a, const ActivitySlice& b) {
        return std::tuple(a.start, a.depth, a.id) < std::tuple(b.start, b.depth, b.id);
    });
    return {};
}

Result<std::string> StoredActivity::name(std::int32_t name) const
{
    PW_TRY(Statement* const query,
           m_database->kept("SELECT text FROM activity_name WHERE run = ? AND name = ?"));
    query->bindAll(m_run, name);
    std::string text;
    PW_DO(query->each([&text](const Statement& row) { text = row.text(0); }));
    return text;
}

} // namespace pw
