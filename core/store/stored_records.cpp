// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/stored_records.h"

#include "core/base/try.h"
#include "core/sqlite/sqlite.h"
#include "core/store/gpu_store.h"
#include "core/store/run_rows.h"
#include "core/store/stored_limits.h"
#include "core/store/trace_figures.h"

#include <algorithm>
#include <array>

namespace pw {

namespace {

constexpr std::array clockOutcomes = {ClockOutcome::Unknown, ClockOutcome::Kept,
                                      ClockOutcome::Shifted, ClockOutcome::Unsolvable};

/// A band that is open on a side has NULL there.
ClockBand readBand(const Statement& row, int column)
{
    ClockBand band;
    band.value = row.whole(column);
    if (!row.isNull(column + 1))
        band.low = row.whole(column + 1);
    if (!row.isNull(column + 2))
        band.high = row.whole(column + 2);
    return band;
}

std::optional<double> readOptional(const Statement& row, int column)
{
    return row.isNull(column) ? std::nullopt : std::optional(row.number(column));
}

RankClock readClock(const Statement& row)
{
    RankClock clock;
    clock.first = row.whole(0);
    clock.last = row.whole(1);
    clock.atFirst = readBand(row, 2);
    clock.atLast = readBand(row, 5);
    clock.drift = row.number(8);
    clock.driftLow = readOptional(row, 9);
    clock.driftHigh = readOptional(row, 10);
    return clock;
}

} // namespace

StoredRecords::StoredRecords(std::unique_ptr<Database> database)
    : m_database(std::move(database))
{
}

StoredRecords::~StoredRecords() = default;
StoredRecords::StoredRecords(StoredRecords&&) noexcept = default;
StoredRecords& StoredRecords::operator=(StoredRecords&&) noexcept = default;

void StoredRecords::endBy(std::chrono::steady_clock::time_point time)
{
    m_database->endBy(time);
}

const std::string& StoredRecords::path() const
{
    return m_database->path();
}

Result<void> StoredRecords::require(RunNumber run)
{
    PW_DO(header(run));
    return {};
}

Result<StoredRun> StoredRecords::header(RunNumber run)
{
    PW_TRY(Statement query, m_database->prepare(std::string(runColumns) + " WHERE number = ?"));
    query.bindAll(run);
    PW_TRY(const bool row, query.next());
    if (!row)
        return fail(ErrorCode::BadValue, "%1 has no run %2", path(), run);
    StoredRun found = readRun(query);
    PW_DO(query.sound());
    PW_TRY(Statement devices,
           m_database->prepare("SELECT name, memory FROM device WHERE run = ? ORDER BY rank"));
    devices.bindAll(run);
    const Result<void> read = devices.each([&](const Statement& device) {
        found.environment.devices.push_back({device.text(0), device.whole(1)});
    });
    if (!read)
        return fail(read.error());
    return found;
}

template<typename T, typename Read>
Result<std::vector<T>> StoredRecords::listOf(RunNumber run, const char* sql, const Read& read)
{
    PW_DO(require(run));
    PW_TRY(Statement* const statement, m_database->kept(sql));
    statement->bindAll(run);
    std::vector<T> all;
    PW_DO(statement->each([&](const Statement& row) { all.push_back(read(row)); }));
    return all;
}

Result<std::vector<IterationSpan>> StoredRecords::iterations(RunNumber run)
{
    return listOf<IterationSpan>(
        run,
        "SELECT iteration, rank, coalesce(order_first, first), coalesce(order_last, last), passes "
        "FROM span WHERE run = ? ORDER BY 1, 2",
        [](const Statement& row) {
            const Ticks first =
                row.within(2, -latestStored, latestStored, "the start of an iteration");
            const Ticks last = row.within(3, first, latestStored, "the end of an iteration");
            return IterationSpan{row.small(0), RankId(row.small(1)), first, last, row.whole(4)};
        });
}

Result<std::vector<StepLoss>> StoredRecords::losses(RunNumber run)
{
    return listOf<StepLoss>(run, "SELECT step, loss FROM loss WHERE run = ? ORDER BY step",
                            [](const Statement& row) {
                                return StepLoss{row.small(0), row.number(1)};
                            });
}

Result<std::vector<RunLog>> StoredRecords::logs(RunNumber run)
{
    return listOf<RunLog>(run, "SELECT time, rank, level, text FROM log WHERE run = ? ORDER BY seq",
                          [](const Statement& row) {
                              const auto level = row.within(2, 0, 1, "the level of a log line");
                              return RunLog{row.whole(0), RankId(row.small(1)),
                                            static_cast<LogLevel>(level), row.text(3)};
                          });
}

Result<std::vector<GpuReading>> StoredRecords::gpuReadings(RunNumber run)
{
    PW_DO(require(run));
    return readGpuReadings(*m_database, run);
}

Result<std::int64_t> StoredRecords::traceRanks(RunNumber run)
{
    const auto counts = listOf<std::int64_t>(
        run, "SELECT COUNT(DISTINCT rank) FROM activity_lane WHERE run = ? AND rank >= 0",
        [](const Statement& row) { return row.whole(0); });
    if (!counts)
        return fail(counts.error());
    return counts->front();
}

Result<TraceFigures> StoredRecords::traceFigures(RunNumber run)
{
    TraceFigures figures;
    const auto alignments = listOf<AlignedClocks>(
        run, "SELECT outcome, text, messages, grain, impossible FROM alignment WHERE run = ?",
        [](const Statement& row) {
            AlignedClocks clocks;
            const std::string outcome = row.text(0);
            const auto known =
                std::find_if(clockOutcomes.begin(), clockOutcomes.end(),
                             [&outcome](ClockOutcome one) { return name(one) == outcome; });
            if (known == clockOutcomes.end())
                row.refuse(said("how the clocks were aligned is \"%1\", which is not a known way",
                                outcome));
            else
                clocks.outcome = *known;
            clocks.text = row.text(1);
            clocks.messages = row.whole(2);
            clocks.grain = row.whole(3);
            clocks.impossible = row.whole(4);
            return clocks;
        });
    if (!alignments)
        return fail(alignments.error());
    if (!alignments->empty())
        figures.clocks = alignments->front();
    PW_TRY(std::vector<RankClock> clocks,
           listOf<RankClock>(
               run,
               "SELECT first, last, at_first, at_first_low, at_first_high, at_last, at_last_low, "
               "at_last_high, drift, drift_low, drift_high FROM clock WHERE run = ? ORDER BY rank",
               readClock));
    figures.clocks.ranks = std::move(clocks);
    Result<std::vector<DeviceTransfers>> transfers = listOf<DeviceTransfers>(
        run,
        "SELECT rank, count, waiting, transfer, after, exposed, hidden FROM transfer WHERE run = ? "
        "ORDER BY rank",
        [](const Statement& row) {
            return DeviceTransfers{DeviceId(row.small(0)),
                                   row.whole(1),
                                   {row.whole(2), row.whole(3), row.whole(4)},
                                   {row.whole(5), row.whole(6)}};
        });
    if (!transfers)
        return fail(transfers.error());
    figures.transfers = std::move(*transfers);
    return figures;
}

} // namespace pw
