// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/check.h"

#include "app/family_report.h"
#include "app/file_options.h"
#include "app/own_families.h"
#include "app/study.h"
#include "app/text_table.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/block/collisions.h"
#include "core/io/json_text.h"

#include <algorithm>
#include <optional>
#include <ostream>

namespace pw::app::commands {

namespace {

/// Everything that is wrong with a file, in the order in which it can be found out.
struct Report
{
    std::vector<std::string> problems;
    std::vector<std::string> notes;
    std::int64_t count = 0;           ///< of problems, those that are not listed counted too
    std::string passes;               ///< what is good, in a sentence
    std::optional<Schedule> schedule; ///< where it runs
    Recognition family;               ///< of that
};

void add(Report& report, std::string problem)
{
    report.problems.push_back(std::move(problem));
    ++report.count;
}

void checkBlocks(const Project& project, Report& report)
{
    for (std::size_t i = 0; i < project.blocks.size(); ++i) {
        const std::string which = "block " + std::to_string(i) + ": ";
        if (const Result<void> good = pw::check(project.blocks[i]); !good) {
            add(report, which + good.error().message);
            continue;
        }
        for (const Collision& collision : collisions(project.blocks[i]))
            add(report, which + collision.text(project.blocks[i]));
    }
}

/// Whether the order runs, and in the memory that it has.
void checkRun(const Project& project, Report& report)
{
    Result<Schedule> schedule = scheduleOf(project);
    if (!schedule) {
        add(report, schedule.error().message);
        return;
    }
    const Costs costs = costsOf(project);
    const Result<SimResult> result = pw::simulate(*schedule, costs);
    if (!result) {
        add(report, result.error().message);
        return;
    }
    if (const std::string over = overLimit(*schedule, costs, *result); !over.empty())
        add(report, over);
    report.passes = shapeText(schedule->spec()) + ": all " + groupedNumber(schedule->passCount()) +
                    " passes are in place, and no devices wait for each other";
    report.family = recognise(*schedule, {costs, expand(UniformCosts{}, schedule->spec())});
    report.schedule = std::move(*schedule);
}

std::string jsonOf(const std::string& path, const Report& report)
{
    JsonText json;
    json.beginObject();
    json.member("file", std::string_view(path));
    json.member("good", report.count == 0);
    json.member("problem_count", report.count);
    familyJson(json, report.family, report.schedule ? &*report.schedule : nullptr);
    for (const auto& [key, list] :
         {std::pair("problems", &report.problems), std::pair("notes", &report.notes)}) {
        json.key(key);
        json.beginArray();
        for (const std::string& text : *list)
            json.value(std::string_view(text));
        json.endArray();
    }
    json.endObject();
    return json.text();
}

/// What a command says of what it has found.
Outcome ended(const std::string& path, const Report& report)
{
    if (report.count == 0)
        return ExitCode::Good;
    std::string message = path + ": " + countText(report.count, "problem");
    for (const std::string& problem : report.problems)
        message += "\n  " + problem;
    if (const std::int64_t rest = report.count - static_cast<std::int64_t>(report.problems.size());
        rest > 0)
        message += "\n  and " + groupedNumber(rest) + " more";
    for (const std::string& note : report.notes)
        message += "\n  note: " + note;
    return wrong(message);
}

/// Makes the orders of a family over shapes of a few devices.
Outcome checkFamily(const std::string& path, const Arguments& arguments, Console& console)
{
    PW_TRY(const Family* const family, useFamilyFile(path));
    Report report;
    int made = 0;
    std::vector<std::string> refusals;
    for (const int devices : {1, 2, 3, 4, 6, 8}) {
        for (const int microBatches : {1, 2, 3, 4, 7, 8, 16, 24}) {
            FamilyOptions options;
            options.devices = devices;
            options.microBatches = microBatches;
            const std::string shape = countText(devices, "device") + ", " +
                                      countText(microBatches, "micro-batch", "micro-batches") +
                                      ": ";
            const Result<PipelineSpec> spec = specOf(*family, options);
            if (!spec) {
                refusals.push_back(shape + spec.error().message.english());
                continue;
            }
            const Costs costs = expand(UniformCosts{}, *spec);
            const Result<Schedule> schedule = family->build(*spec, options, costs);
            const Result<SimResult> result =
                schedule ? pw::simulate(*schedule, costs) : fail(schedule.error());
            if (result)
                ++made;
            else
                add(report, shape + result.error().message.english());
        }
    }
    if (made == 0 && report.count == 0)
        add(report, "no shape can be made; " + refusals.front());
    report.passes = std::string(family->title) + ": " +
                    countText(made, "shape makes", "shapes make") +
                    " a complete order without a ring";
    if (!refusals.empty())
        report.notes.push_back(countText(refusals.size(), "shape is", "shapes are") +
                               " refused, the first one: " + refusals.front());
    if (arguments.has("json"))
        console.out << jsonOf(path, report);
    else if (report.count == 0) {
        for (const std::string& note : report.notes)
            console.out << wrapped("note: " + note, console.screen.width, 2, 0);
        console.out << wrapped("good: " + report.passes, console.screen.width, 2, 0);
    }
    return ended(path, report);
}

Outcome runCheck(const Arguments& arguments, Console& console)
{
    const std::string& path = arguments.words()[0];
    if (isFamilyFile(path))
        return checkFamily(path, arguments, console);
    PW_TRY(ScheduleFile file, readScheduleFile(path, arguments));
    Report report;
    report.problems = file.unreadable;
    report.problems.insert(report.problems.end(), file.problems.begin(), file.problems.end());
    report.notes = file.notes;
    report.count = file.problemCount;
    if (report.count == 0)
        checkRun(file.project, report);
    if (file.unreadable.empty())
        checkBlocks(file.project, report);

    if (arguments.has("json"))
        console.out << jsonOf(path, report);
    if (report.count == 0 && !arguments.has("json")) {
        for (const std::string& note : report.notes)
            console.out << "note: " << note << "\n";
        const int width = console.screen.width;
        console.out << wrapped("good: " + report.passes, width, 2, 0)
                    << wrapped("family: " + std::string(describe(report.family)), width, 2, 0);
        constexpr std::size_t mostShown = 12;
        const std::vector<std::string> lines = displacedLines(report.family, *report.schedule);
        for (std::size_t i = 0; i < std::min(lines.size(), mostShown); ++i)
            console.out << "  " << lines[i] << "\n";
        if (lines.size() > mostShown)
            console.out << "  and " << lines.size() - mostShown << " more; --json has them all\n";
    }
    return ended(path, report);
}

std::vector<Option> optionsOfCheck()
{
    std::vector<Option> all = fileOptions();
    all.push_back({.name = "json", .summary = "for programs: one object", .section = "Output"});
    return all;
}

} // namespace

Command check()
{
    Command command;
    command.name = "check";
    command.group = CommandGroup::Files;
    command.summary = "everything that is wrong with a file, and where";
    command.words = "FILE";
    command.about =
        "Reads a project file, a PyTorch CSV, the text notation or a plan of sail-sg and lists "
        "every problem: what cannot be read, passes that are missing, duplicate, misplaced or out "
        "of order, the ring of passes where devices wait for each other, the first pass that "
        "needs more memory than there is, blocks that collide. Of a family in a file it makes the "
        "orders of many shapes. For a file without a problem it "
        "says which family makes its order, or a similar one, and which entries are "
        "elsewhere.\n"
        "Problems go to standard error; exit code 1 if there is one.";
    command.examples = {"pipewright check samples/zb-v.pipewright.json",
                        "pipewright check samples/1f1b.csv --json",
                        "pipewright check samples/families/v-rally.family"};
    command.wordKind = WordKind::File;
    command.minimumWords = 1;
    command.maximumWords = 1;
    command.options = optionsOfCheck;
    command.run = runCheck;
    return command;
}

} // namespace pw::app::commands
