// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/measured.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/families/family.h"
#include "core/io/file_problem.h"

#include <algorithm>
#include <optional>

namespace pw::plan {

namespace {

constexpr std::int64_t maxMeasuredBytes = std::int64_t{16} << 20;

std::vector<std::string_view> measuredCells(std::string_view line)
{
    std::vector<std::string_view> cells;
    for (;;) {
        const std::size_t comma = line.find(',');
        cells.push_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos)
            return cells;
        line.remove_prefix(comma + 1);
    }
}

/// Cells of one line, by the names of the first.
class MeasuredLine
{
public:
    MeasuredLine(const std::vector<std::string_view>& names, std::string_view line, int number)
        : m_names(names)
        , m_cells(measuredCells(line))
        , m_number(number)
    {
        if (m_cells.size() != names.size())
            refuse(said("it has %1 cells, the first line has %2", m_cells.size(), names.size()));
    }

    std::optional<std::string_view> cell(std::string_view name) const
    {
        for (std::size_t i = 0; i < std::min(m_names.size(), m_cells.size()); ++i) {
            if (m_names[i] == name)
                return m_cells[i];
        }
        return std::nullopt;
    }
    int whole(std::string_view name, std::optional<int> fallback = std::nullopt)
    {
        const auto text = cell(name);
        if (!text && fallback)
            return *fallback;
        constexpr std::int64_t most = 1 << 26;
        const auto value = text ? wholeNumber(*text) : std::nullopt;
        if (!value || *value < 1 || *value > most) {
            refuse(said("%1 is %2; a whole number from 1 to %3", name, inQuotes(text.value_or("")),
                        most));
            return 1;
        }
        return static_cast<int>(*value);
    }
    double milliseconds(std::string_view name)
    {
        const auto text = cell(name);
        const auto value = text ? decimalNumber(*text) : std::nullopt;
        constexpr double most = 1e12;
        if (!value || *value <= 0 || *value > most) {
            refuse(said("%1 is %2; a number of milliseconds above 0, at most %3", name,
                        inQuotes(text.value_or("")), plainNumber(most)));
            return 1;
        }
        return *value;
    }
    void refuse(const std::string& what)
    {
        if (m_problem.empty())
            m_problem = "line " + std::to_string(m_number) + ": " + what;
    }
    const std::string& problem() const { return m_problem; }

private:
    const std::vector<std::string_view>& m_names;
    std::vector<std::string_view> m_cells;
    int m_number;
    std::string m_problem;
};

Result<MeasuredRow> measuredRow(MeasuredLine& line, int number, const MeasuredDefaults& defaults)
{
    MeasuredRow row;
    row.line = number;
    TransformerModel& dense = row.model.dense;
    dense.hidden = line.whole("hidden");
    dense.heads = line.whole("heads");
    dense.layers = line.whole("layers");
    dense.sequence = line.whole("sequence");
    dense.vocabulary = line.whole("vocabulary", defaults.vocabulary);
    Configuration& c = row.configuration;
    c.globalBatch = line.whole("global_batch");
    c.microBatchSize = line.whole("micro_batch");
    c.tensorParallel = line.whole("tensor_parallel");
    c.dataParallel = line.whole("data_parallel");
    c.pipelineParallel = line.whole("pipeline_parallel");
    c.contextParallel = line.whole("context_parallel", 1);
    c.chunks = line.whole("chunks", 1);
    c.family = std::string(line.cell("family").value_or(defaults.family));
    c.recompute = defaults.recompute;
    if (const auto policy = line.cell("recompute")) {
        const auto found =
            std::find(recomputePolicyNames.begin(), recomputePolicyNames.end(), *policy);
        if (found == recomputePolicyNames.end())
            line.refuse(said("recompute is %1; none, selective or full", inQuotes(*policy)));
        else
            c.recompute = static_cast<RecomputePolicy>(found - recomputePolicyNames.begin());
    }
    row.devices = line.whole("gpus");
    constexpr double thousand = 1000;
    row.seconds = line.milliseconds("iteration_ms") / thousand;
    if (!line.problem().empty())
        return fail(ErrorCode::Syntax, line.problem());
    Cluster cluster;
    cluster.devices = row.devices;
    Result<void> good = check(row.model);
    if (good)
        good = check(row.model, cluster, c);
    if (good)
        c.split = evenLayers(dense.layers, c.stages());
    if (good) {
        if (const Result<const Family*> family = findFamily(c.family); !family)
            good = fail(family.error());
    }
    if (good && c.stages() > 1) {
        // What the family refuses is refused here, with its line.
        cluster.device = accelerators().front();
        if (const Result<double> seconds = iterationSeconds(row.model, cluster, c); !seconds)
            good = fail(seconds.error());
    }
    if (!good)
        return fail(ErrorCode::BadValue, "line %1: %2", number, good.error().message);
    return row;
}

} // namespace

Result<std::vector<MeasuredRow>> parseMeasured(std::string_view text,
                                               const MeasuredDefaults& defaults)
{
    std::vector<MeasuredRow> rows;
    std::vector<std::string_view> names;
    int number = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        ++number;
        if (line.empty())
            continue;
        if (names.empty()) {
            names = measuredCells(line);
            for (const std::string_view wanted :
                 {"gpus", "global_batch", "micro_batch", "hidden", "heads", "layers", "sequence",
                  "tensor_parallel", "data_parallel", "pipeline_parallel", "iteration_ms"}) {
                if (std::find(names.begin(), names.end(), wanted) == names.end())
                    return fail(ErrorCode::Syntax, "line %1: there is no column \"%2\"", number,
                                wanted);
            }
            for (auto name = names.begin(); name != names.end(); ++name) {
                if (!name->empty() && std::find(names.begin(), name, *name) != name)
                    return fail(ErrorCode::Syntax, "line %1: the column %2 stands twice", number,
                                inQuotes(*name));
            }
            continue;
        }
        MeasuredLine cells(names, line, number);
        PW_TRY(MeasuredRow row, measuredRow(cells, number, defaults));
        rows.push_back(std::move(row));
    }
    if (rows.empty())
        return fail(ErrorCode::Syntax, "the table has no rows");
    return rows;
}

Result<std::vector<MeasuredRow>> readMeasured(const std::string& path,
                                              const MeasuredDefaults& defaults)
{
    PW_TRY(const std::string text, readFile(path, maxMeasuredBytes));
    Result<std::vector<MeasuredRow>> rows = parseMeasured(text, defaults);
    if (!rows)
        return fail(rows.error().code, "%1: %2", path, rows.error().message);
    return rows;
}

} // namespace pw::plan
