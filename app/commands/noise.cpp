// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/noise/noise.h"

#include "app/comparison.h"
#include "app/file_options.h"
#include "app/grouping_options.h"
#include "app/model_options.h"
#include "app/noise_options.h"
#include "app/simulated_adapt.h"
#include "app/study.h"
#include "app/text_table.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/json_text.h"
#include "core/noise/hinted_runs.h"

#include <algorithm>
#include <array>
#include <ostream>

namespace pw::app::commands {

namespace {

constexpr std::array<double, 5> shownParts = {0.05, 0.25, 0.5, 0.95, 0.99};
constexpr std::array<const char*, 5> shownNames = {"5 %", "25 %", "median", "95 %", "99 %"};

/// One schedule under noise, or why it is not.
struct NoisyRow
{
    std::string id;
    std::string refusal;
    std::string title{}; ///< with its shape
    std::string size{};  ///< what rows of several families share of it
    PipelineSpec spec{};
    std::string costs{};
    std::string noise{};
    NoiseSamples samples{};
    std::optional<Sensitivity> sensitivity{};
};

tl::expected<NoisyRow, Failure> rowOf(const std::string& word, const Arguments& arguments,
                                      bool alone)
{
    NoisyRow row;
    row.id = word;
    const tl::expected<Study, Failure> study =
        studyOf(word, arguments, alone ? OtherParameters::Refuse : OtherParameters::Ignore);
    if (!study) {
        if (study.error().code == ExitCode::Usage || alone)
            return tl::unexpected<Failure>(study.error());
        row.refusal = besideItsName(word, study.error().message);
        return row;
    }
    PW_TRY(const NoiseModel model, noiseOf(arguments, study->schedule.spec().devices));
    const Result<NoisyRuns> runs = NoisyRuns::make(study->schedule, study->costs.costs);
    if (!runs) {
        if (alone)
            return wrong(runs.error());
        row.refusal = runs.error().message;
        return row;
    }
    if (const Result<SimResult> result = simulate(study->schedule, study->costs.costs); result)
        row.refusal = overLimit(study->schedule, study->costs.costs, *result);
    if (!row.refusal.empty())
        return row;
    row.spec = study->schedule.spec();
    row.title = study->title + "  " + shapeText(row.spec);
    row.size = sizeText(row.spec) + study->additions;
    row.costs = study->costs.wholeText();
    row.noise = noiseText(model);
    const auto seed = static_cast<std::uint64_t>(arguments.number("seed", 1));
    const int samples = arguments.whole("samples", 10'000);
    row.samples = runs->run(model, samples, seed, arguments.whole("threads", 0));
    constexpr int mostSensitivity = 2000;
    if (arguments.has("sensitivity"))
        row.sensitivity = sensitivityOf(*runs, model, std::min(samples, mostSensitivity), seed);
    return row;
}

/// The same schedule, its order taken as a hint.
tl::expected<NoisyRow, Failure> hintedRowOf(const std::string& word, const Arguments& arguments,
                                            const NoisyRow& strict)
{
    NoisyRow row = strict;
    row.id += ", as a hint";
    row.sensitivity.reset();
    PW_TRY(const Study study, studyOf(word, arguments, OtherParameters::Ignore));
    PW_TRY(const NoiseModel model, noiseOf(arguments, study.schedule.spec().devices));
    PW_TRY(const HintedRuns runs,
           HintedRuns::make(study.schedule, study.costs.costs, arguments.whole("hint", 1)));
    row.samples = runs.run(model, arguments.whole("samples", 10'000),
                           static_cast<std::uint64_t>(arguments.number("seed", 1)));
    return row;
}

void writeSensitivity(JsonText& json, const Sensitivity& found)
{
    json.key("sensitivity");
    json.beginObject();
    json.member("rank_slower", found.rankSlower);
    json.key("ranks");
    json.beginArray();
    for (const Sensitivity::Rank& one : found.ranks) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("rank", one.device);
        json.member("longer", one.longer);
        json.endObject();
    }
    json.endArray();
    json.member("link_slower", found.linkSlower);
    json.key("links");
    json.beginArray();
    for (const Sensitivity::Link& one : found.links) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("from", one.from);
        json.member("to", one.to);
        json.member("longer", one.longer);
        json.endObject();
    }
    json.endArray();
    json.endObject();
}

std::string jsonOf(const std::vector<NoisyRow>& rows)
{
    JsonText json;
    json.beginArray();
    for (const NoisyRow& row : rows) {
        json.beginObject();
        json.member("schedule", std::string_view(row.id));
        if (!row.refusal.empty()) {
            json.member("refusal", std::string_view(row.refusal));
            json.endObject();
            continue;
        }
        json.member("devices", row.spec.devices);
        json.member("stages", row.spec.stages());
        json.member("micro_batches", row.spec.microBatches);
        json.member("costs", std::string_view(row.costs));
        json.member("noise", std::string_view(row.noise));
        json.member("samples", static_cast<std::int64_t>(row.samples.makespans.size()));
        json.member("nominal_ms", msFromTicks(row.samples.nominal));
        json.member("mean_ms", row.samples.mean / ticksPerMs);
        constexpr std::array<const char*, 5> names = {"p5_ms", "p25_ms", "p50_ms", "p95_ms",
                                                      "p99_ms"};
        for (std::size_t i = 0; i < shownParts.size(); ++i)
            json.member(names[i], row.samples.quantile(shownParts[i]) / ticksPerMs);
        if (row.sensitivity)
            writeSensitivity(json, *row.sensitivity);
        json.endObject();
    }
    json.endArray();
    return json.text();
}

std::string tableOf(const std::vector<NoisyRow>& rows, const Screen& screen)
{
    double largest = 0;
    for (const NoisyRow& row : rows) {
        if (row.refusal.empty())
            largest = std::max(largest, row.samples.quantile(1));
    }
    const Unit unit = timeUnit(static_cast<Ticks>(largest));
    std::vector<double> numbers;
    for (const NoisyRow& row : rows) {
        if (!row.refusal.empty())
            continue;
        numbers.push_back(static_cast<double>(row.samples.nominal) / unit.size);
        numbers.push_back(row.samples.mean / unit.size);
        for (const double part : shownParts)
            numbers.push_back(row.samples.quantile(part) / unit.size);
    }
    const std::vector<std::string> texts = columnNumbers(numbers);
    const std::string name(unit.name);
    std::vector<TextTable::Column> heads = {
        {"schedule", "", TextTable::Align::Left}, {"no noise", name}, {"mean", name}};
    for (const char* part : shownNames)
        heads.push_back({part, name});
    TextTable table(screen, heads);
    std::size_t next = 0;
    for (const NoisyRow& row : rows) {
        if (!row.refusal.empty()) {
            table.appendNote(oneLine(row.id), screen.paint(row.refusal, Role::Refusal));
            continue;
        }
        std::vector<std::string> cells = {oneLine(row.id)};
        for (std::size_t i = 0; i < shownParts.size() + 2; ++i)
            cells.push_back(texts[next++]);
        table.append(std::move(cells));
    }
    return table.text(0);
}

std::string sensitivityText(const Sensitivity& found, const Screen& screen)
{
    constexpr std::size_t most = 8;
    std::vector<double> numbers;
    for (std::size_t i = 0; i < std::min(most, found.ranks.size()); ++i)
        numbers.push_back(100 * found.ranks[i].longer);
    for (std::size_t i = 0; i < std::min(most, found.links.size()); ++i)
        numbers.push_back(100 * found.links[i].longer);
    const std::vector<std::string> texts = columnNumbers(numbers, 2);
    std::string out = screen.bold("What it depends on") + "\n";
    TextTable table(
        screen,
        {{"", "", TextTable::Align::Left}, {"end", "+%"}, {"", "", TextTable::Align::Left}});
    std::size_t next = 0;
    for (std::size_t i = 0; i < std::min(most, found.ranks.size()); ++i) {
        table.append({"rank " + std::to_string(found.ranks[i].device), texts[next++],
                      "with passes " + plainNumber(100 * found.rankSlower) + " % longer"});
    }
    for (std::size_t i = 0; i < std::min(most, found.links.size()); ++i) {
        table.append({"link " + std::to_string(found.links[i].from) + " → " +
                          std::to_string(found.links[i].to),
                      texts[next++],
                      "with messages " + plainNumber(100 * found.linkSlower) + " % longer"});
    }
    return out + table.text();
}

/// The row whose costs stand above the table: of a family rather than of a file with its own.
const NoisyRow& headOf(const std::vector<NoisyRow>& rows)
{
    const auto family = std::find_if(rows.begin(), rows.end(), [](const NoisyRow& row) {
        return row.refusal.empty() && findFamily(row.id).has_value();
    });
    return family != rows.end() ? *family : rows.front();
}

/// Files that have other costs than those above the table.
std::string othersOf(const std::vector<NoisyRow>& rows, const NoisyRow& head, const Screen& screen)
{
    std::string text;
    for (const NoisyRow& row : rows) {
        const bool own = row.costs != head.costs || row.size != head.size;
        if (row.refusal.empty() && !findFamily(row.id) && own)
            text +=
                wrapped(oneLine(row.id) + ": " + row.size + "; " + row.costs, screen.width, 2, 0);
    }
    return text.empty() ? text : "\n" + screen.bold("Of their own shape and costs") + "\n" + text;
}

Outcome runNoise(const Arguments& arguments, Console& console)
{
    PW_DO(checkSimulatedAdapt(arguments));
    if (arguments.has("adapt"))
        return simulateAdapting(arguments, console);
    std::vector<std::string> words = arguments.words();
    if (words.size() == 1 && words[0] == "all") {
        words.clear();
        for (const Family& family : allFamilies())
            words.emplace_back(family.id);
    } else if (std::find(words.begin(), words.end(), "all") != words.end()) {
        return usage("'all' already means every family; do not add others");
    }
    if (words.size() > 1)
        PW_DO(checkOptionsCount(words, arguments));
    std::vector<NoisyRow> rows;
    for (const std::string& word : words) {
        PW_TRY(NoisyRow row, rowOf(word, arguments, words.size() == 1));
        rows.push_back(std::move(row));
        if (!arguments.has("hint") || !rows.back().refusal.empty())
            continue;
        PW_TRY(NoisyRow hinted, hintedRowOf(word, arguments, rows.back()));
        rows.push_back(std::move(hinted));
    }
    std::stable_sort(rows.begin(), rows.end(), [](const NoisyRow& a, const NoisyRow& b) {
        if (a.refusal.empty() != b.refusal.empty())
            return a.refusal.empty();
        return a.refusal.empty() && a.samples.quantile(0.95) < b.samples.quantile(0.95);
    });
    const bool shown = rows.front().refusal.empty();
    const NoisyRow& head = headOf(rows);
    if (arguments.has("json")) {
        console.out << jsonOf(rows);
    } else {
        const Screen& screen = console.screen;
        if (shown) {
            console.out << screen.bold(rows.size() == 1 ? head.title : head.size) << "\n"
                        << screen.paint(wrapped(head.costs, screen.width), Role::Secondary)
                        << wrapped(head.noise + "; " +
                                       countText(head.samples.makespans.size(), "run") +
                                       " a schedule",
                                   screen.width)
                        << "\n";
        }
        console.out << tableOf(rows, screen);
        if (rows.size() > 1 && shown)
            console.out << "Sorted by what 95 % of the runs stay below.\n";
        console.out << othersOf(rows, head, screen);
        for (const NoisyRow& row : rows) {
            if (row.sensitivity)
                console.out << "\n"
                            << (rows.size() > 1 ? screen.bold(oneLine(row.id)) + "\n" : "")
                            << sensitivityText(*row.sensitivity, screen);
        }
    }
    if (!shown)
        return wrong(rows.size() == 1 ? rows.front().refusal
                                      : "no schedule of the table can be made");
    return ExitCode::Good;
}

std::vector<Option> optionsOfNoise()
{
    std::vector<Option> all = noiseOptions();
    const std::vector<Option> own = {
        {.name = "samples",
         .kind = ValueKind::Whole,
         .placeholder = "N",
         .summary = "runs of a schedule (default 10000)",
         .section = "Noise",
         .minimum = 1,
         .maximum = 10'000'000},
        {.name = "seed",
         .kind = ValueKind::Whole,
         .placeholder = "N",
         .summary = "of the draws (default 1)",
         .section = "Noise",
         .minimum = 0,
         .maximum = 1e9},
        {.name = "threads",
         .kind = ValueKind::Whole,
         .placeholder = "N",
         .summary = "that run side by side (default: all processors); the result is the same",
         .section = "Noise",
         .minimum = 1,
         .maximum = 1024},
        {.name = "hint",
         .kind = ValueKind::Whole,
         .placeholder = "N",
         .summary = "also with the order as a hint: a device that waits runs what is ready, up to "
                    "N places ahead, within the same memory",
         .section = "Noise",
         .minimum = 1,
         .maximum = 1e6},
        {.name = "sensitivity",
         .summary =
             "also which rank and which link the end depends on: as many runs again for each",
         .section = "Output"},
        {.name = "json", .summary = "for programs: an array", .section = "Output"}};
    all.insert(all.end(), own.begin(), own.end());
    for (const std::vector<Option>& more :
         {simulatedAdaptOptions(), shapeOptions(), costOptions(), fileOptions()})
        all.insert(all.end(), more.begin(), more.end());
    appendHeldSamples(all);
    appendModelFields(all);
    return all;
}

} // namespace

Command noise()
{
    Command command;
    command.name = "noise";
    command.group = CommandGroup::Design;
    command.summary = "how far the makespan spreads when passes, ranks and links jitter";
    command.words = "FAMILY|FILE… | all";
    command.about =
        "Runs a schedule many times in the simulator, each time with different times for passes "
        "and messages, and says what the runs stay below. Times are log-normal with the costs as "
        "their mean. Several schedules are sorted by what 95 % of their runs stay below.\n"
        "With --sensitivity it also says which rank and which link the end depends on: how much "
        "longer the mean run becomes when that one is slower. That takes many times as long.\n"
        "kFkB runs k forwards and k backwards in turn. A larger k hides messages behind the "
        "passes of a group, but needs smaller micro-batches in the same memory, which run less "
        "efficiently. With --adapt, for each k the fastest micro-batch that fits is taken; a tuner "
        "learns from each iteration how slow links were, and every few of them goes on with the k "
        "that is best for the last one, or was best for all where following has lost time. "
        "Everything is simulated: each fixed k and the tuner on the same network. `pipewright run "
        "kfkb --adapt` trains so.";
    command.examples = {"pipewright noise 1f1b --devices 8 --micro-batches 32 --jitter 10",
                        "pipewright noise 1f1b zb-h1 kfkb --comm 0.2 --jitter 5,message=50",
                        "pipewright noise 1f1b --jitter 10 --sensitivity",
                        "pipewright noise 1f1b --jitter F=3,BW=8,rank=2 --slow 2=1.1 --json",
                        "pipewright noise kfkb --adapt",
                        "pipewright noise kfkb --adapt --devices 4 --global-batch 32 --link-trace "
                        "0:1,500:20,2500:1",
                        "pipewright noise kfkb --adapt --jitter 5,message=30 --iterations 60 "
                        "--json"};
    command.wordKind = WordKind::FamilyOrFile;
    command.minimumWords = 1;
    command.maximumWords = 1000;
    command.options = optionsOfNoise;
    command.run = runNoise;
    return command;
}

} // namespace pw::app::commands
