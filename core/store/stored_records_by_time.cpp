// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/model/routes.h"
#include "core/sqlite/sqlite.h"
#include "core/store/host_copy_store.h"
#include "core/store/run_store.h"
#include "core/store/stored_limits.h"
#include "core/store/stored_numbers.h"
#include "core/trace/trace.h"
#include "core/trace/trace_memory.h"

#include <algorithm>
#include <limits>
#include <map>

// What a store keeps of a run by time.
namespace pw {

namespace {

/// A number that counts something; −1 stands for none where `least` allows it.
std::int32_t countAt(const Statement& row, int column, std::string_view what,
                     std::int64_t least = 0)
{
    return static_cast<std::int32_t>(
        row.within(column, least, std::numeric_limits<std::int32_t>::max(), what));
}

std::int32_t iterationAt(const Statement& row, int column)
{
    return countAt(row, column, "an iteration", std::numeric_limits<std::int32_t>::min());
}

Ticks timeAt(const Statement& row, int column, std::string_view what)
{
    return row.within(column, -latestStored, latestStored, what);
}

Pass readPass(const Statement& row, int column)
{
    Pass pass;
    pass.kind =
        static_cast<PassKind>(row.within(column, 0, passKindCount - 1, "the kind of a pass"));
    pass.stage = StageId(countAt(row, column + 1, "the stage of a pass"));
    pass.microBatch = countAt(row, column + 2, "the micro-batch of a pass");
    pass.segment = countAt(row, column + 3, "the segment of a pass");
    pass.route =
        static_cast<std::uint8_t>(row.within(column + 4, 0, maxRoutes - 1, "the route of a pass"));
    return pass;
}

/// `a − b` without leaving 64 bits. @pre b >= 0
Ticks before(Ticks a, Ticks b)
{
    return a < std::numeric_limits<Ticks>::min() + b ? std::numeric_limits<Ticks>::min() : a - b;
}

/// Whether a record is one of those that a query asks for, beyond what the table's key tells.
bool asked(const RecordQuery& query, std::int32_t iteration, Ticks start, Ticks end)
{
    return (end > query.from || start >= query.from) &&
           (!query.iteration || *query.iteration == iteration);
}

/// The stretch of time on every rank that can hold what a query asks for.
struct Stretch
{
    RankId rank{0};
    Ticks earliest = 0; ///< start that is looked for first
    Ticks latest = 0;   ///< and last
};

/// @param sql  rank, and how far back a record can begin, of the lanes of a run
Result<std::vector<Stretch>> stretches(Database& database, const RecordQuery& query,
                                       const char* sql)
{
    PW_TRY(Statement* const lanes, database.kept(sql));
    lanes->bindAll(query.run, query.rank.value_or(RankId(0)), query.rank.value_or(lastRank));
    std::vector<Stretch> all;
    const Result<void> read = lanes->each([&](const Statement& row) {
        const RankId rank(row.within(0, 0, mostStoredRanks, "a rank of the table lane"));
        const Ticks longest =
            row.within(1, 0, std::numeric_limits<Ticks>::max(), "the longest record of a rank");
        all.push_back({rank, before(query.from, longest), query.to});
    });
    if (!read)
        return fail(read.error());
    return all;
}

/// The part of the stretches in which an iteration has passes.
Result<std::vector<Stretch>> inside(Database& database, const RecordQuery& query,
                                    const std::vector<Stretch>& all)
{
    PW_TRY(
        Statement* const spans,
        database.kept("SELECT first, last FROM span WHERE run = ? AND iteration = ? AND rank = ?"));
    std::vector<Stretch> parts;
    for (const Stretch& stretch : all) {
        spans->bindAll(query.run, *query.iteration, stretch.rank);
        const Result<void> read = spans->each([&](const Statement& row) {
            // A pass without length can lie at the very end.
            const Ticks end =
                row.whole(1) == std::numeric_limits<Ticks>::max() ? row.whole(1) : row.whole(1) + 1;
            parts.push_back({stretch.rank, std::max(stretch.earliest, row.whole(0)),
                             std::min(stretch.latest, end)});
        });
        if (!read)
            return fail(read.error());
    }
    return parts;
}

} // namespace

Result<StoredPasses> StoredRecords::passes(const RecordQuery& query)
{
    Result<std::vector<Stretch>> where =
        stretches(*m_database, query,
                  "SELECT rank, longest_pass FROM lane WHERE run = ? AND rank BETWEEN ? AND ?");
    if (where && query.iteration)
        where = inside(*m_database, query, *where);
    if (!where)
        return fail(where.error());
    PW_TRY(Statement* const statement,
           m_database->kept("SELECT iteration, entry, kind, stage, micro_batch, segment, route, "
                            "start, duration, trust "
                            "FROM pass WHERE run = ? AND rank = ? AND start >= ? AND start < ? "
                            "ORDER BY start, seq"));
    StoredPasses found;
    for (const Stretch& stretch : *where) {
        statement->bindAll(query.run, stretch.rank, stretch.earliest, stretch.latest);
        const Result<void> read = statement->each([&](const Statement& row) {
            RecordedPass record;
            record.iteration = iterationAt(row, 0);
            record.start = timeAt(row, 7, "the start of a pass");
            record.end = record.start +
                         row.within(8, 0, longestFrom(record.start), "the duration of a pass");
            if (!asked(query, record.iteration, record.start, record.end))
                return;
            record.rank = stretch.rank;
            record.entry = EntryId(countAt(row, 1, "the entry of a pass", -1));
            record.pass = readPass(row, 2);
            found.passes.push_back(record);
            found.trust.push_back(
                static_cast<std::uint8_t>(row.within(9, 0, trustCount - 1, "the trust of a pass")));
        });
        if (!read)
            return fail(read.error());
    }
    return found;
}

Result<std::vector<RecordedMessage>> StoredRecords::messages(const RecordQuery& query)
{
    PW_TRY(
        const std::vector<Stretch> where,
        stretches(*m_database, query,
                  "SELECT rank, longest_message FROM lane WHERE run = ? AND rank BETWEEN ? AND ?"));
    PW_TRY(Statement* const statement,
           m_database->kept("SELECT iteration, message, to_rank, bytes, posted, started, ended - "
                            "posted, kind, stage, "
                            "micro_batch, segment, route FROM message WHERE run = ? AND from_rank "
                            "= ? AND posted >= ? "
                            "AND posted < ? ORDER BY posted, seq"));
    std::vector<RecordedMessage> found;
    for (const Stretch& stretch : where) {
        statement->bindAll(query.run, stretch.rank, stretch.earliest, stretch.latest);
        const Result<void> read = statement->each([&](const Statement& row) {
            RecordedMessage record;
            record.iteration = iterationAt(row, 0);
            record.posted = timeAt(row, 4, "the time a message was posted at");
            record.ended = record.posted +
                           row.within(6, 0, longestFrom(record.posted), "the time of a message");
            if (!asked(query, record.iteration, record.posted, record.ended))
                return;
            record.message = countAt(row, 1, "the number of a message", -1);
            record.from = stretch.rank;
            record.to = RankId(row.within(2, 0, mostStoredRanks, "the receiver of a message"));
            record.bytes = row.within(3, 0, std::numeric_limits<std::int64_t>::max(),
                                      "the bytes of a message");
            record.started = timeAt(row, 5, "the time a message began at");
            record.producer = readPass(row, 7);
            found.push_back(record);
        });
        if (!read)
            return fail(read.error());
    }
    return found;
}

Result<std::vector<MemorySample>> StoredRecords::memory(const RecordQuery& query)
{
    PW_TRY(
        Statement* const statement,
        m_database->kept(
            "SELECT iteration, rank, time, weights, versions, gradients, optimizer, activations, "
            "held_for_weight, messages, workspace FROM memory WHERE run = ? AND rank BETWEEN ? AND "
            "? "
            "AND time >= ? AND time < ? ORDER BY rank, time, seq"));
    statement->bindAll(query.run, query.rank.value_or(RankId(0)), query.rank.value_or(lastRank),
                       query.from, query.to);
    std::vector<MemorySample> found;
    const Result<void> read = statement->each([&](const Statement& row) {
        MemorySample sample;
        sample.iteration = iterationAt(row, 0);
        if (query.iteration && *query.iteration != sample.iteration)
            return;
        sample.rank = RankId(row.within(1, 0, mostStoredRanks, "the rank of a sample"));
        sample.time = timeAt(row, 2, "the time of a sample");
        for (std::size_t use = 0; use < sample.bytes.size(); ++use)
            sample.bytes[use] = row.whole(static_cast<int>(use) + 3);
        found.push_back(sample);
    });
    if (!read)
        return fail(read.error());
    return found;
}

Result<std::vector<RecordedCopy>> StoredRecords::copies(const RecordQuery& query)
{
    return readCopies(*m_database, query);
}

Result<Bytes> StoredRecords::peakMemory(RunNumber run)
{
    // A sum that does not fit 64 bits is a fraction in SQLite.
    constexpr double furthest = 9e18;
    PW_TRY(Statement* const samples,
           m_database->kept(
               "SELECT coalesce(max(weights + versions + gradients + optimizer + activations + "
               "held_for_weight + messages + workspace + 0.0), 0) FROM memory WHERE run = "
               "?"));
    samples->bindAll(run);
    double most = 0;
    PW_DO(samples->each([&](const Statement& row) { most = row.number(0); }));
    if (!(most > 0)) {
        PW_TRY(Statement* const counters,
               m_database->kept(
                   "SELECT c.place, c.device, c.reserved, (SELECT coalesce(max(value), 0) FROM "
                   "counter_value v WHERE v.run = c.run AND v.counter = c.counter) "
                   "FROM counter c WHERE c.run = ? AND c.kind = 1 AND c.place >= 0 "
                   "ORDER BY c.counter"));
        counters->bindAll(run);
        std::map<std::int64_t, std::vector<TraceCounter>> byDevice;
        PW_DO(counters->each([&](const Statement& row) {
            TraceCounter counter;
            counter.kind = CounterKind::Memory;
            counter.device = row.whole(1) != 0;
            counter.reserved = row.whole(2) != 0;
            counter.samples.push_back({0, row.number(3)});
            byDevice[row.whole(0)].push_back(std::move(counter));
        }));
        for (const auto& [place, own] : byDevice)
            if (const std::int32_t best = memoryCounter(own); best >= 0)
                most = std::max(most, own[static_cast<std::size_t>(best)].samples.front().value);
    }
    return most > 0 && most < furthest ? static_cast<Bytes>(most) : 0;
}

Result<std::vector<StoredCounter>> StoredRecords::memoryCounters(RunNumber run, Ticks from,
                                                                 Ticks to)
{
    PW_TRY(Statement* const counters,
           m_database->kept("SELECT counter, rank, place, name, kind, device, reserved FROM "
                            "counter WHERE run = ? AND "
                            "kind = 1 AND place >= 0 ORDER BY counter"));
    std::vector<StoredCounter> found;
    std::vector<std::int64_t> numbers;
    counters->bindAll(run);
    const Result<void> read = counters->each([&](const Statement& row) {
        StoredCounter one;
        one.rankNumber =
            static_cast<std::int32_t>(row.within(1, -1, mostStoredRanks, "a counter's rank"));
        one.device = DeviceId(row.within(2, 0, mostStoredRanks, "a counter's device"));
        one.counter.name = row.text(3);
        one.counter.kind = CounterKind::Memory;
        one.counter.device = row.whole(5) != 0;
        one.counter.reserved = row.whole(6) != 0;
        numbers.push_back(row.whole(0));
        found.push_back(std::move(one));
    });
    if (!read)
        return fail(read.error());
    PW_TRY(Statement* const values,
           m_database->kept("SELECT time, value FROM counter_value WHERE run = ?1 AND counter = ?2 "
                            "AND time < ?4 AND "
                            "time >= coalesce((SELECT max(time) FROM counter_value WHERE run = ?1 "
                            "AND counter = ?2 AND "
                            "time <= ?3), ?3) ORDER BY time, seq"));
    for (std::size_t i = 0; i < found.size(); ++i) {
        values->bindAll(run, numbers[i], from, to);
        const Result<void> done = values->each([&](const Statement& row) {
            found[i].counter.samples.push_back(
                {row.within(0, -latestStored, latestStored, "when a counter had a value"),
                 row.number(1)});
        });
        if (!done)
            return fail(done.error());
    }
    return found;
}

} // namespace pw
