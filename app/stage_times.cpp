// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/stage_times.h"

#include "app/options.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/base/trim.h"
#include "core/base/try.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

namespace pw::app {

namespace {

constexpr std::string_view cellBlanks = " \t\r";
constexpr int columnCount = 4;
constexpr const char* columnNames[columnCount] = {"stage", "forward", "backward", "weight"};

std::vector<std::string_view> cellsOf(std::string_view line)
{
    std::vector<std::string_view> cells;
    for (std::size_t begin = 0;;) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        cells.push_back(trimmed(line.substr(begin, end - begin), cellBlanks));
        if (end == line.size())
            return cells;
        begin = end + 1;
    }
}

tl::unexpected<Error> failAt(int line, const std::string& what)
{
    return fail(ErrorCode::Syntax, "line %1: %2", line, what);
}

Result<void> checkHeading(const std::vector<std::string_view>& cells, int line)
{
    bool same = cells.size() == columnCount;
    for (std::size_t c = 0; same && c < columnCount; ++c)
        same = cells[c] == columnNames[c];
    if (!same)
        return failAt(line, "the heading must be stage,forward,backward,weight");
    return {};
}

struct Line
{
    StageId stage{0};
    StageTimes times;
};

Result<Line> readLine(const std::vector<std::string_view>& cells, int line)
{
    if (cells.size() != columnCount)
        return failAt(line, std::to_string(cells.size()) + " cells; stage, forward, backward and "
                                                           "weight are four");
    constexpr int mostStages = 1'000'000;
    const std::optional<double> stage = parseNumber(cells[0]);
    if (!stage || *stage < 0 || *stage > mostStages || *stage != std::floor(*stage))
        return failAt(line, "a stage is a whole number from 0, not " + quotedWord(cells[0]));
    Ticks times[columnCount] = {};
    for (std::size_t c = 1; c < columnCount; ++c) {
        const std::optional<double> ms = readQuantity(cells[c], Measure::Milliseconds);
        if (!ms || *ms < 0 || *ms > longestPassMs)
            return failAt(line, std::string(columnNames[c]) +
                                    " is a number of milliseconds from 0 to " +
                                    plainNumber(longestPassMs) + ", or a time with a unit, not " +
                                    quotedWord(cells[c]));
        if (isBelowTick(*ms))
            return failAt(line, std::string(columnNames[c]) + ' ' + quotedWord(cells[c]) + " is " +
                                    belowTickText);
        times[c] = ticksFromMs(*ms);
    }
    return Line{StageId(static_cast<int>(*stage)), {times[1], times[2], times[3]}};
}

} // namespace

Result<std::vector<StageTimes>> readStageTimes(std::string_view csv)
{
    std::vector<std::optional<StageTimes>> found;
    bool heading = false;
    int number = 0;
    if (csv.rfind("\xEF\xBB\xBF", 0) == 0)
        csv.remove_prefix(3); // the byte order mark that spreadsheets write
    while (!csv.empty()) {
        const std::size_t end = std::min(csv.find('\n'), csv.size());
        const std::string_view text = trimmed(csv.substr(0, end), cellBlanks);
        csv.remove_prefix(std::min(end + 1, csv.size()));
        ++number;
        if (text.empty() || text[0] == '#')
            continue;
        const std::vector<std::string_view> cells = cellsOf(text);
        if (!heading) {
            PW_DO(checkHeading(cells, number));
            heading = true;
            continue;
        }
        PW_TRY(const Line line, readLine(cells, number));
        const std::size_t stage = line.stage.index();
        if (stage >= found.size())
            found.resize(stage + 1);
        if (found[stage])
            return failAt(number,
                          "stage " + std::to_string(stage) + " appears here for the second time");
        found[stage] = line.times;
    }
    if (found.empty())
        return failAt(std::max(number, 1), "there is no stage");
    std::vector<StageTimes> times;
    times.reserve(found.size());
    for (std::size_t stage = 0; stage < found.size(); ++stage) {
        if (!found[stage])
            return failAt(number, "stage " + std::to_string(stage) +
                                      " is left out; the last one is " +
                                      std::to_string(found.size() - 1));
        times.push_back(*found[stage]);
    }
    return times;
}

Result<void> applyStageTimes(Costs& costs, const PipelineSpec& spec,
                             const std::vector<StageTimes>& times)
{
    if (times.size() != static_cast<std::size_t>(spec.stages())) {
        return fail(ErrorCode::BadValue, "the file has %1 stages, and the schedule has %2",
                    times.size(), spec.stages());
    }
    const std::int64_t length =
        std::accumulate(spec.segmentLengths.begin(), spec.segmentLengths.end(), std::int64_t{0});
    const auto part = [length](Ticks whole, int of) {
        return static_cast<Ticks>(
            std::llround(static_cast<long double>(whole) * of / static_cast<long double>(length)));
    };
    costs.forward.clear();
    costs.backward.clear();
    costs.weight.clear();
    costs.fused.clear();
    costs.recompute.clear();
    costs.single.clear();
    for (const StageTimes& stage : times) {
        for (const int of : spec.segmentLengths) {
            costs.forward.push_back(part(stage.forward, of));
            costs.backward.push_back(part(stage.backward, of));
            costs.weight.push_back(part(stage.weight, of));
        }
    }
    return {};
}

} // namespace pw::app
