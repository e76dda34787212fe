// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/host_copy_store.h"

#include "core/base/try.h"
#include "core/model/routes.h"
#include "core/store/stored_limits.h"
#include "core/store/stored_numbers.h"

#include <limits>
#include <vector>

namespace pw {

namespace {

constexpr std::int64_t mostOfCopy = std::numeric_limits<std::int32_t>::max();

/// Where a rank's copies lie that are looked for.
struct CopyStretch
{
    RankId rank{0};
    Ticks from = std::numeric_limits<Ticks>::min();
    Ticks to = std::numeric_limits<Ticks>::max();
};

/// An iteration's copies begin within its passes, so a short stretch of the table has them.
Result<std::vector<CopyStretch>> copyStretches(Database& database, const RecordQuery& query)
{
    PW_TRY(Statement* const spans,
           database.kept("SELECT rank, min(first), max(last) FROM span WHERE run = ?1 AND rank "
                         "BETWEEN ?2 AND ?3 AND (?4 OR iteration = ?5) GROUP BY rank ORDER BY "
                         "rank"));
    spans->bindAll(query.run, query.rank.value_or(RankId(0)), query.rank.value_or(lastRank),
                   query.iteration ? 0 : 1, query.iteration.value_or(0));
    std::vector<CopyStretch> all;
    PW_DO(spans->each([&](const Statement& row) {
        CopyStretch stretch;
        stretch.rank = RankId(row.within(0, 0, mostStoredRanks, "a rank of the table span"));
        if (query.iteration) {
            stretch.from = row.within(1, -latestStored, latestStored, "the start of a span");
            stretch.to = row.within(2, -latestStored, latestStored, "the end of a span");
        }
        all.push_back(stretch);
    }));
    return all;
}

RecordedCopy readStoredCopy(const Statement& row, RankId rank)
{
    RecordedCopy copy;
    copy.iteration = static_cast<std::int32_t>(
        row.within(0, std::numeric_limits<std::int32_t>::min(), mostOfCopy, "an iteration"));
    copy.rank = rank;
    copy.back = row.within(1, 0, 1, "the way of a copy") != 0;
    copy.bytes = row.within(2, 0, std::numeric_limits<std::int64_t>::max(), "the bytes of a copy");
    copy.start = row.within(3, -latestStored, latestStored, "the start of a copy");
    copy.end = copy.start + row.within(4, 0, longestFrom(copy.start), "the duration of a copy");
    copy.cell.kind =
        static_cast<PassKind>(row.within(5, 0, passKindCount - 1, "the kind of a copy's pass"));
    copy.cell.stage = StageId(row.within(6, 0, mostOfCopy, "a copy's stage"));
    copy.cell.microBatch =
        static_cast<std::int32_t>(row.within(7, 0, mostOfCopy, "a copy's micro-batch"));
    copy.cell.segment = static_cast<std::int32_t>(row.within(8, 0, mostOfCopy, "a copy's segment"));
    copy.cell.route = static_cast<std::uint8_t>(row.within(9, 0, maxRoutes - 1, "a copy's route"));
    return copy;
}

} // namespace

Result<void> keepCopies(Database& database, RunNumber run, std::span<const RecordedCopy> copies)
{
    PW_TRY(Statement* const statement,
           database.kept("INSERT INTO host_copy (run, rank, start, seq, duration, iteration, back, "
                         "bytes, kind, stage, micro_batch, segment, route) VALUES (?1, ?2, ?3, "
                         "(SELECT coalesce(max(seq) + 1, 0) FROM host_copy WHERE run = ?1 AND rank "
                         "= ?2 AND start = ?3), ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"));
    for (const RecordedCopy& copy : copies) {
        statement->bindAll(run, copy.rank, copy.start, copy.end - copy.start, copy.iteration,
                           copy.back ? 1 : 0, copy.bytes, static_cast<int>(copy.cell.kind),
                           copy.cell.stage, copy.cell.microBatch, copy.cell.segment,
                           static_cast<int>(copy.cell.route));
        PW_DO(statement->run());
    }
    return {};
}

Result<std::vector<RecordedCopy>> readCopies(Database& database, const RecordQuery& query)
{
    PW_TRY(const std::vector<CopyStretch> stretches, copyStretches(database, query));
    PW_TRY(Statement* const statement,
           database.kept("SELECT iteration, back, bytes, start, duration, kind, stage, "
                         "micro_batch, segment, route FROM host_copy WHERE run = ? AND rank = ? "
                         "AND start >= ? AND start <= ? ORDER BY start, seq"));
    std::vector<RecordedCopy> found;
    for (const CopyStretch& stretch : stretches) {
        statement->bindAll(query.run, stretch.rank, stretch.from, stretch.to);
        PW_DO(statement->each([&](const Statement& row) {
            const RecordedCopy copy = readStoredCopy(row, stretch.rank);
            const bool asked = (copy.end > query.from || copy.start >= query.from) &&
                               copy.start < query.to &&
                               (!query.iteration || *query.iteration == copy.iteration);
            if (asked)
                found.push_back(copy);
        }));
    }
    return found;
}

} // namespace pw
