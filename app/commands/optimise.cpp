// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/optimise/optimise.h"

#include "app/figures.h"
#include "app/file_options.h"
#include "app/interrupt.h"
#include "app/memory_cap.h"
#include "app/model_options.h"
#include "app/offload_options.h"
#include "app/progress.h"
#include "app/study.h"
#include "app/text_table.h"
#include "app/time_limit.h"
#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/families/family_names.h"
#include "core/io/file_problem.h"
#include "core/io/json_text.h"
#include "core/io/offload_text.h"
#include "core/io/schedule_text.h"
#include "core/io/torch_csv.h"
#include "core/model/offload.h"
#include "core/sim/metrics.h"

#include <algorithm>
#include <array>
#include <ostream>

namespace pw::app::commands {

namespace {

/// What was found, and what its passes take.
struct TimedOutcome
{
    OptimiseOutcome outcome;
    /// Of the found order: its own first and last passes, and its own copies to the host.
    StudyCosts costs;
};

/// A better order with the study that it came from.
struct Improved
{
    Study study;
    TimedOutcome found;
    std::string placementOf; ///< family whose placement it has; empty: the one given
};

/// Whether a word is a family that looks for its order, and so takes the time for it.
bool familySearches(const std::string& word)
{
    const Result<const Family*> family = familyNamed(word);
    return family && findParameter(**family, ParameterRole::TimeLimit) != nullptr;
}

OptimiseOptions searchOptions(const Arguments& arguments)
{
    OptimiseOptions options;
    options.seconds = arguments.number(timeLimitName, options.seconds);
    options.seed = static_cast<std::uint64_t>(arguments.number("seed", 1));
    if (arguments.text("goal") == "span")
        options.aim = OrderAim::Span;
    options.chooseOffload = arguments.has(chooseOffloadName);
    const std::string form = arguments.text("form", "any");
    options.backward = form == "as-given" ? BackwardChoice::AsGiven
                       : form == "split"  ? BackwardChoice::Split
                       : form == "fused"  ? BackwardChoice::Fused
                                          : BackwardChoice::Any;
    return options;
}

/// Studies of families with other placements for the same devices and micro-batches, the best
/// first; what does not fit the cap is left out.
std::vector<Study> otherPlacements(const Study& given, const MemoryCap& cap,
                                   const Arguments& arguments, OrderAim aim)
{
    std::vector<std::pair<Ticks, Study>> found;
    const PipelineSpec& spec = given.schedule.spec();
    for (const Family& family : allFamilies()) {
        tl::expected<Study, Failure> study = studyOf(family, arguments, OtherParameters::Ignore);
        if (!study)
            continue;
        const PipelineSpec& other = study->schedule.spec();
        if (other.routeCount() != spec.routeCount() || other.updateRule != spec.updateRule ||
            other.segments() != spec.segments() || other.routes == spec.routes ||
            study->schedule.anyRecompute() != given.schedule.anyRecompute())
            continue;
        cap.apply(study->costs.costs, other);
        const Result<SimResult> result = simulate(study->schedule, study->costs.costs);
        if (!result || !overLimit(study->schedule, study->costs.costs, *result).empty())
            continue;
        found.emplace_back(objectiveOf(*result, aim), std::move(*study));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Study> studies;
    for (std::pair<Ticks, Study>& one : found) {
        Study& study = one.second;
        const bool known = std::any_of(studies.begin(), studies.end(), [&](const Study& other) {
            return other.schedule.spec().routes == study.schedule.spec().routes;
        });
        if (!known)
            studies.push_back(std::move(study));
    }
    return studies;
}

/// Costs to search with: the first and the last pass of a device take as long as the others, since
/// other ones are first and last in other orders.
Costs searchCosts(const Study& study)
{
    Costs costs = study.costs.costs;
    if (hasMeasuredEnds(study.costs))
        costs.single.clear();
    return costs;
}

/// Looks for a better order, and times it and the one given with their own first and last passes.
/// The bound stays: these only take longer.
Result<TimedOutcome> improvedOrder(const Study& study, const OptimiseOptions& options)
{
    PW_TRY(OptimiseOutcome made, optimiseOrder(study.schedule, searchCosts(study), options));
    StudyCosts costs = study.costs;
    costs.costs.offload.cells = made.offloaded;
    if (!hasMeasuredEnds(study.costs))
        return TimedOutcome{std::move(made), std::move(costs)};
    const Result<SimResult> given = simulate(study.schedule, study.costs.costs);
    if (!given && given.error().code != ErrorCode::Deadlock)
        return fail(given.error());
    setMeasuredEnds(costs, made.schedule);
    PW_TRY(made.result, simulate(made.schedule, costs.costs));
    made.given = given ? objectiveOf(*given, options.aim) : 0;
    made.objective = objectiveOf(made.result, options.aim);
    made.proven = made.proven && made.objective == made.bound;
    made.bestFamily.clear(); // was timed without them
    if (made.givenFits && made.given <= made.objective) {
        made.schedule = study.schedule;
        made.result = *given;
        made.objective = made.given;
        made.offloaded = study.costs.costs.offload.cells;
        made.story = {};
        costs = study.costs;
    }
    return TimedOutcome{std::move(made), std::move(costs)};
}

/// Improves the given study, and with --placement any the best of others; the best of all.
tl::expected<Improved, Failure> improve(Study study, const MemoryCap& cap,
                                        const Arguments& arguments, OptimiseOptions options)
{
    std::vector<Study> others;
    if (arguments.text("placement") == "any" && study.family != nullptr) {
        others = otherPlacements(study, cap, arguments, options.aim);
        constexpr std::size_t most = 2;
        if (others.size() > most)
            others.erase(others.begin() + most, others.end());
        options.seconds /= static_cast<double>(others.size() + 1);
    }
    PW_TRY(TimedOutcome own, improvedOrder(study, options));
    Improved best{std::move(study), std::move(own), {}};
    for (Study& other : others) {
        Result<TimedOutcome> made = improvedOrder(other, options);
        if (!made || made->outcome.objective >= best.found.outcome.objective)
            continue;
        made->outcome.given = best.found.outcome.given;
        made->outcome.givenFits = best.found.outcome.givenFits;
        const std::string title(other.family->id);
        best = {std::move(other), std::move(*made), title};
    }
    return best;
}

Result<void> save(const Improved& improved, const std::string& path)
{
    const std::optional<FileFormat> format = formatOfPath(path);
    const OptimiseOutcome& outcome = improved.found.outcome;
    Result<std::string> content = std::string();
    if (format != FileFormat::Project)
        PW_DO(
            refuseOffload(improved.found.costs.costs, outcome.schedule.spec(),
                          "of the files that --save writes a .pipewright.json alone has words for "
                          "copies to the host"));
    if (format == FileFormat::Project) {
        Project project;
        project.title = improved.study.title + ", optimised";
        project.notes = outcome.story;
        project.draft = draftOf(outcome.schedule);
        setTables(project, improved.found.costs.costs);
        project.offload = improved.found.costs.costs.offload;
        content = writeProject(project);
    } else if (format == FileFormat::TorchCsv) {
        content = writeTorchCsv(outcome.schedule, TorchForm::ComputeOnly);
    } else if (format == FileFormat::Text) {
        content = writeScheduleText(outcome.schedule);
    } else {
        return fail(ErrorCode::BadValue,
                    "--save writes .pipewright.json, .csv and .txt; the name %1 is none of these",
                    quotedWord(path));
    }
    if (!content)
        return fail(content.error());
    return writeFile(path, *content);
}

std::string jsonOf(const Improved& improved, const MemoryCap& cap, const Arguments& arguments,
                   bool stopped)
{
    const OptimiseOutcome& outcome = improved.found.outcome;
    JsonText json;
    json.beginObject();
    json.member("title", std::string_view(improved.study.title));
    json.member("goal", std::string_view(arguments.text("goal", "makespan")));
    json.member("cap", std::string_view(cap.text()));
    json.key("given_ms");
    if (outcome.given > 0)
        json.value(msFromTicks(outcome.given));
    else
        json.null();
    json.member("given_fits", outcome.givenFits);
    json.key("best_family");
    if (outcome.bestFamily.empty())
        json.null();
    else
        json.value(std::string_view(outcome.bestFamily));
    json.key("best_family_ms");
    if (outcome.bestFamily.empty())
        json.null();
    else
        json.value(msFromTicks(outcome.bestFamilyObjective));
    json.member("found_ms", msFromTicks(outcome.objective));
    json.member("makespan_ms", msFromTicks(outcome.result.makespan));
    json.member("bound_ms", msFromTicks(outcome.bound));
    json.member("gap", outcome.gap());
    json.member("proven", outcome.proven);
    json.member("placement_of", std::string_view(improved.placementOf));
    json.member("peak_activation_mb", peakMicroBatches(outcome.result));
    json.member("peak_activation_bytes", peakActivation(outcome.result));
    writePeakMemory(json, peakMemory(outcome.schedule, improved.found.costs.costs, outcome.result));
    json.member("offload",
                std::string_view(offloadText(outcome.offloaded, outcome.schedule.spec())));
    json.member("moves", outcome.story.english());
    json.member("stopped", stopped);
    json.member("seconds", outcome.seconds);
    json.member("steps", outcome.steps);
    json.endObject();
    return json.text();
}

/// What goes to the host's memory, as --offload takes it.
std::string hostedText(const OptimiseOutcome& outcome)
{
    const PipelineSpec& spec = outcome.schedule.spec();
    const std::size_t all = at(spec.stages()) * at(spec.totalMicroBatches()) * at(spec.segments());
    return std::to_string(outcome.offloaded.size()) + " of " + std::to_string(all) +
           (all == 1 ? " activation goes" : " activations go") + " to the host's memory: " +
           (outcome.offloaded.size() == all ? "all" : offloadText(outcome.offloaded, spec)) + ".";
}

std::string textOf(const Improved& improved, const MemoryCap& cap, const Screen& screen,
                   bool stopped)
{
    const OptimiseOutcome& outcome = improved.found.outcome;
    const Study& study = improved.study;
    std::string out =
        screen.bold(oneLine(study.title)) + "  " + shapeText(study.schedule.spec()) + "\n" +
        screen.paint(wrapped(improved.found.costs.wholeText(), screen.width), Role::Secondary) +
        "Memory: " + cap.text() + "\n\n";
    const Unit unit = timeUnit(std::max(outcome.given, outcome.objective));
    std::vector<double> times = {static_cast<double>(outcome.given) / unit.size,
                                 static_cast<double>(outcome.objective) / unit.size,
                                 static_cast<double>(outcome.bound) / unit.size};
    if (!outcome.bestFamily.empty())
        times.push_back(static_cast<double>(outcome.bestFamilyObjective) / unit.size);
    const std::vector<std::string> texts = columnNumbers(times);
    using Align = TextTable::Align;
    TextTable table(screen, {{"order", "", Align::Left},
                             {"time", std::string(unit.name)},
                             {"above bound", "%"},
                             {"", "", Align::Left}});
    const auto above = [&outcome](Ticks time) {
        const std::array<double, 1> value = {
            outcome.bound > 0
                ? 100 * (static_cast<double>(time) / static_cast<double>(outcome.bound) - 1)
                : 0};
        return columnNumbers(value, 2)[0];
    };
    if (outcome.given > 0)
        table.append({"given", texts[0], above(outcome.given),
                      outcome.givenFits ? "" : screen.paint("above the memory", Role::Refusal)});
    else
        table.append({"given", "", "", screen.paint("never ends", Role::Refusal)});
    if (!outcome.bestFamily.empty())
        table.append(
            {"best family", texts[3], above(outcome.bestFamilyObjective), outcome.bestFamily});
    table.append({"found", screen.bold(texts[1]), above(outcome.objective),
                  outcome.proven ? screen.paint("nothing is better", Role::Good) : ""});
    table.append({"lower bound", texts[2], "", "proven"});
    out += table.text(0) + "\n";
    if (!improved.placementOf.empty())
        out += "The placement is that of " + improved.placementOf + ".\n";
    if (outcome.story.empty())
        out += "The order given stays as it is.\n";
    else
        out += wrapped("The order " + outcome.story.english() + ".", screen.width);
    if (!outcome.offloaded.empty())
        out += wrapped(hostedText(outcome), screen.width);
    const Ticks saved = outcome.given - outcome.objective;
    if (outcome.givenFits && saved > 0) {
        out += "It saves " + timeText(saved) + ", " +
               tablePercent(static_cast<double>(saved) / static_cast<double>(outcome.given)) +
               " of the order given.\n";
    }
    const std::array<double, 1> seconds = {outcome.seconds};
    const std::string took = " in " + columnNumbers(seconds, 2)[0] + " s";
    out += screen.paint(
               (outcome.steps > 0 ? countText(outcome.steps, "order") + " looked at" + took
                : outcome.proven  ? "No order had to be looked for: this one takes the lower bound"
                                  : "Stopped" + took + ", before another order was looked at") +
                   (outcome.steps > 0 && stopped ? "; stopped, this is the best so far" : ""),
               Role::Secondary) +
           "\n";
    return out;
}

Outcome runOptimise(const Arguments& arguments, Console& console)
{
    if (arguments.has("save") && !formatOfPath(arguments.text("save")))
        return usage("the name " + quotedWord(arguments.text("save")) +
                     " does not tell a format: let it end in .pipewright.json, .csv or .txt");
    const std::string& word = arguments.words()[0];
    PW_TRY(Study study,
           studyOf(word, familySearches(word) ? arguments : arguments.without({timeLimitName})));
    if (arguments.text("placement") == "any" && study.family == nullptr)
        return usage("--placement any is for families: a file says where its stages are");
    const Result<SimResult> before = simulate(study.schedule, study.costs.costs);
    if (!before && before.error().code != ErrorCode::Deadlock)
        return fail(before.error());
    PW_TRY(const MemoryCap cap,
           memoryCapOf(arguments, study.schedule, study.costs.costs, before ? &*before : nullptr));
    cap.apply(study.costs.costs, study.schedule.spec());

    exec::Stop stop;
    OptimiseOptions options = searchOptions(arguments);
    options.stopped = [&stop] { return stop.requested(); };
    const bool shows = terminalTakesProgress() && !arguments.has("json");
    if (shows) {
        options.improved = [&console](const OptimiseProgress& progress) {
            showStatus(console.err, timeText(progress.best) + ", bound " +
                                        timeText(progress.bound) +
                                        " (Ctrl-C takes the best so far)");
        };
    }
    const tl::expected<Improved, Failure> improved = [&] {
        const Interrupt interrupt(stop);
        return improve(std::move(study), cap, arguments, std::move(options));
    }();
    if (shows)
        showStatus(console.err, "");
    if (!improved)
        return tl::unexpected<Failure>(improved.error());
    if (arguments.has("save"))
        PW_DO(save(*improved, arguments.text("save")));
    console.out << (arguments.has("json")
                        ? jsonOf(*improved, cap, arguments, stop.requested())
                        : textOf(*improved, cap, console.screen, stop.requested()));
    return ExitCode::Good;
}

std::vector<Option> optionsOfOptimise()
{
    constexpr const char* section = "Search";
    std::vector<Option> all = {
        memoryCapOption(section),
        timeLimitOption("time that the search may take, and that of a family that searches "
                        "(default 10); Ctrl-C takes the best so far",
                        86400, "time", section),
        {.name = "goal",
         .kind = ValueKind::Text,
         .placeholder = "WHAT",
         .summary = "what becomes short: the makespan (default), or the longest span of a device",
         .section = section,
         .choices = {"makespan", "span"}},
        {.name = "form",
         .kind = ValueKind::Text,
         .placeholder = "FORM",
         .summary = "of the backward: any (default), as-given, split into B and W, fused",
         .section = section,
         .choices = {"any", "as-given", "split", "fused"}},
        {.name = chooseOffloadName,
         .summary = "choose which activations go to the host's memory, too; those of --offload are "
                    "a start",
         .section = section},
        {.name = "placement",
         .kind = ValueKind::Text,
         .placeholder = "WHICH",
         .summary = "keep the stages where they are (default), or try the placements of all "
                    "families",
         .section = section,
         .choices = {"keep", "any"}},
        {.name = "seed",
         .kind = ValueKind::Whole,
         .placeholder = "N",
         .summary = "of the random choices (default 1)",
         .section = section,
         .minimum = 0,
         .maximum = 1e9},
        {.name = "save",
         .kind = ValueKind::Text,
         .placeholder = "FILE",
         .summary = "write the order: .pipewright.json with its costs, .csv for PyTorch, .txt",
         .section = section},
        {.name = "json", .summary = "for programs: one object", .section = "Output"}};
    for (const std::vector<Option>& more : {shapeOptions(), costOptions(), fileOptions()})
        for (const Option& option : more)
            if (std::none_of(all.begin(), all.end(),
                             [&option](const Option& known) { return known.name == option.name; }))
                all.push_back(option);
    appendModelFields(all);
    return all;
}

} // namespace

Command optimise()
{
    Command command;
    command.name = "optimise";
    command.group = CommandGroup::Design;
    command.summary = "a better order of the same passes, and how good one can be";
    command.words = "FAMILY|FILE";
    command.about =
        "Looks for an order that takes less time on the same devices within the same memory: for "
        "stages of unequal times, links that take time, limits. It begins with the given order and "
        "with every family of the same shape, and is never worse than the best of them that "
        "fits.\n"
        "The lower bound is proven: no order of these passes is shorter. Small cases are searched "
        "to the end.\n"
        "What goes to the host's memory (--offload) counts with its copies.\n"
        "Without --memory-limit a device may hold what the fullest device of the given order "
        "holds.";
    command.examples = {
        "pipewright optimise 1f1b --comm 0.3 --time-limit 2",
        "pipewright optimise interleaved-1f1b --comm 0.2 --form fused --time-limit 2",
        "pipewright optimise 1f1b --micro-batches 6 --memory-limit 3mb --time-limit 2 --json"};
    command.wordKind = WordKind::FamilyOrFile;
    command.minimumWords = 1;
    command.maximumWords = 1;
    command.options = optionsOfOptimise;
    command.run = runOptimise;
    return command;
}

} // namespace pw::app::commands
