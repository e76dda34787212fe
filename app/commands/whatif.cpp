// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/advice_input.h"
#include "app/comparison.h"
#include "app/figures.h"
#include "app/predicted_files.h"
#include "app/stored_run.h"
#include "app/text_table.h"
#include "app/trace_files.h"
#include "app/what_if_lists.h"
#include "app/what_ifs.h"
#include "core/advise/batch_changes.h"
#include "core/advise/split_search.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/json_text.h"
#include "core/io/schedule_file.h"
#include "core/reading/sniff.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <ostream>

namespace pw::app::commands {

namespace {

/// What the command line changes in every row.
struct WhatIfChanges
{
    std::vector<int> split; ///< layers of every stage; empty: as they are, or the best
    bool bestSplit = false;
    std::int64_t globalBatch = 0; ///< samples of a step; 0: micro-batches keep their size
    std::optional<Ticks> fixedTime;
};

/// A row of the table: a prediction, or why there is none.
struct Row
{
    std::string name;
    WhatIf what;
    std::string refusal;
    Figures figures;
    Ticks perMicroBatch = 0;
    int rank = 0;      ///< by that, from 1; 0 where refused
    double change = 0; ///< of the time of a micro-batch against the order as it is
    double low = 0;    ///< of that, the least nine times in ten
    double high = 0;   ///< likewise the most
    std::string assumed;
    PipelineSpec spec;
    std::vector<Bytes> memory; ///< by device; empty: not known
    std::vector<int> split;    ///< layers of every stage; empty: as they are
};

double microBatchTime(const SimResult& result, const PipelineSpec& spec)
{
    return static_cast<double>(result.makespan) / spec.totalMicroBatches();
}

/// The order of a what-if as the command line changes it: layers, size of micro-batches.
tl::expected<PlannedChange, Failure> changeOf(const AdviceSource& source, const NamedWhatIf& one,
                                              const WhatIfChanges& changes)
{
    PlannedChange change;
    change.what = one.what;
    change.fixedTime = changes.fixedTime;
    const int before = source.base.schedule.spec().microBatches;
    if (changes.globalBatch > 0 && one.what.family)
        change.microBatchSize = static_cast<double>(before) / one.what.family->options.microBatches;
    change.split = changes.split;
    if (changes.bestSplit) {
        PW_TRY(const BestSplit best, bestSplit(source, change));
        change.split = best.split;
    }
    return change;
}

Row rowOf(const AdviceSource& source, const NamedWhatIf& one, const WhatIfChanges& changes)
{
    const WhatIfBase& base = source.base;
    Row row;
    row.name = one.name;
    row.what = one.what;
    const auto change = changeOf(source, one, changes);
    if (!change) {
        row.refusal = change.error().message;
        return row;
    }
    const Result<Promise> promise = promiseOf(source, *change);
    if (!promise) {
        row.refusal = promise.error().message;
        return row;
    }
    const Prediction& made = promise->prediction;
    row.split = change->split;
    if (!row.split.empty())
        row.name += ", layers " + shortLayersText(row.split);
    row.figures = figuresOf(made.schedule, made.costs, made.result);
    row.spec = made.schedule.spec();
    row.assumed = made.assumed;
    row.memory = promise->peaks;
    // Micro-batches of another size are the same batch; else it is as many times as large.
    const double times = change->microBatchSize *
                         static_cast<double>(row.spec.totalMicroBatches()) /
                         base.schedule.spec().totalMicroBatches();
    row.perMicroBatch = static_cast<Ticks>(microBatchTime(made.result, row.spec));
    const auto changed = [times](double gain) { return (1 - gain) / times - 1; };
    row.change = changed(promise->gain);
    row.low = changed(promise->high);
    row.high = changed(promise->low);
    return row;
}

std::string signedPercent(double part, int digits = 3)
{
    constexpr double whole = 100;
    const std::string text = plainNumber(std::abs(whole * part), digits);
    return (text == "0" ? "" : part > 0 ? "+" : "−") + text + " %";
}

std::string headText(const AdviceSource& named, const Screen& screen)
{
    const WhatIfBase& base = named.base;
    const PipelineSpec& spec = base.schedule.spec();
    std::string order = "an order of its own";
    if (base.family)
        if (const Result<const Family*> family = findFamily(base.family->id))
            order = describe(FamilyMatch{*family, base.family->options, 0, 0});
    std::string out = screen.bold(named.name + ": " + order) + "\n  " + shapeText(spec) + "; ";
    if (base.measured)
        out += "measured " + millisecondText(*base.measured, 6) + ", replayed with the costs " +
               millisecondText(base.predicted.makespan, 6) + " (" +
               signedPercent(*base.residual()) + ")";
    else
        out += "it takes " + millisecondText(base.predicted.makespan, 6) +
               "; nothing was measured, so nothing says how far that is to be trusted";
    if (base.costs.links.empty() && base.costs.link.bytesPerSecond == 0)
        out += "; a message takes " + timeText(base.costs.link.latency);
    return out + "\n";
}

std::string tableText(const std::vector<Row>& rows, const Screen& screen)
{
    using Align = TextTable::Align;
    TextTable table(screen, {{"what if", "", Align::Left},
                             {"makespan"},
                             {"a micro-batch"},
                             {"against it"},
                             {"bubble"},
                             {"peak"},
                             {"nine times in ten", "", Align::Left, 2, 60}});
    const bool any =
        std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.refusal.empty(); });
    if (!any)
        return {};
    for (const Row& row : rows) {
        if (!row.refusal.empty())
            continue;
        constexpr double whole = 100;
        table.append({row.name, millisecondText(row.figures.makespan), timeText(row.perMicroBatch),
                      signedPercent(row.change),
                      plainNumber(whole * row.figures.span.rate(), 3) + " %",
                      plainNumber(row.figures.peakMicroBatches, 3) + " mb",
                      signedPercent(row.low) + " … " + signedPercent(row.high)});
    }
    return table.text(0);
}

/// Why rows are not there, each reason once with all that it holds for.
std::string refusalsText(const std::vector<Row>& rows, const Screen& screen)
{
    std::vector<std::pair<std::string, std::string>> reasons;
    for (const Row& row : rows) {
        if (row.refusal.empty())
            continue;
        const std::string reason = besideItsName(row.name, row.refusal);
        const auto known = std::find_if(reasons.begin(), reasons.end(),
                                        [&](const auto& one) { return one.first == reason; });
        if (known == reasons.end())
            reasons.emplace_back(reason, row.name);
        else
            known->second += "; " + row.name;
    }
    std::string out;
    for (const auto& [reason, names] : reasons)
        out += screen.paint(wrapped(names + ": " + reason, screen.width, 2, 0), Role::Refusal);
    const bool table = reasons.size() < rows.size();
    return out.empty() || !table ? out : "\n" + out;
}

/// The rows from the fastest on, those that are refused last; each knows its place.
std::vector<Row> ranked(std::vector<Row>& rows)
{
    std::vector<std::size_t> order(rows.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&rows](std::size_t a, std::size_t b) {
        const bool first = rows[a].refusal.empty(), second = rows[b].refusal.empty();
        return first != second ? first : first && rows[a].change < rows[b].change;
    });
    std::vector<Row> sorted;
    for (const std::size_t at : order) {
        if (rows[at].refusal.empty())
            rows[at].rank = static_cast<int>(sorted.size()) + 1;
        sorted.push_back(rows[at]);
    }
    return sorted;
}

/// What was assumed, each with the rows that it was assumed for.
std::string assumedText(const std::vector<Row>& rows, const Screen& screen)
{
    std::vector<std::pair<std::string, std::string>> notes;
    for (const Row& row : rows) {
        if (row.assumed.empty())
            continue;
        const auto known = std::find_if(notes.begin(), notes.end(), [&](const auto& note) {
            return note.first == row.assumed;
        });
        if (known == notes.end())
            notes.emplace_back(row.assumed, row.name);
        else
            known->second += "; " + row.name;
    }
    std::string out;
    for (const auto& [assumed, names] : notes)
        out += wrapped(assumed + ": " + names, screen.width, 2, 0);
    return out.empty() ? out : "\n" + screen.bold("How the costs are carried over") + "\n" + out;
}

void memoryJson(JsonText& json, const std::vector<Bytes>& memory)
{
    if (memory.empty())
        return;
    json.key("memory_bytes");
    json.beginArray();
    for (const Bytes bytes : memory)
        json.value(bytes);
    json.endArray();
}

/// Peaks of memory, a row a prediction and a column a device, where they are known.
std::string memoryText(const WhatIfBase& base, const std::vector<Row>& rows, const Screen& screen)
{
    if (!base.memory)
        return {};
    using Align = TextTable::Align;
    const std::size_t devices = base.memory->fixed.size();
    constexpr std::size_t mostDevices = 16;
    std::vector<TextTable::Column> columns = {{"memory, GiB", "", Align::Left}, {"most"}};
    for (std::size_t device = 0; device < devices && devices <= mostDevices; ++device)
        columns.push_back({"rank " + std::to_string(device)});
    TextTable table(screen, columns);
    const auto append = [&](const std::string& name, const std::vector<Bytes>& memory) {
        if (memory.empty())
            return;
        constexpr double gib = 1024.0 * 1024 * 1024;
        const auto cell = [](Bytes bytes) {
            return plainNumber(static_cast<double>(bytes) / gib, 5);
        };
        std::vector<std::string> cells = {name,
                                          cell(*std::max_element(memory.begin(), memory.end()))};
        for (std::size_t device = 0; device < devices && devices <= mostDevices; ++device)
            cells.push_back(cell(memory[device]));
        table.append(std::move(cells));
    };
    append("as measured", rankMemory(*base.memory, base.schedule.spec(), base.predicted));
    for (const Row& row : rows)
        append(row.name, row.memory);
    return "\n" + table.text(0);
}

void rowJson(JsonText& json, const WhatIfBase& base, const Row& row)
{
    json.beginObject(JsonText::Layout::OneLine);
    json.member("what", std::string_view(row.name));
    if (row.rank > 0)
        json.member("rank", row.rank);
    if (row.what.family) {
        json.member("family", std::string_view(row.what.family->id));
        for (const auto& [name, value] : row.what.family->options.parameters)
            json.member(name, value);
    }
    if (row.what.hop)
        json.member("link_ms", msFromTicks(*row.what.hop));
    else if (row.what.linkFactor != 1)
        json.member("link_factor", row.what.linkFactor);
    if (!row.refusal.empty()) {
        json.member("refusal", std::string_view(row.refusal));
        json.endObject();
        return;
    }
    json.member("devices", row.spec.devices);
    json.member("stages", row.spec.stages());
    json.member("micro_batches", row.spec.microBatches);
    json.member("makespan_ns", row.figures.makespan);
    json.member("micro_batch_ns", row.perMicroBatch);
    json.member("change", row.change);
    json.member("low", row.low);
    json.member("high", row.high);
    if (!row.split.empty())
        json.numbers("split", row.split);
    json.member("span_bubble_rate", row.figures.span.rate());
    json.member("peak_activation_mb", row.figures.peakMicroBatches);
    json.member("peak_activation_bytes", row.figures.peakBytes);
    if (row.memory.empty())
        writePeakMemory(json, row.figures.memory);
    else // measured fixed parts, of which no kind is known
        json.member("peak_memory_bytes", *std::max_element(row.memory.begin(), row.memory.end()));
    memoryJson(json, row.memory);
    if (base.residual())
        json.member("residual", *base.residual());
    json.member("assumed", std::string_view(row.assumed));
    json.endObject();
}

std::string jsonOf(const AdviceSource& named, const std::vector<Row>& rows)
{
    const WhatIfBase& base = named.base;
    JsonText json;
    json.beginObject();
    json.member("from", std::string_view(named.name));
    if (base.family)
        json.member("family", std::string_view(base.family->id));
    json.member("devices", base.schedule.spec().devices);
    json.member("stages", base.schedule.spec().stages());
    json.member("micro_batches", base.schedule.spec().microBatches);
    if (base.measured)
        json.member("measured_ns", *base.measured);
    json.member("predicted_ns", base.predicted.makespan);
    if (base.residual())
        json.member("residual", *base.residual());
    json.member("link_ns", base.costs.link.latency);
    json.key("what_if");
    json.beginArray();
    for (const Row& row : rows)
        rowJson(json, base, row);
    json.endArray();
    json.endObject();
    return json.text();
}

/// The order of a schedule or of a trace.
tl::expected<NamedOrder, Failure> orderOfFile(const std::string& path, const Arguments& arguments,
                                              Console& console)
{
    const std::string name = std::filesystem::path(path).filename().string();
    if (fileKind(path) == FileKind::Folder || looksLikeTrace(path)) {
        PW_TRY(const ReadTrace read, readTrace({path}, arguments, console));
        return NamedOrder{name,
                          std::make_shared<const Schedule>(*read.aligned().pipeline.schedule)};
    }
    PW_TRY(const ScheduleFile file, pw::readScheduleFile(path));
    if (file.problemCount > 0)
        return wrong(problemsText(path, file));
    Result<Schedule> schedule = scheduleOf(file.project);
    if (!schedule)
        return wrong(path + ": " + schedule.error().message);
    return NamedOrder{name, std::make_shared<const Schedule>(*std::move(schedule))};
}

/// Numbers of micro-batches that divide a batch, for a family's rows.
std::vector<NamedWhatIf> dividingBatch(const AdviceSource& source, std::int64_t batch)
{
    std::vector<NamedWhatIf> all;
    for (const int count : microBatchesOf(batch)) {
        WhatIf what;
        what.family = source.base.family;
        what.family->options.microBatches = count;
        all.push_back({countText(count, "micro-batch", "micro-batches"), what});
    }
    return all;
}

/// Everything that is to be predicted.
tl::expected<std::vector<NamedWhatIf>, Failure> askedWhatIfs(const AdviceSource& source,
                                                             const std::vector<NamedOrder>& orders,
                                                             const Arguments& arguments,
                                                             const WhatIfChanges& changes)
{
    if (arguments.text("micro-batches") == "best") {
        if (changes.globalBatch == 0)
            return usage("--micro-batches best needs --global-batch: how many samples a step has");
        if (!source.base.family)
            return usage("no family makes exactly this order, so it has no other number of "
                         "micro-batches");
        return dividingBatch(source, changes.globalBatch);
    }
    if (arguments.has("split") && !arguments.has("family") && orders.empty() &&
        !arguments.has("placement") && !arguments.has("micro-batches"))
        return std::vector<NamedWhatIf>{{"the same order", {}}};
    return whatIfsOf(source.base, orders, arguments);
}

/// Writes the row that is the first in its rank.
tl::expected<void, Failure> writeFirst(const AdviceSource& source, const Row& row,
                                       const WhatIfChanges& changes, const Arguments& arguments,
                                       Console& console)
{
    WhatIfChanges same = changes;
    same.bestSplit = false;
    same.split = row.split;
    PW_TRY(const PlannedChange change, changeOf(source, {row.name, row.what}, same));
    PW_TRY(const Prediction made, predictChange(source, change));
    std::vector<int> split = row.split;
    if (split.empty() && made.schedule.spec().stages() == source.base.schedule.spec().stages())
        split = source.layers;
    return writePredicted({made, row.name,
                           row.name + ": " + millisecondText(made.result.makespan) + ", " +
                               signedPercent(row.change) + " against " + source.name + ".\n",
                           std::move(split)},
                          arguments, console);
}

tl::expected<WhatIfChanges, Failure> changesOf(const AdviceSource& source,
                                               const Arguments& arguments, Console& console)
{
    WhatIfChanges changes;
    PW_TRY(changes.split, splitAskedFor(source, arguments));
    changes.bestSplit = arguments.text("split") == "best";
    changes.globalBatch = static_cast<std::int64_t>(arguments.number("global-batch", 0));
    if (changes.globalBatch > 0 && !arguments.has("micro-batches"))
        return usage("--global-batch needs --micro-batches: how many there are to be, or best");
    PW_TRY(changes.fixedTime, fixedTimeOf(source, arguments, console));
    return changes;
}

Outcome runWhatif(const Arguments& arguments, Console& console)
{
    PW_TRY(const bool files, asksForFiles(arguments));
    PW_TRY(AdviceSource source, adviceInput(arguments.words(), arguments, console));
    PW_DO(takeLayers(source, arguments));
    PW_DO(takePeaks(source, arguments));
    source.step = source.span; // what lies around the passes is not predicted here
    PW_TRY(const WhatIfChanges changes, changesOf(source, arguments, console));
    std::vector<NamedOrder> orders;
    if (arguments.has("order-of")) {
        for (const std::string& path : listParts(arguments.text("order-of"))) {
            PW_TRY(NamedOrder order, orderOfFile(path, arguments, console));
            orders.push_back(std::move(order));
        }
    }
    PW_TRY(const std::vector<NamedWhatIf> whatIfs,
           askedWhatIfs(source, orders, arguments, changes));
    std::vector<Row> rows;
    for (const NamedWhatIf& one : whatIfs)
        rows.push_back(rowOf(source, one, changes));
    const std::vector<Row> sorted = ranked(rows);
    if (arguments.has("json"))
        console.out << jsonOf(source, rows);
    else
        console.out << fitted(headText(source, console.screen), console.screen.width) << "\n"
                    << tableText(sorted, console.screen) << refusalsText(sorted, console.screen)
                    << memoryText(source.base, sorted, console.screen)
                    << assumedText(sorted, console.screen);
    if (sorted.empty() || !sorted.front().refusal.empty())
        return wrong("nothing of this can be predicted");
    if (files)
        PW_DO(writeFirst(source, sorted.front(), changes, arguments, console));
    return ExitCode::Good;
}

std::vector<Option> optionsOfWhatif()
{
    std::vector<Option> all = whatIfOptions();
    for (const std::vector<Option>& more : {layerOptions(), predictedFileOptions(), traceOptions()})
        all.insert(all.end(), more.begin(), more.end());
    all.push_back(storeOption());
    all.push_back({.name = "json", .summary = "for programs", .section = "Output"});
    return all;
}

} // namespace

Command whatif()
{
    Command command;
    command.name = "whatif";
    command.group = CommandGroup::Traces;
    command.summary = "what another schedule would have taken, from a trace, a run or a project";
    command.words = "FILE… | RUN";
    command.about =
        "Fits costs to a trace of another program (as import reads it, its clocks aligned) or to "
        "a stored run, and predicts other families, parameters, shapes, placements and links with "
        "them, or the order of another file. A project brings its own costs. Every combination of "
        "the given values is a row; "
        "without values, each family in the shape of the order.\n"
        "First the order itself is replayed with the costs and compared with what was measured. "
        "Beside every row stands where its change will lie nine times in ten: it counts what "
        "passes and steps differ by, what is not known of a backward, and how far the replay is "
        "off. The rows are ranked by the time of a micro-batch.\n"
        "If stages become fewer, they are put together and their times added; if they become "
        "more, they are cut into equal parts. A device that has one stage and gets several keeps "
        "its own speed, and head and loss stay with the last stage; with --measured-layers, layers "
        "are "
        "moved (--split). Anything else is refused. If only whole backwards were measured, half "
        "of each counts as W, and 30 to 55 % in the interval. The comparison with the order is "
        "per micro-batch; with --global-batch, micro-batches are of another size.\n"
        "If the trace has the peak memory of every rank, or --peaks tells it, each prediction has "
        "it too: the rank's fixed part, and an amount for every micro-batch in flight.";
    command.examples = {"pipewright whatif run.trace.json",
                        "pipewright whatif run.trace.json --family 1f1b,zb-h1 --weight-part 0.5",
                        "pipewright whatif run.trace.json --link 0,2x",
                        "pipewright whatif run.trace.json --measured-layers 16 --split best",
                        "pipewright whatif run.trace.json --order-of schedule.csv",
                        "pipewright whatif last --micro-batches 8,16"};
    command.wordKind = WordKind::File;
    command.minimumWords = 1;
    command.maximumWords = 100'000;
    command.options = optionsOfWhatif;
    command.run = runWhatif;
    return command;
}

} // namespace pw::app::commands
