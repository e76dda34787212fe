// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/gpu_store.h"

#include "core/base/try.h"
#include "core/store/stored_limits.h"
#include "core/store/stored_numbers.h"

#include <limits>
#include <vector>

namespace pw {

namespace {

constexpr std::int64_t mostOfGpu = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t mostGpuBytes = std::int64_t{1} << 60; // sums of some stay in range

GpuReading readStoredGpu(const Statement& row)
{
    // What the GPU did not tell is NULL.
    const auto known = [&row](int column, std::string_view what) {
        return row.isNull(column)
                   ? GpuReading::unknown
                   : static_cast<std::int32_t>(row.within(column, 0, mostOfGpu, what));
    };
    const auto bytes = [&row](int column) {
        return row.within(column, -mostGpuBytes, mostGpuBytes, "the memory of a GPU");
    };
    GpuReading reading;
    reading.rank = RankId(row.within(0, 0, mostStoredRanks, "a rank of the table gpu"));
    reading.gpu = static_cast<std::int32_t>(row.within(1, 0, mostOfGpu, "the number of a GPU"));
    reading.ranks = static_cast<std::int32_t>(row.within(2, 1, mostStoredRanks, "ranks of a GPU"));
    reading.atEnd = row.within(3, 0, 1, "the moment of a GPU's reading") != 0;
    reading.time = row.within(4, -latestStored, latestStored, "the time of a GPU's reading");
    reading.clock = known(5, "the clock of a GPU");
    reading.memoryClock = known(6, "the memory clock of a GPU");
    reading.power = known(7, "the power of a GPU");
    reading.temperature = known(8, "the temperature of a GPU");
    reading.slowdownsKnown = !row.isNull(9);
    if (reading.slowdownsKnown)
        reading.slowdowns = static_cast<GpuSlowdowns>(
            row.within(9, 0, (1 << gpuSlowdownCount) - 1, "what slowed a GPU"));
    reading.memory = {bytes(10), bytes(11), bytes(12), bytes(13), bytes(14), bytes(15)};
    return reading;
}

} // namespace

Result<void> keepGpuReadings(Database& database, RunNumber run, std::span<const GpuReading> all)
{
    if (all.empty())
        return {};
    PW_TRY(Statement* const statement,
           database.kept("INSERT INTO gpu (run, seq, rank, gpu, ranks, at_end, time, mhz, "
                         "memory_mhz, milliwatts, celsius, slowed, taken, reserved, books, "
                         "contexts, workspaces, connections) VALUES (?1, (SELECT "
                         "coalesce(max(seq) + 1, 0) FROM gpu WHERE run = ?1), ?2, ?3, ?4, ?5, ?6, "
                         "nullif(?7, -1), nullif(?8, -1), nullif(?9, -1), nullif(?10, -1), "
                         "nullif(?11, -1), ?12, ?13, ?14, ?15, ?16, ?17)"));
    for (const GpuReading& one : all) {
        statement->bindAll(run, one.rank, one.gpu, one.ranks, one.atEnd ? 1 : 0, one.time,
                           one.clock, one.memoryClock, one.power, one.temperature,
                           one.slowdownsKnown ? static_cast<std::int64_t>(one.slowdowns) : -1,
                           one.memory.taken, one.memory.reserved, one.memory.books,
                           one.memory.contexts, one.memory.workspaces, one.memory.connections);
        PW_DO(statement->run());
    }
    return {};
}

Result<std::vector<GpuReading>> readGpuReadings(Database& database, RunNumber run)
{
    PW_TRY(Statement* const statement,
           database.kept("SELECT rank, gpu, ranks, at_end, time, mhz, memory_mhz, milliwatts, "
                         "celsius, slowed, taken, reserved, books, contexts, workspaces, "
                         "connections FROM gpu WHERE run = ? ORDER BY seq"));
    statement->bindAll(run);
    std::vector<GpuReading> all;
    PW_DO(statement->each([&](const Statement& row) { all.push_back(readStoredGpu(row)); }));
    return all;
}

} // namespace pw
