// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/bench/measured_sets.h"

#include "core/base/text.h"
#include "core/io/comma_table.h"
#include "core/io/file_problem.h"
#include "core/plan/measured.h"
#include "core/plan/measured_memory.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

using namespace pw::plan;

namespace pw::bench {

namespace {

/// A table, and what all its rows have that its columns do not say.
struct MeasuredSource
{
    const char* file;
    const char* hardware;  ///< "": a column says it
    const char* precision; ///< the same
    const char* columns;   ///< further ones
    const char* cells;     ///< of them, the same in every row
};

// What the sources say of their runs outside of their tables is in README-2026-11.md.
constexpr MeasuredSource sources[] = {
    {"a100-multi-node.csv", "a100", "", "", ""},
    {"a100-one-node.csv", "a100", "", "vocabulary,pads_vocabulary", "50257,no"},
    {"a100-seq1f1b.csv", "a100", "",
     "micro_batch,gpus,flash_attention,skips_masked,recompute,zero,fused_accumulation,positions,"
     "tied_embedding",
     "1,8,yes,yes,none,1,yes,0,no"},
    {"b200-llama70b.csv", "b200", "", "overlap_tensor", "no"},
    {"h100-torchtitan.csv", "h100-500w", "", "zero", "3"},
    {"gh200-opt350.csv", "gh200", "tf32", "sequence", "2048"},
    {"megatron-bridge.csv", "", "", "precision", "FP8-CS"}, // of the first container, assumed
};

using Cells = std::map<std::string, std::string>;

/// One row in the columns of `costs fit --measured`.
Cells translated(const MeasuredSource& source, Cells row)
{
    const auto number = [&row](const char* name) {
        return row.count(name) != 0 && !row[name].empty() && row[name] != "n/a"
                   ? std::stoi(row[name])
                   : 1;
    };
    if (row.count("system") != 0)
        row["hardware"] = row["system"].substr(4);
    else
        row["hardware"] = source.hardware;
    if (source.precision[0] != '\0')
        row["precision"] = source.precision;
    if (row.count("nodes_of_4_gh200") != 0)
        row["gpus"] = std::to_string(4 * number("nodes_of_4_gh200"));
    if (row.count("local_batch") != 0) {
        row["micro_batch"] = row["local_batch"];
        row["global_batch"] = std::to_string(number("local_batch") * number("fsdp"));
    } else if (row.count("fsdp") != 0) {
        row["zero"] = number("fsdp") > 1 ? "3" : "1";
    }
    if (number("slices") > 1) {
        row["family"] = "seq1f1b";
        row["segments"] = row["slices"];
    }
    if (row["chunks"] != "n/a" && number("chunks") > 1)
        row["family"] = "interleaved-1f1b";
    if (row.count("expert_parallel") != 0 && number("expert_parallel") > 1) {
        // What its release notes say of models with experts: 25.09 drops tokens, 26.06 (v0.5.1) has
        // whole iterations as graphs on Blackwell.
        const std::string release = row["container"].substr(0, 5);
        const bool blackwell = row["hardware"].find("B200") != std::string::npos ||
                               row["hardware"].find("B300") != std::string::npos;
        row["drops_tokens"] = release == "25.09" ? "yes" : "no";
        row["graphs"] = blackwell && release >= "26.06" ? "yes" : "no";
    }
    row.erase("model_tflops_per_gpu");
    constexpr double mebi = 1024.0 * 1024, giga = 1e9;
    const auto bytes = [&row](const char* from, double unit, const char* to) {
        if (row.count(from) != 0 && !row[from].empty())
            row[to] = plainNumber(std::stod(row[from]) * unit, 12);
    };
    bytes("first_stage_max_allocated_MiB", mebi, "first_stage_peak_bytes");
    bytes("last_stage_max_allocated_MiB", mebi, "last_stage_peak_bytes");
    bytes("max_memory_bytes", 1, "peak_bytes");
    bytes("GB_rank0", giga, "first_stage_peak_bytes");
    bytes("GB_rank3", giga, "last_stage_peak_bytes");
    return row;
}

std::string textOf(const std::vector<Cells>& rows)
{
    Cells names;
    for (const Cells& row : rows)
        names.insert(row.begin(), row.end());
    std::string text;
    for (const auto& [name, ignored] : names)
        text += (text.empty() ? "" : ",") + name;
    for (const Cells& row : rows) {
        text += '\n';
        const char* between = "";
        for (const auto& [name, ignored] : names) {
            const auto cell = row.find(name);
            text += between + (cell == row.end() ? std::string() : cell->second);
            between = ",";
        }
    }
    return text + "\n";
}

std::vector<Cells> rowsOf(const MeasuredSource& source, const std::string& folder)
{
    std::vector<Cells> rows;
    const Result<std::string> text = readFile(folder + "/" + source.file, 1 << 24);
    if (!text)
        return rows;
    const std::string sameText = std::string(source.columns) + "\n" + source.cells;
    CommaTable table(*text), further(sameText);
    const std::optional<CommaRow> same = further.next().value();
    for (;;) {
        const Result<std::optional<CommaRow>> cells = table.next();
        if (!cells || !*cells)
            return rows;
        Cells row;
        for (std::size_t i = 0; i < table.names().size(); ++i)
            row[std::string(table.names()[i])] = (*cells)->cells[i];
        for (std::size_t i = 0; i < further.names().size(); ++i) {
            std::string& cell = row[std::string(further.names()[i])];
            if (cell.empty())
                cell = same->cells[i];
        }
        rows.push_back(translated(source, std::move(row)));
    }
}

/// The rows of a table of one accelerator as they stand there.
std::vector<Cells> cellsOf(const MeasuredSource& source, const std::string& folder,
                           const std::string& hardware)
{
    std::vector<Cells> own;
    for (Cells& row : rowsOf(source, folder)) {
        std::string name = row["hardware"];
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (name == hardware)
            own.push_back(std::move(row));
    }
    return own;
}

/// All rows of a table of one accelerator.
std::vector<MeasuredRow> measuredOf(const MeasuredSource& source, const std::string& folder,
                                    const std::string& hardware)
{
    const std::vector<Cells> own = cellsOf(source, folder, hardware);
    MeasuredDefaults defaults;
    defaults.hardware = hardware;
    if (own.empty())
        return {};
    const Result<MeasuredTable> table = parseMeasured(textOf(own), defaults);
    if (!table) {
        std::printf("%s, %s: %s\n", source.file, hardware.c_str(), table.error().message.c_str());
        return {};
    }
    return table->rows;
}

/// What is known of the software that a row was measured with and that no model of cost can tell:
/// its releases and what their notes say.
std::string softwareCause(Cells row)
{
    const std::string release = row["container"].substr(0, 5), whole = row["container"];
    const bool experts = row.count("expert_parallel") != 0 && row["expert_parallel"] != "n/a" &&
                         row["expert_parallel"] != "1";
    if (!experts)
        return {};
    if (release == "25.09")
        return "25.09 drops tokens, the only release that does";
    // @source NVIDIA-NeMo/Megatron-Bridge 067f987, docs/releases/known-issues.md, 26.02 and 25.11
    if (row["hardware"] == "H100" && (release == "25.11" || whole == "26.02"))
        return "without DeepEP on the H100 (known issues of 25.11 and 26.02)";
    return {};
}

void printHead()
{
    std::printf("%-46s %5s %7s %7s %6s %7s %7s %7s\n", "table, accelerator, precision", "rows",
                "error", "bias", "rank", "choice", "worst", "inside");
}

void printJudgement(const std::string& name, const Judgement& one)
{
    constexpr double whole = 100;
    std::printf("%-46s %5d %6.1f%% %+6.1f%% %6.2f %+6.1f%% %6.1f%% %6.0f%%\n", name.c_str(),
                one.rows, whole * one.meanError, whole * one.bias, one.rank, whole * one.choiceLoss,
                whole * one.worst, whole * one.inside);
}

/// The engine whose terms of memory meet peaks best.
void printMemory(const std::vector<MemoryJudgement>& engines)
{
    if (engines.empty())
        return;
    constexpr double whole = 100;
    const MemoryJudgement& best = engines.front();
    std::printf("%-46s %5d %6.1f%% %+6.1f%% %23.1f%%\n", ("  memory, " + best.engine).c_str(),
                best.peaks, whole * best.meanError, whole * best.bias, whole * best.worst);
}

void printRow(const MeasuredRow& row, const Accelerator& device, const Constants& constants,
              const std::string& cause)
{
    const Configuration& c = row.configuration;
    const Result<double> seconds =
        iterationSeconds(row.model, Cluster{device, row.devices, constants, {}}, c);
    constexpr double ms = 1000, whole = 100;
    if (!seconds) {
        std::printf("    %s\n", seconds.error().message.c_str());
        return;
    }
    std::printf("    %-14s L%-3d g%-4d t%-2d p%-2d d%-3d c%-2d e%-2d v%-2d b%-2d m%-3d z%d "
                "%10.1f ms measured %10.1f predicted %+6.1f %%%s%s\n",
                row.model.dense.name.c_str(), row.model.dense.layers, row.devices, c.tensorParallel,
                c.pipelineParallel, c.dataParallel, c.contextParallel, c.expertParallel, c.chunks,
                c.microBatchSize, c.microBatches(), c.zero, ms * row.seconds, ms * *seconds,
                whole * (*seconds / row.seconds - 1), cause.empty() ? "" : "  ", cause.c_str());
}

/// A set of rows that are judged together.
using SetKey = std::tuple<std::string, Precision, bool>;

/// A row with the set that it is judged in.
struct SetRow
{
    SetKey set;
    MeasuredRow row;
};

std::string titleOf(const SetKey& key, const std::string& hardware)
{
    const auto& [file, precision, experts] = key;
    return file.substr(0, file.size() - 4) + ", " + hardware + ", " + std::string(name(precision)) +
           (experts ? ", experts" : "");
}

/// Rows that are judged together, each with what is known of its software, "": nothing.
struct JudgedRows
{
    std::vector<MeasuredRow> rows;
    std::vector<std::string> causes;

    std::vector<MeasuredRow> withoutCauses() const
    {
        std::vector<MeasuredRow> usual;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (causes[i].empty())
                usual.push_back(rows[i]);
        }
        return usual;
    }
};

/// What one row was of: two runs of the same are in the same half.
std::string configurationOf(const MeasuredRow& row)
{
    const Configuration& c = row.configuration;
    std::string text = row.model.dense.name + std::string(name(row.model.dense.precision));
    for (const int number :
         {row.devices, row.model.dense.hidden, row.model.dense.layers, c.tensorParallel,
          c.pipelineParallel, c.dataParallel, c.contextParallel, c.expertParallel, c.microBatchSize,
          c.chunks, c.zero})
        text += "," + std::to_string(number);
    return text;
}

std::string modelOf(const MeasuredRow& row)
{
    const TransformerModel& dense = row.model.dense;
    return dense.name + "," + std::to_string(dense.hidden) + "," + std::to_string(dense.layers) +
           (row.model.experts.count > 0 ? ",experts" : "");
}

/// Ratios of predicted over measured, added up.
struct Ratios
{
    std::map<SetKey, Judgement> sets;

    void add(const SetKey& set, const MeasuredRow& row, const Accelerator& device,
             const Constants& constants)
    {
        const Judgement one = judge({row}, device, constants);
        Judgement& sum = sets[set];
        ++sum.rows;
        sum.meanError += one.meanError;
        sum.bias += one.bias;
        sum.inside += one.inside;
        sum.worst = std::max(sum.worst, one.worst);
    }
};

/// Judges every fold with constants that were fitted to the others.
template<typename Fold>
void addFolds(const std::vector<SetRow>& rows, const Accelerator& device, const Fold& foldOf,
              Ratios& ratios)
{
    std::map<std::string, std::vector<const SetRow*>> folds;
    for (const SetRow& one : rows)
        folds[foldOf(one.row)].push_back(&one);
    if (folds.size() < 2)
        return;
    for (const auto& [name, fold] : folds) {
        std::vector<MeasuredRow> others;
        for (const SetRow& one : rows) {
            if (foldOf(one.row) != name)
                others.push_back(one.row);
        }
        const Constants constants = fitConstants(others, device);
        for (const SetRow* one : fold)
            ratios.add(one->set, one->row, device, constants);
    }
}

void crossRows(const std::vector<SetRow>& rows, const Accelerator& device)
{
    std::vector<MeasuredRow> all;
    std::map<std::string, bool> configurations;
    for (const SetRow& one : rows) {
        all.push_back(one.row);
        configurations[configurationOf(one.row)] = false;
    }
    Ratios inside, models, halves;
    const Constants own = fitConstants(all, device);
    for (const SetRow& one : rows)
        inside.add(one.set, one.row, device, own);
    addFolds(rows, device, modelOf, models);
    const int repeats = rows.size() > 100 ? 1 : 5;
    std::mt19937 random(1);
    for (int i = 0; i < repeats; ++i) {
        std::vector<std::string> names;
        for (const auto& [name, ignored] : configurations)
            names.push_back(name);
        std::shuffle(names.begin(), names.end(), random);
        for (std::size_t at = 0; at < names.size(); ++at)
            configurations[names[at]] = at % 2 == 0;
        addFolds(
            rows, device,
            [&](const MeasuredRow& row) {
                return std::string(configurations[configurationOf(row)] ? "a" : "b");
            },
            halves);
    }
    constexpr double whole = 100;
    for (const auto& [key, sum] : inside.sets) {
        std::printf("%-46s %5d", titleOf(key, std::string(device.name)).c_str(), sum.rows);
        for (const Ratios* ratios : {&inside, &models, &halves}) {
            const auto found = ratios->sets.find(key);
            if (found == ratios->sets.end()) {
                std::printf("  |     –      –     –");
                continue;
            }
            const Judgement& one = found->second;
            std::printf("  | %5.1f %+6.1f %4.0f%%", whole * one.meanError / one.rows,
                        whole * one.bias / one.rows, whole * one.inside / one.rows);
        }
        std::printf("\n");
    }
}

} // namespace

std::vector<MeasuredRow> measuredRows(const std::string& folder, const std::string& hardware,
                                      const std::string& only)
{
    std::vector<MeasuredRow> all;
    for (const MeasuredSource& source : sources) {
        if (!only.empty() && only != source.file)
            continue;
        const std::vector<MeasuredRow> own = measuredOf(source, folder, hardware);
        all.insert(all.end(), own.begin(), own.end());
    }
    return all;
}

void crossSets(const std::string& folder, const std::string& hardware)
{
    std::printf("%-46s %5s  | %-18s  | %-18s  | %-18s\n", "table, accelerator, precision", "rows",
                "in sample", "models left out", "half left out");
    for (const Accelerator& device : accelerators()) {
        if (!hardware.empty() && device.name != hardware)
            continue;
        std::map<bool, std::vector<SetRow>> scales;
        for (const MeasuredSource& source : sources) {
            for (MeasuredRow& row : measuredOf(source, folder, std::string(device.name))) {
                const SetKey key(source.file, row.model.dense.precision,
                                 row.model.experts.count > 0);
                // The A100's constants are two sets, by scale.
                const bool small = device.name == "a100" && row.devices <= device.devicesPerNode;
                scales[small].push_back({key, std::move(row)});
            }
        }
        for (const auto& [small, rows] : scales)
            crossRows(rows, device);
    }
}

void judgeSets(const std::string& folder, bool list)
{
    printHead();
    for (const MeasuredSource& source : sources) {
        for (const Accelerator& device : accelerators()) {
            const std::string hardware(device.name);
            const std::vector<Cells> cells = cellsOf(source, folder, hardware);
            std::map<std::tuple<Precision, bool, bool>, JudgedRows> groups;
            std::size_t i = 0;
            for (MeasuredRow& row : measuredOf(source, folder, hardware)) {
                JudgedRows& group = groups[{row.model.dense.precision, row.model.experts.count > 0,
                                            row.devices <= device.devicesPerNode}];
                group.rows.push_back(std::move(row));
                group.causes.push_back(softwareCause(cells[i++]));
            }
            for (const auto& [key, group] : groups) {
                const auto& [precision, experts, oneNode] = key;
                const Constants constants = constantsFor(device.name, oneNode);
                const std::string title = titleOf({source.file, precision, experts}, hardware);
                printJudgement(title, judge(group.rows, device, constants));
                const std::vector<MeasuredRow> usual = group.withoutCauses();
                if (!usual.empty() && usual.size() < group.rows.size())
                    printJudgement("  without rows of a known cause",
                                   judge(usual, device, constants));
                printMemory(judgeMemory(group.rows, device, constants));
                for (std::size_t row = 0; list && row < group.rows.size(); ++row)
                    printRow(group.rows[row], device, constants, group.causes[row]);
            }
        }
    }
}

void fitSets(const std::string& folder, const std::string& hardware, const std::string& only)
{
    const Result<Accelerator> device = findAccelerator(hardware);
    const std::vector<MeasuredRow> rows = measuredRows(folder, hardware, only);
    if (!device || rows.empty()) {
        std::printf("no rows of %s\n", hardware.c_str());
        return;
    }
    const Constants constants = fitConstants(rows, *device);
    std::printf("%s", constantsText(constants).c_str());
    printHead();
    printJudgement("all of " + hardware + ", fitted to all", judge(rows, *device, constants));
    for (const MeasuredRow& row : rows)
        printRow(row, *device, constants, {});
    std::printf("with the constants that ship nine of ten of another configuration lie within\n");
    const bool oneNode = std::all_of(rows.begin(), rows.end(), [&](const MeasuredRow& row) {
        return row.devices <= device->devicesPerNode;
    });
    for (const auto& [precision, surety] :
         suretiesOf(rows, *device, constantsFor(hardware, oneNode)))
        std::printf("    %-10s %4d rows %.3f\n", std::string(name(precision)).c_str(), surety.rows,
                    surety.spread);
}

namespace {

/// How well constants from six rows meet the others, over many choices of the six.
void printSixes(const std::string& title, const std::vector<MeasuredRow>& rows,
                const Accelerator& device)
{
    constexpr std::size_t few = 6;
    if (rows.size() <= few)
        return;
    std::mt19937 random(1);
    constexpr int choices = 20;
    std::vector<double> errors;
    double bias = 0, inside = 0, worst = 0;
    for (int choice = 0; choice < choices; ++choice) {
        std::vector<MeasuredRow> mixed = rows;
        std::shuffle(mixed.begin(), mixed.end(), random);
        const std::vector<MeasuredRow> own(mixed.begin(), mixed.begin() + few),
            others(mixed.begin() + few, mixed.end());
        const Judgement one = judge(others, device, fitConstants(own, device));
        errors.push_back(one.meanError);
        bias += one.bias / choices;
        worst = std::max(worst, one.worst);
        inside += one.inside / choices;
    }
    std::sort(errors.begin(), errors.end());
    const double mean = std::accumulate(errors.begin(), errors.end(), 0.0) / choices;
    const double all = judge(rows, device, fitConstants(rows, device)).meanError;
    constexpr double whole = 100;
    std::printf("%-46s %5zu %6.1f%% %6.1f%% %6.1f%% %6.1f%% %+6.1f%% %6.1f%% %6.0f%%\n",
                title.c_str(), rows.size(), whole * mean, whole * errors[choices / 2],
                whole * errors[choices * 9 / 10], whole * all, whole * bias, whole * worst,
                whole * inside);
}

} // namespace

void tryFewRows(const std::string& folder, const std::string& hardware)
{
    const Result<Accelerator> device = findAccelerator(hardware);
    if (!device)
        return;
    std::printf("%-46s %5s %7s %7s %7s %7s %7s %7s %7s\n", "six rows of a table, its others",
                "rows", "mean", "median", "9 of 10", "all", "bias", "worst", "inside");
    for (const MeasuredSource& source : sources) {
        const JudgedRows table{measuredOf(source, folder, hardware), [&] {
                                   std::vector<std::string> causes;
                                   for (const Cells& row : cellsOf(source, folder, hardware))
                                       causes.push_back(softwareCause(row));
                                   return causes;
                               }()};
        printSixes(source.file, table.rows, *device);
        const std::vector<MeasuredRow> usual = table.withoutCauses();
        if (usual.size() < table.rows.size())
            printSixes("  without rows of a known cause", usual, *device);
    }
}

} // namespace pw::bench
