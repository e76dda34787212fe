// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/measured.h"

#include "core/base/names.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/cost/model_fields.h"
#include "core/families/family.h"
#include "core/io/comma_table.h"
#include "core/io/file_problem.h"
#include "core/io/model_file.h"
#include "core/plan/search.h"

#include <algorithm>
#include <optional>

namespace pw::plan {

namespace {

constexpr std::int64_t maxMeasuredBytes = std::int64_t{16} << 20;
constexpr double maxPeakBytes = 1e15;

/// Fields of a model that are a run's degrees, or how it is trained: they have columns of their
/// own.
bool isDegree(std::string_view field)
{
    constexpr std::string_view degrees[] = {"microBatch",
                                            "tensorParallel",
                                            "dataParallel",
                                            "contextParallel",
                                            "expertParallel",
                                            "layers",
                                            "hidden",
                                            "heads",
                                            "sequenceParallel",
                                            "overlapTensor",
                                            "distributedOptimizer",
                                            "fusedAccumulation",
                                            "sequence",
                                            "vocabulary"};
    return std::find(std::begin(degrees), std::end(degrees), field) != std::end(degrees);
}

/// Cells of one line, by the names of the first.
class MeasuredLine
{
public:
    MeasuredLine(const CommaTable& table, const CommaRow& row)
        : m_table(table)
        , m_row(row)
    {
    }

    /// None where there is no such column, or nothing in it.
    std::optional<std::string_view> cell(std::string_view name) const
    {
        const std::optional<std::size_t> column = m_table.column(name);
        if (!column || m_row.cells[*column].empty() || m_row.cells[*column] == "n/a")
            return std::nullopt;
        return m_row.cells[*column];
    }
    bool has(std::string_view name) const { return cell(name).has_value(); }
    int whole(std::string_view name, std::optional<int> fallback = std::nullopt, int least = 1)
    {
        const auto text = cell(name);
        if (!text && fallback)
            return *fallback;
        constexpr std::int64_t most = 1 << 26;
        const auto value = text ? wholeNumber(*text) : std::nullopt;
        if (!value || *value < least || *value > most) {
            refuse(said("%1 is %2; a whole number from %3 to %4", name, inQuotes(text.value_or("")),
                        least, most));
            return 1;
        }
        return static_cast<int>(*value);
    }
    double amount(std::string_view name, std::string_view unit, double most = 1e12)
    {
        const auto text = cell(name);
        const auto value = text ? decimalNumber(*text) : std::nullopt;
        if (!value || *value <= 0 || *value > most) {
            refuse(said("%1 is %2; a number of %3 above 0, at most %4", name,
                        inQuotes(text.value_or("")), unit, plainNumber(most)));
            return 1;
        }
        return *value;
    }
    bool flag(std::string_view name, bool fallback)
    {
        const auto text = cell(name);
        if (text && *text != "yes" && *text != "no")
            refuse(said("%1 is %2; yes or no", name, inQuotes(*text)));
        return text ? *text == "yes" : fallback;
    }
    void refuse(const std::string& what)
    {
        if (m_problem.empty())
            m_problem = "line " + std::to_string(m_row.line) + ": " + what;
    }
    const std::string& problem() const { return m_problem; }

private:
    const CommaTable& m_table;
    const CommaRow& m_row;
    std::string m_problem;
};

/// A field's column: kvHeads → kv_heads.
std::string columnOf(std::string_view field)
{
    std::string column;
    for (const char c : field) {
        if (c >= 'A' && c <= 'Z')
            column += {'_', static_cast<char>(c - 'A' + 'a')};
        else
            column += c;
    }
    return column;
}

/// Columns with the names of a model's fields, but those of its degrees.
void replaceModelFields(MeasuredLine& line, LanguageModel& model)
{
    const auto number = [&line](std::string_view field, int& value) {
        const std::string column = columnOf(field);
        if (!isDegree(field) && line.has(column))
            value = line.whole(column, std::nullopt, field == "positions" ? -1 : 0);
    };
    for (const FurtherNumber& one : furtherModelNumbers())
        number(one.name, one.of(model));
    for (const ModelNumber& one : modelNumbers)
        number(one.name, model.dense.*one.member);
    for (const ModelFlag& flag : modelFlags) {
        if (!isDegree(flag.name))
            model.dense.*flag.member = line.flag(columnOf(flag.name), model.dense.*flag.member);
    }
}

/// What was trained.
LanguageModel measuredModel(MeasuredLine& line, const MeasuredDefaults& defaults)
{
    LanguageModel model;
    TransformerModel& dense = model.dense;
    dense.vocabulary = defaults.vocabulary;
    const bool named = line.has("model") && !line.has("hidden");
    if (named) {
        if (Result<LanguageModel> found = loadModel(std::string(*line.cell("model"))))
            model = *std::move(found);
        else
            line.refuse(found.error().message);
    } else {
        dense.hidden = line.whole("hidden");
        dense.heads = line.whole("heads");
    }
    replaceModelFields(line, model);
    const auto own = [named](int value) {
        return named ? std::optional<int>(value) : std::nullopt;
    };
    if (const auto precision = line.cell("precision")) {
        if (const Result<Precision> found = findPrecision(*precision))
            setPrecision(dense, *found);
        else
            line.refuse(found.error().message);
    } else if (defaults.precision != Precision::Bf16) {
        setPrecision(dense, defaults.precision);
    }
    dense.layers = line.whole("layers", own(dense.layers));
    dense.sequence = line.whole("sequence", own(dense.sequence));
    dense.vocabulary = line.whole("vocabulary", dense.vocabulary);
    return model;
}

/// Layers of every stage as a cell says them: "4-7-7-6".
std::vector<int> measuredSplit(MeasuredLine& line)
{
    std::vector<int> split;
    std::string_view rest = *line.cell("layers_by_stage");
    for (;;) {
        const std::size_t dash = rest.find('-');
        const auto layers = wholeNumber(rest.substr(0, dash));
        constexpr std::int64_t most = 10'000;
        if (!layers || *layers < 0 || *layers > most) {
            line.refuse(said("layers_by_stage is %1; layers such as 4-7-7-6",
                             inQuotes(*line.cell("layers_by_stage"))));
            return {};
        }
        split.push_back(static_cast<int>(*layers));
        if (dash == std::string_view::npos)
            return split;
        rest.remove_prefix(dash + 1);
    }
}

/// How it was trained.
Configuration measuredConfiguration(MeasuredLine& line, const LanguageModel& model, int devices,
                                    const MeasuredDefaults& defaults)
{
    Configuration c;
    c.microBatchSize = line.whole("micro_batch");
    c.tensorParallel = line.whole("tensor_parallel", 1);
    c.pipelineParallel = line.whole("pipeline_parallel", 1);
    c.contextParallel = line.whole("context_parallel", 1);
    c.expertParallel = line.whole("expert_parallel", 1);
    const std::int64_t together =
        std::int64_t{c.tensorParallel} * c.pipelineParallel * c.contextParallel;
    c.dataParallel = line.whole("data_parallel",
                                static_cast<int>(std::max<std::int64_t>(devices / together, 1)));
    if (line.has("global_batch") || !line.has("micro_batches")) {
        c.globalBatch = line.whole("global_batch");
    } else {
        constexpr std::int64_t most = 1 << 26;
        c.globalBatch = static_cast<int>(
            std::min(std::int64_t{line.whole("micro_batches")} * c.microBatchSize, most));
        c.globalBatch =
            static_cast<int>(std::min(std::int64_t{c.globalBatch} * c.dataParallel, most));
    }
    c.chunks = line.whole("chunks", 1);
    c.family = std::string(line.cell("family").value_or(defaults.family));
    const bool named = line.has("model") && !line.has("hidden");
    if (line.has("segments")) {
        const Result<const Family*> family = findFamily(c.family);
        const Parameter* role = family ? findParameter(**family, ParameterRole::Segments) : nullptr;
        if (role != nullptr)
            c.parameters.emplace_back(role->name, line.whole("segments"));
        else if (line.whole("segments") > 1)
            line.refuse(said("%1 has no segments", c.family));
    }
    c.recompute =
        defaults.recompute.value_or(named ? RecomputePolicy::None : RecomputePolicy::Full);
    if (const auto policy = line.cell("recompute")) {
        const auto found =
            std::find(recomputePolicyNames.begin(), recomputePolicyNames.end(), *policy);
        if (found == recomputePolicyNames.end())
            line.refuse(said("recompute is %1; none, selective or full", inQuotes(*policy)));
        else
            c.recompute = static_cast<RecomputePolicy>(found - recomputePolicyNames.begin());
    }
    Wish usual;
    if (named)
        setUsualTraining(usual, model);
    c.zero = usual.zero;
    if (const auto zero = line.cell("zero")) {
        if (const auto level = wholeNumber(*zero); level && *level >= 0 && *level <= 3)
            c.zero = static_cast<int>(*level);
        else
            line.refuse(said("zero is %1; 0 to 3", inQuotes(*zero)));
    }
    c.sequenceParallel =
        line.flag("sequence_parallel", usual.sequenceParallel) && c.tensorParallel > 1;
    c.overlapTensor =
        line.flag("overlap_tensor", defaults.overlapTensor.value_or(usual.overlapTensor)) &&
        c.sequenceParallel;
    c.overlapReduction = line.flag("overlap_reduction", usual.overlapReduction);
    c.fusedAccumulation = line.flag("fused_accumulation", usual.fusedAccumulation);
    return c;
}

double measuredSeconds(MeasuredLine& line, const LanguageModel& model, const Configuration& c,
                       int devices)
{
    constexpr double thousand = 1000;
    if (line.has("iteration_s"))
        return line.amount("iteration_s", "seconds");
    if (!line.has("tokens_per_second_per_gpu"))
        return line.amount("iteration_ms", "milliseconds") / thousand;
    const double tokens = static_cast<double>(model.dense.sequence) * c.globalBatch;
    return tokens / devices / line.amount("tokens_per_second_per_gpu", "tokens a second");
}

Result<MeasuredRow> measuredRow(MeasuredLine& line, int number, const MeasuredDefaults& defaults)
{
    MeasuredRow row;
    row.line = number;
    row.devices = line.whole("gpus");
    row.model = measuredModel(line, defaults);
    row.configuration = measuredConfiguration(line, row.model, row.devices, defaults);
    Configuration& c = row.configuration;
    row.seconds = measuredSeconds(line, row.model, c, row.devices);
    if (line.has("layers_by_stage"))
        c.split = measuredSplit(line);
    const auto bytes = [&line](std::string_view name) {
        return line.has(name) ? line.amount(name, "bytes", maxPeakBytes) : 0;
    };
    row.peak = bytes("peak_bytes");
    row.firstPeak = bytes("first_stage_peak_bytes");
    row.lastPeak = bytes("last_stage_peak_bytes");
    if (!line.problem().empty())
        return fail(ErrorCode::Syntax, line.problem());
    Cluster cluster;
    PW_TRY(cluster.device, findAccelerator(defaults.hardware));
    cluster.devices = row.devices;
    Result<void> good = checkShape(row.model);
    if (good)
        good = check(row.model, cluster, c);
    if (good && c.split.empty())
        c.split = evenLayers(row.model.dense.layers, c.stages());
    if (good) {
        if (const Result<const Family*> family = findFamily(c.family); !family)
            good = fail(family.error());
    }
    if (good && c.stages() > 1) {
        // What the family refuses is refused here, with its line.
        if (const Result<double> seconds = iterationSeconds(row.model, cluster, c); !seconds)
            good = fail(seconds.error());
    }
    if (!good)
        return fail(ErrorCode::BadValue, "line %1: %2", number, good.error().message);
    return row;
}

/// Whether a table says all that a row needs.
Result<void> checkColumns(const std::vector<std::string_view>& names, int line)
{
    const auto has = [&names](std::string_view name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    const auto missing = [line](std::string_view wanted) {
        return fail(ErrorCode::Syntax, "line %1: there is no column \"%2\"", line, wanted);
    };
    for (const std::string_view wanted : {"gpus", "micro_batch"}) {
        if (!has(wanted))
            return missing(wanted);
    }
    for (const std::string_view wanted : {"hidden", "heads", "layers", "sequence"}) {
        if (!has(wanted) && !has("model"))
            return missing(wanted);
    }
    if (!has("global_batch") && !has("micro_batches"))
        return missing("global_batch");
    if (!has("iteration_ms") && !has("iteration_s") && !has("tokens_per_second_per_gpu"))
        return missing("iteration_ms");
    for (auto name = names.begin(); name != names.end(); ++name) {
        if (!name->empty() && std::find(names.begin(), name, *name) != name)
            return fail(ErrorCode::Syntax, "line %1: the column %2 appears twice", line,
                        inQuotes(*name));
    }
    return {};
}

/// Of the accelerator that is asked for; where nothing is said, too.
bool isOfHardware(const MeasuredLine& line, const MeasuredDefaults& defaults)
{
    return sameName(line.cell("hardware").value_or(defaults.hardware), defaults.hardware);
}

} // namespace

Result<MeasuredTable> parseMeasured(std::string_view text, const MeasuredDefaults& defaults)
{
    MeasuredTable table;
    CommaTable cells(text);
    if (!cells.names().empty())
        PW_DO(checkColumns(cells.names(), cells.line()));
    for (;;) {
        PW_TRY(const std::optional<CommaRow> row, cells.next());
        if (!row)
            break;
        MeasuredLine line(cells, *row);
        if (!isOfHardware(line, defaults)) {
            ++table.leftOut;
            continue;
        }
        PW_TRY(MeasuredRow measured, measuredRow(line, row->line, defaults));
        table.rows.push_back(std::move(measured));
    }
    if (table.rows.empty())
        return fail(ErrorCode::Syntax, table.leftOut > 0
                                           ? said("no row of the table is of %1", defaults.hardware)
                                           : said("the table has no rows"));
    return table;
}

Result<MeasuredTable> readMeasured(const std::string& path, const MeasuredDefaults& defaults)
{
    PW_TRY(const std::string text, readFile(path, maxMeasuredBytes));
    Result<MeasuredTable> table = parseMeasured(text, defaults);
    if (!table)
        return fail(table.error().code, "%1: %2", path, table.error().message);
    return table;
}

} // namespace pw::plan
