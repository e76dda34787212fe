// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/peaks_file.h"

#include "core/base/display_text.h"
#include "core/base/number.h"
#include "core/base/try.h"
#include "core/io/comma_cells.h"
#include "core/io/file_problem.h"

#include <algorithm>
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
    std::size_t count = 0, rank = 0, peak = 0;
    double unit = 1; ///< bytes
};

Result<PeakColumns> peakColumns(const std::vector<std::string_view>& names, int line)
{
    PeakColumns columns;
    columns.count = names.size();
    const auto rank = std::find(names.begin(), names.end(), "rank");
    if (rank == names.end())
        return fail(ErrorCode::Syntax, "line %1: there is no column \"%2\"", line, "rank");
    columns.rank = static_cast<std::size_t>(rank - names.begin());
    for (const PeakUnit& unit : peakUnits) {
        const auto peak = std::find(names.begin(), names.end(), unit.column);
        if (peak == names.end())
            continue;
        columns.peak = static_cast<std::size_t>(peak - names.begin());
        columns.unit = unit.bytes;
        return columns;
    }
    return fail(ErrorCode::Syntax, "line %1: there is no column \"%2\"", line, "peak_bytes");
}

Result<void> takePeak(const PeakColumns& columns, const std::vector<std::string_view>& cells,
                      int line, std::map<std::int64_t, Bytes>& peaks)
{
    if (cells.size() != columns.count)
        return fail(ErrorCode::Syntax, "line %1: it has %2 cells, the first line has %3", line,
                    cells.size(), columns.count);
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
    std::optional<PeakColumns> columns;
    std::map<std::int64_t, Bytes> peaks;
    int number = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        ++number;
        if (line.empty())
            continue;
        const std::vector<std::string_view> cells = commaCells(line);
        if (columns) {
            PW_DO(takePeak(*columns, cells, number, peaks));
        } else {
            PW_TRY(columns, peakColumns(cells, number));
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
