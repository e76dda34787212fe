// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/peaks_file.h"

#include "core/base/display_text.h"
#include "core/base/number.h"
#include "core/base/try.h"
#include "core/io/comma_table.h"
#include "core/io/file_problem.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>

namespace pw {

namespace {

constexpr std::int64_t maxPeaksBytes = std::int64_t{16} << 20;
constexpr std::int64_t mostPeakRanks = 1 << 20;

struct PeakUnit
{
    std::string_view column;
    double bytes;
};

constexpr PeakUnit peakUnits[] = {{"peak_bytes", 1},
                                  {"peak_kib", 1024.0},
                                  {"peak_mib", 1024.0 * 1024},
                                  {"peak_gib", 1024.0 * 1024 * 1024},
                                  {"peak_gb", 1e9}};

/// Where the columns stand.
struct PeakColumns
{
    std::size_t rank = 0, peak = 0;
    double unit = 1; ///< bytes
};

Result<PeakColumns> peakColumns(const CommaTable& table)
{
    PeakColumns columns;
    const std::optional<std::size_t> rank = table.column("rank");
    if (!rank)
        return fail(ErrorCode::Syntax, "line %1: there is no column \"%2\"", table.line(), "rank");
    columns.rank = *rank;
    for (const PeakUnit& unit : peakUnits) {
        const std::optional<std::size_t> peak = table.column(unit.column);
        if (!peak)
            continue;
        columns.peak = *peak;
        columns.unit = unit.bytes;
        return columns;
    }
    return fail(ErrorCode::Syntax, "line %1: there is no column \"%2\"", table.line(),
                "peak_bytes");
}

Result<void> takePeak(const PeakColumns& columns, const CommaRow& row,
                      std::map<std::int64_t, Bytes>& peaks)
{
    const auto& [cells, line] = row;
    const std::optional<std::int64_t> rank = wholeNumber(cells[columns.rank]);
    if (!rank || *rank < 0 || *rank >= mostPeakRanks)
        return fail(ErrorCode::Syntax, "line %1: rank is %2; a whole number from 0 to %3", line,
                    inQuotes(cells[columns.rank]), mostPeakRanks - 1);
    const std::optional<double> peak = decimalNumber(cells[columns.peak]);
    constexpr double most = 1e15;
    if (!peak || *peak <= 0 || *peak * columns.unit > most)
        return fail(ErrorCode::Syntax, "line %1: the peak is %2; a number above 0, at most 10^15 B",
                    line, inQuotes(cells[columns.peak]));
    if (!peaks.emplace(*rank, static_cast<Bytes>(std::llround(*peak * columns.unit))).second)
        return fail(ErrorCode::BadValue, "line %1: rank %2 stands twice", line, *rank);
    return {};
}

} // namespace

Result<std::vector<Bytes>> parseRankPeaks(std::string_view text)
{
    CommaTable table(text);
    std::map<std::int64_t, Bytes> peaks;
    if (!table.names().empty()) {
        PW_TRY(const PeakColumns columns, peakColumns(table));
        PW_TRY(std::optional<CommaRow> row, table.next());
        while (row) {
            PW_DO(takePeak(columns, *row, peaks));
            PW_TRY(row, table.next());
        }
    }
    if (peaks.empty())
        return fail(ErrorCode::Syntax, "the table has no rows");
    std::vector<Bytes> all;
    for (const auto& [rank, bytes] : peaks) {
        if (rank != static_cast<std::int64_t>(all.size()))
            return fail(ErrorCode::BadValue, "there is no line of rank %1", all.size());
        all.push_back(bytes);
    }
    return all;
}

Result<std::vector<Bytes>> readRankPeaks(const std::string& path)
{
    PW_TRY(const std::string text, readFile(path, maxPeaksBytes));
    Result<std::vector<Bytes>> peaks = parseRankPeaks(text);
    if (!peaks)
        return fail(peaks.error().code, "%1: %2", path, peaks.error().message);
    return peaks;
}

} // namespace pw
