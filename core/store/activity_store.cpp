// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/activity_store.h"

#include "core/base/try.h"
#include "core/sqlite/sqlite.h"
#include "core/store/schema.h"
#include "core/store/stored_limits.h"
#include "core/store/stored_numbers.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace pw {

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
               "SELECT rank, device, owner, name, depths, slices, first, last, replica, levels "
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
        m_levelsOf.push_back(row.whole(9));
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
        if (one.grain <= grain && one.number < 63 && (m_levelsOf[lane] >> one.number & 1) != 0)
            level = one.number;
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
