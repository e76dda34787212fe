// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/fit.h"

#include "app/model_options.h"
#include "app/text_table.h"
#include "app/trace_files.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/plan/measured.h"
#include "core/plan/measured_memory.h"

#include <algorithm>
#include <ostream>

namespace pw::app::commands {

namespace {

/// How well constants meet measurements, a row a model that was left out, and all together.
std::string judgementTable(const std::vector<plan::Judgement>& judgements, const Screen& screen)
{
    TextTable table(screen, {{"judged", "", TextTable::Align::Left},
                             {"rows"},
                             {"mean error", "%"},
                             {"bias", "%"},
                             {"rank correlation"},
                             {"first choice behind the best", "%"}});
    constexpr double whole = 100;
    for (const plan::Judgement& one : judgements) {
        table.append({one.name, std::to_string(one.rows), plainNumber(whole * one.meanError, 3),
                      plainNumber(whole * one.bias, 2), plainNumber(one.rank, 3),
                      plainNumber(whole * one.choiceLoss, 3)});
    }
    return table.text();
}

/// How well the terms of engines meet peaks of memory, the best first; empty where none is known.
std::string memoryTable(const std::vector<plan::MemoryJudgement>& judgements, const Screen& screen)
{
    if (judgements.empty())
        return {};
    TextTable table(screen, {{"memory with the terms of", "", TextTable::Align::Left},
                             {"peaks"},
                             {"mean error", "%"},
                             {"bias", "%"},
                             {"worst", "%"}});
    constexpr double whole = 100;
    for (const plan::MemoryJudgement& one : judgements) {
        table.append({one.engine, std::to_string(one.peaks), plainNumber(whole * one.meanError, 3),
                      plainNumber(whole * one.bias, 2), plainNumber(whole * one.worst, 3)});
    }
    const std::string& best = judgements.front().engine;
    return table.text() + "\nplan --engine-memory " + best.substr(0, best.find(',')) +
           " has the terms that meet these peaks best\n\n";
}

/// Constants for `plan` from a table of measured iterations.
Outcome fitMeasured(const Arguments& arguments, Console& console)
{
    if (!arguments.words().empty())
        return usage("--measured takes the place of traces; " +
                     quotedWord(arguments.words().front()) + " is one too many");
    const Result<Accelerator> device = findAccelerator(arguments.text("hardware", "a100"));
    if (!device)
        return usage(device.error().message);
    plan::MeasuredDefaults defaults;
    defaults.hardware = device->name;
    if (arguments.has("precision")) {
        PW_TRY(defaults.precision, findPrecision(arguments.text("precision")));
    }
    defaults.vocabulary = arguments.whole("vocabulary", defaults.vocabulary);
    if (arguments.has(recomputePolicyName)) {
        const auto found = std::find(recomputePolicyNames.begin(), recomputePolicyNames.end(),
                                     arguments.text(recomputePolicyName));
        defaults.recompute = static_cast<RecomputePolicy>(found - recomputePolicyNames.begin());
    }
    if (arguments.has("overlap-tensor"))
        defaults.overlapTensor = arguments.text("overlap-tensor") == "yes";
    PW_TRY(const plan::MeasuredTable table,
           plan::readMeasured(arguments.text("measured"), defaults));
    const std::vector<plan::MeasuredRow>& rows = table.rows;
    const plan::Constants constants = plan::fitConstants(rows, *device);
    const std::string text = plan::constantsText(constants);
    if (arguments.has("json")) {
        console.out << text;
        return ExitCode::Good;
    }
    const std::string path = arguments.text("output", "constants.json");
    PW_DO(writeFile(path, text));
    std::vector<plan::Judgement> judgements = plan::judgeLeftOut(rows, *device);
    for (plan::Judgement& one : judgements)
        one.name += ", fitted to the others";
    judgements.push_back(plan::judge(rows, *device, constants));
    judgements.back().name = "all, fitted to all";
    console.out << judgementTable(judgements, console.screen) << "\n"
                << memoryTable(plan::judgeMemory(rows, *device, constants), console.screen);
    TextTable constantTable(console.screen, {{"constant", "", TextTable::Align::Left},
                                             {"fitted"},
                                             {"usual"},
                                             {"", "", TextTable::Align::Left}});
    for (std::size_t i = 0; i < plan::constantCount; ++i) {
        const plan::ConstantInfo& info = plan::constantInfos()[i];
        constantTable.append({std::string(info.name), plainNumber(constants.values[i], 4),
                              plainNumber(info.usual, 4), std::string(info.meaning)});
    }
    if (table.leftOut > 0)
        console.out << countText(table.leftOut, "row") << " of other accelerators left out\n\n";
    console.out << constantTable.text() << "\nwritten to " << path << "; plan --constants " << path
                << " reads it\n";
    return ExitCode::Good;
}

Outcome runFit(const Arguments& arguments, Console& console)
{
    if (arguments.has("measured"))
        return fitMeasured(arguments, console);
    if (arguments.words().empty())
        return usage("fit needs a trace, or --measured FILE");
    for (const char* name :
         {"hardware", "vocabulary", recomputePolicyName, "overlap-tensor", "precision"}) {
        if (arguments.has(name))
            return usage("--" + std::string(name) + " needs --measured");
    }
    PW_TRY(const ReadTrace read, readTrace(arguments, console));
    PW_TRY(const FittedCosts fitted, fitTrace(read.trace, read.aligned().pipeline));
    if (arguments.has("json")) {
        console.out << writeCosts(fitted.file);
        return ExitCode::Good;
    }
    const std::string path = arguments.text("output", "costs.json");
    PW_DO(saveCosts(fitted.file, path));
    constexpr double whole = 100;
    const double off = whole * fitted.residual();
    console.out << countText(fitted.file.stages, "stage") << " on "
                << countText(fitted.file.devices, "device") << ", a message takes "
                << timeText(fitted.file.link.latency) << "\nthe order of the trace: measured "
                << millisecondText(fitted.measured) << ", predicted with these costs "
                << millisecondText(fitted.predicted) << " (" << (off > 0 ? "+" : "")
                << plainNumber(off, 3) << " %)\nwritten to " << path << "; --costs " << path
                << " reads it\n";
    return ExitCode::Good;
}

std::vector<Option> optionsOfFit()
{
    std::vector<Option> all = traceOptions();
    all.insert(
        all.end(),
        {{.name = "output",
          .kind = ValueKind::Text,
          .placeholder = "FILE",
          .summary = "the file that is written (default costs.json, with --measured "
                     "constants.json)"},
         {.name = "json", .summary = "its content on standard output, and no file"},
         {.name = "measured",
          .kind = ValueKind::Text,
          .placeholder = "FILE.csv",
          .summary = "a table of measured iterations instead of a trace: constants for plan"},
         {.name = "hardware",
          .kind = ValueKind::Text,
          .placeholder = "NAME",
          .summary = "what --measured was measured on (default a100)"},
         {.name = "vocabulary",
          .kind = ValueKind::Whole,
          .placeholder = "N",
          .summary = "of the models of --measured, if no column says it (default 51200)",
          .minimum = 1,
          .maximum = 1 << 26},
         {.name = recomputePolicyName,
          .kind = ValueKind::Text,
          .placeholder = "HOW",
          .summary = "of the runs of --measured, if no column says it (default none for rows with "
                     "a model, else full)",
          .choices = {recomputePolicyNames.begin(), recomputePolicyNames.end()},
          .formerly = {{"recompute"}}},
         {.name = "precision",
          .kind = ValueKind::Text,
          .placeholder = "WHICH",
          .summary = "of the runs of --measured, if no column says it (default bf16)",
          .choices = {precisionNames.begin(), precisionNames.end()}},
         {.name = "overlap-tensor",
          .kind = ValueKind::Text,
          .placeholder = "yes|no",
          .summary = "whether tensor collectives of --measured ran beside their products, if no "
                     "column says it (default: as is usual for the model)",
          .choices = {"yes", "no"}}});
    return all;
}

} // namespace

Command fit()
{
    Command command;
    command.name = "costs fit";
    command.group = CommandGroup::Traces;
    command.summary = "costs from a trace of another program, for simulate and compare";
    command.words = "[FILE…]";
    command.about =
        "Reads traces as import does, and writes what every kind of pass took on every stage, "
        "over the iterations after warm-up, as a costs file. The time of a message is from the "
        "end of a pass to the start of one that waited for it on another rank.\n"
        "First it says how long the trace's own order takes with these costs, beside what was "
        "measured: no other prediction is better than that one. Then simulate and compare, with "
        "--costs, say what another schedule with as many stages would take.\n"
        "With --measured: constants of `plan` from a table of iterations that were measured. Its "
        "first line names the columns: gpus, global_batch, micro_batch, hidden, heads, layers, "
        "sequence, tensor_parallel, data_parallel, pipeline_parallel and iteration_ms; "
        "vocabulary, recompute, family, chunks and context_parallel if they are there. It says "
        "how well every model is predicted with constants fitted to the others, and if there are "
        "peak_bytes, first_stage_peak_bytes or last_stage_peak_bytes, whose terms of memory meet "
        "them best.";
    command.examples = {"pipewright costs fit run.trace.json --output fitted.json",
                        "pipewright costs fit run.trace.json --json",
                        "pipewright costs fit --measured iterations.csv --output constants.json"};
    command.wordKind = WordKind::File;
    command.maximumWords = 100'000;
    command.options = optionsOfFit;
    command.run = runFit;
    return command;
}

} // namespace pw::app::commands
