// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/file_options.h"
#include "app/gantt.h"
#include "app/lesson_class.h"
#include "app/lesson_export.h"
#include "app/lesson_making.h"
#include "app/store_path.h"
#include "app/text_table.h"
#include "app/trace_files.h"
#include "core/base/display_text.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/edit/compose.h"
#include "core/io/file_problem.h"
#include "core/io/listed_file.h"
#include "core/io/own_file.h"
#include "core/io/schedule_text.h"
#include "core/lesson/course.h"
#include "core/lesson/facts.h"
#include "core/lesson/par.h"
#include "core/lesson/play.h"
#include "core/lesson/practice.h"
#include "core/lesson/results.h"
#include "core/sim/simulator.h"
#include "core/system/files.h"

#include <algorithm>
#include <filesystem>
#include <ostream>

namespace pw::app::commands {

namespace {

/// A lesson of the program by its id, or a file.
Result<Lesson> lessonOf(const std::string& word)
{
    for (const ShippedLesson& lesson : shippedLessons()) {
        if (lesson.id == word)
            return readLesson(lesson.text, word);
    }
    if (fileKind(word) != FileKind::Missing)
        return loadLesson(word);
    return shippedLesson(word);
}

/// A text of a lesson: its paragraphs broken into lines, without the marks for bold and code.
std::string paragraphs(std::string_view text, int width, int indent = 0)
{
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string line;
        for (const char c : text.substr(0, end))
            if (c != '*' && c != '`')
                line += c;
        out += line.empty() ? "\n" : wrapped(displayText(line), width, indent);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

Outcome list(const Arguments& arguments, Console& console)
{
    const std::string language = arguments.text("language", "en");
    TextTable table(console.screen, {{"", "", TextTable::Align::Left}, {}});
    int levels = 0;
    for (const ShippedLesson& shipped : shippedLessons()) {
        const auto lesson = readLesson(shipped.text, std::string(shipped.id));
        if (!lesson)
            return wrong(std::string(shipped.id) + ": " + lesson.error().message);
        levels += lesson->levels();
        table.appendNote(console.screen.paint(shipped.id, Role::Accent),
                         displayText(lesson->title.in(language)) + ", " +
                             countText(lesson->levels(), "level") + ": " +
                             displayText(lesson->summary.in(language)));
    }
    console.out << table.text(0) << "\n"
                << shippedLessons().size() << " lessons, " << levels << " levels\n";
    return ExitCode::Good;
}

std::string parText(const LessonLevel& level)
{
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (level.par.time)
        add(level.freedom == Freedom::Block && !level.par.repeated
                ? "interval " + std::to_string(*level.par.time)
                : "time " + timeText(*level.par.time));
    if (level.par.memory)
        add("memory " + plainNumber(microBatchesFromShare(*level.par.memory)) + " mb");
    for (const auto& [time, memory] : level.par.curve)
        add(timeText(time) + " with " + plainNumber(microBatchesFromShare(memory)) + " mb");
    if (level.par.messages)
        add("messages " + std::to_string(*level.par.messages));
    return text;
}

void showPicture(const Project& project, const std::string& caption, Console& console)
{
    const auto schedule = scheduleOf(project);
    if (!schedule)
        return;
    const auto result = simulate(*schedule, costsOf(project));
    if (!result)
        return;
    console.out << "\n" << gantt(*schedule, *result, console.screen);
    if (!caption.empty())
        console.out << wrapped(displayText(caption), console.screen.width, 2);
}

void showLevel(const LessonLevel& level, int number, const std::string& language, bool solution,
               Console& console)
{
    const int width = console.screen.width;
    console.out << "\n"
                << console.screen.bold("Level " + std::to_string(number)) << "\n"
                << paragraphs(level.task.in(language), width, 2);
    for (const LessonGoal& goal : level.goals)
        console.out << "  goal: " << displayText(goalText(goal)) << "\n";
    console.out << "  par: " << parText(level) << "\n";
    if (!solution)
        return;
    console.out << wrapped("hint: " + displayText(level.hints.say.in(language)), width, 2)
                << wrapped("hint: " + displayText(level.hints.show.in(language)), width, 2);
    for (const LessonAct& act : level.demonstration)
        console.out << wrapped("- " + displayText(actText(act)), width, 4, 2);
    if (const auto played = play(level, level.start))
        showPicture(*played, {}, console);
}

Outcome show(const Arguments& arguments, Console& console)
{
    if (arguments.words().size() < 2)
        return usage("lesson show takes a lesson: an id as `pipewright lesson list` has it, or a "
                     "file");
    const std::string language = arguments.text("language", "en");
    for (std::size_t w = 1; w < arguments.words().size(); ++w) {
        PW_TRY(const auto lesson, lessonOf(arguments.words()[w]));
        const int width = console.screen.width;
        console.out << console.screen.bold(displayText(lesson.title.in(language))) << "\n"
                    << wrapped(displayText(lesson.summary.in(language)), width);
        int number = 0;
        for (const LessonStep& step : lesson.steps) {
            console.out << "\n"
                        << console.screen.bold(displayText(step.title.in(language))) << "\n"
                        << paragraphs(step.text.in(language), width);
            for (const LessonPicture& picture : step.pictures)
                showPicture(picture.project, picture.caption.in(language), console);
            for (const LessonQuestion& question : step.questions) {
                console.out << "\n"
                            << wrapped("? " + displayText(question.ask.in(language)), width, 2);
                for (const LessonText& answer : question.answers)
                    console.out << wrapped("- " + displayText(answer.in(language)), width, 4);
                if (arguments.has("solutions"))
                    console.out << wrapped("= " + displayText(question.why.in(language)), width, 2);
            }
            if (step.level)
                showLevel(*step.level, ++number, language, arguments.has("solutions"), console);
        }
        if (!lesson.source.empty())
            console.out << "\n" << wrapped(displayText(lesson.source), width);
    }
    return ExitCode::Good;
}

/// The orders that a proof has found.
void showBest(const LessonLevel& level, const ParProof& proof, Console& console)
{
    for (const auto& [what, orders] :
         {std::pair{"least time", proof.fastest}, {"least memory", proof.leanest}}) {
        if (orders.empty())
            continue;
        console.out << "  " << what << "\n";
        for (const std::string& line : writeOrders({level.start.draft.spec, orders}))
            console.out << "    " << line << "\n";
    }
    if (!proof.block)
        return;
    console.out << "  best block\n";
    const ChunkTable chunks(specOf(*proof.block));
    for (const DeviceId device : Ids<DeviceId>(proof.block->devices)) {
        console.out << "   ";
        for (const BlockPass& placed : proof.block->passes) {
            if (proof.block->device(placed.pass) == device)
                console.out << " " << passText(placed.pass, device, chunks) << "@" << placed.start
                            << (placed.duration == 1 ? "" : "+" + std::to_string(placed.duration));
        }
        console.out << "\n";
    }
}

/// Checks a lesson; the number of its problems.
int checkOne(const std::string& name, const Lesson& lesson, std::int64_t nodes, bool best,
             Console& console)
{
    int found = 0;
    const bool shipped = fileKind(name) == FileKind::Missing;
    const std::string folder = std::filesystem::path(name).parent_path().string();
    for (const std::string& problem : checkWay(lesson, shipped          ? std::string()
                                                       : folder.empty() ? "."
                                                                        : folder)) {
        console.out << displayText(name) << ": " << displayText(problem) << "\n";
        ++found;
    }
    for (const std::string& problem : checkPictures(lesson)) {
        console.out << displayText(name) << ", " << displayText(problem) << "\n";
        ++found;
    }
    for (const std::string& problem : checkNumbers(lesson)) {
        console.out << displayText(name) << ", " << displayText(problem) << "\n";
        ++found;
    }
    for (int i = 0; i < lesson.levels(); ++i) {
        const LevelCheck check = checkLevel(lesson.level(i), nodes);
        const std::string label = displayText(name) + ", level " + std::to_string(i + 1) + ": ";
        for (const std::string& problem : check.problems) {
            console.out << label << displayText(problem) << "\n";
            ++found;
        }
        if (check.problems.empty())
            console.out << label << "par " << parText(lesson.level(i)) << " proven, "
                        << groupedNumber(check.proof.nodes) << " looked at; the demonstration wins "
                        << countText(check.medals, "medal") << "\n";
        if (best)
            showBest(lesson.level(i), check.proof, console);
        console.out.flush();
    }
    return found;
}

Outcome check(const Arguments& arguments, Console& console)
{
    std::vector<std::string> names(arguments.words().begin() + 1, arguments.words().end());
    if (names.empty())
        for (const ShippedLesson& lesson : shippedLessons())
            names.emplace_back(lesson.id);
    const auto nodes = static_cast<std::int64_t>(
        arguments.number("search-nodes", static_cast<double>(usualParNodes)));
    int problems = 0;
    for (const std::string& name : names) {
        PW_TRY(const auto lesson, lessonOf(name));
        problems += checkOne(name, lesson, nodes, arguments.has("best"), console);
    }
    if (problems > 0)
        return wrong(countText(problems, "problem"));
    return ExitCode::Good;
}

std::string medalText(const LevelResult& level)
{
    std::string text;
    for (const auto& [won, word] :
         {std::pair{level.time, "time"}, {level.memory, "memory"}, {level.messages, "messages"}})
        if (won)
            text += (text.empty() ? "" : " ") + std::string(word);
    return text.empty() ? "-" : text;
}

Outcome results(const Arguments& arguments, Console& console)
{
    if (arguments.words().size() != 2)
        return usage("lesson results takes one folder with results files");
    const std::string& folder = arguments.words()[1];
    std::error_code error;
    std::vector<std::filesystem::path> files;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().extension() == ".json")
            files.push_back(entry->path());
    if (error)
        return wrong(folder + ": " + systemSentence(sys::reasonOf(error)).english());
    std::sort(files.begin(), files.end());
    const std::string format = arguments.text("to", arguments.has("class") ? "text" : "");
    std::vector<LessonResults> everybody;
    using Align = TextTable::Align;
    TextTable table(console.screen, {{"who", "", Align::Left},
                                     {"lesson", "", Align::Left},
                                     {"level"},
                                     {"solved", "", Align::Left},
                                     {"medals", "", Align::Left},
                                     {"tries"},
                                     {"hints"},
                                     {"trick", "", Align::Left}});
    int broken = 0, found = 0;
    for (const auto& file : files) {
        if (fileKind(file.string()) == FileKind::Folder)
            continue;
        const auto text = readListedFile(file.string(), maxResultsBytes);
        // The lesson that was sent out may lie beside what came back.
        if (text && ownFileOf(*text) == OwnFile::Lesson)
            continue;
        ++found;
        const auto read = text ? readResults(*text) : Result<LessonResults>(fail(text.error()));
        if (!read) {
            const bool named =
                read.error().message.english().find(file.string()) != std::string::npos;
            console.err << displayText((named ? "" : file.string() + ": ") + read.error().message)
                        << "\n";
            ++broken;
            continue;
        }
        const std::string who = read->who.empty() ? file.stem().string() : read->who;
        everybody.push_back(*read);
        everybody.back().who = who;
        for (const LevelResult& level : read->levels)
            table.append({displayText(who), displayText(level.lesson),
                          std::to_string(level.level + 1), level.solved ? "yes" : "no",
                          medalText(level), std::to_string(level.tries),
                          std::to_string(level.hints), displayText(level.trick)});
    }
    if (found == 0)
        return wrong(folder + " has no results file (*.json)");
    if (format.empty()) {
        console.out << table.text(0);
    } else {
        const ClassMap map = classMapOf(everybody);
        const std::string text = format == "csv"    ? classCsv(map)
                                 : format == "html" ? classHtml(map)
                                                    : classText(map, console.screen);
        if (const std::string target = arguments.text("output", "-"); target != "-")
            PW_DO(writeFile(target, text));
        else
            console.out << text;
    }
    if (broken > 0)
        return wrong(countText(broken, "file") + " cannot be read");
    return ExitCode::Good;
}

Outcome make(const Arguments& arguments, Console& console)
{
    if (arguments.has("seed")) {
        PW_TRY(const auto text,
               practiceLesson(static_cast<std::uint64_t>(arguments.number("seed", 0))));
        console.out << text;
        return ExitCode::Good;
    }
    const std::vector<std::string> names(arguments.words().begin() + 1, arguments.words().end());
    if (names.empty())
        return usage("lesson make takes a file of a schedule, a run, or a trace; or --seed N");
    PW_TRY(const auto text, lessonOfWords(names, arguments, console));
    console.out << text;
    return ExitCode::Good;
}

Outcome runLesson(const Arguments& arguments, Console& console)
{
    const std::string& verb = arguments.words()[0];
    if (verb == "list" && arguments.words().size() > 1)
        return usage("lesson list takes no more words, and " + quotedWord(arguments.words()[1]) +
                     " is one too many; lesson show takes lessons");
    if (verb == "list")
        return list(arguments, console);
    if (verb == "show")
        return show(arguments, console);
    if (verb == "check")
        return check(arguments, console);
    if (verb == "results")
        return results(arguments, console);
    if (verb == "make")
        return make(arguments, console);
    if (verb == "export")
        return exportLessons(arguments, console);
    return usage("lesson takes list, show, check, make, results or export, not " +
                 quotedWord(verb));
}

std::vector<Option> optionsOfLesson()
{
    std::vector<Option> all = {
        {.name = "solutions", .summary = "show: hints, demonstrations and answers too"},
        {.name = "best", .summary = "check: print the orders and blocks that reach the par"},
        {.name = "language",
         .kind = ValueKind::Text,
         .placeholder = "CODE",
         .summary = "of lessons that have several (default: en; export: all)"},
        {.name = "course", .summary = "export: all lessons of the program"},
        {.name = "to",
         .kind = ValueKind::Text,
         .placeholder = "FORMAT",
         .summary = "export: html, the only format: a page for any browser; results: where the "
                    "class is stuck, as text, csv or html",
         .choices = {"html", "text", "csv"}},
        {.name = "class",
         .summary = "results: levels by persons, instead of a line for each of both"},
        {.name = "output",
         .kind = ValueKind::Text,
         .placeholder = "FILE",
         .summary = "export, results: file that is written (default: standard output)"},
        {.name = "search-nodes",
         .kind = ValueKind::Whole,
         .placeholder = "N",
         .summary = "check: the most choices that one search looks at (default: 20000000)",
         .minimum = 1,
         .maximum = 1e12,
         .formerly = {{"nodes"}}},
        {.name = "seed",
         .kind = ValueKind::Whole,
         .placeholder = "N",
         .summary = "make: practice with random times; the same seed makes the same level",
         .minimum = 0,
         .maximum = 1e15}};
    all.push_back({.name = "micro-batches",
                   .kind = ValueKind::Whole,
                   .placeholder = "M",
                   .summary = "make: only the first M (default: as many as a par is proven for)",
                   .minimum = 1,
                   .maximum = 1e6});
    for (const std::vector<Option>& more : {fileOptions(), traceOptions()})
        all.insert(all.end(), more.begin(), more.end());
    all.push_back(storeOption());
    return all;
}

} // namespace

Command lesson()
{
    Command command;
    command.name = "lesson";
    command.group = CommandGroup::Learn;
    command.summary = "lessons: list, show, check, make, results of a class, a page to take them";
    command.words = "list|show|check|make|results|export [LESSON|FILE|RUN|TRACE|FOLDER…]";
    command.about =
        "list names the lessons of this program. show prints lessons as text, with pictures of "
        "their schedules.\n"
        "check plays the demonstration of every level and proves its par by searching all that a "
        "person may do in it: all orders of its passes, all its choices, or all places of its "
        "block. Without a name it checks all lessons of the program; it fails if a level cannot "
        "be solved, or if its par is another or not proven.\n"
        "make writes a lesson with one level to standard output: from a schedule file, a run (a "
        "number, or last) or the files of a trace, whose times are locked and whose order is to "
        "be beaten; or with random times by --seed. For a run or a trace the times are the usual "
        "ones of each stage. If a par cannot be proven for all micro-batches, the level has "
        "fewer, and says so.\n"
        "results reads a folder of results files, one per person, and prints who has solved "
        "what; with --class where the class is stuck: levels by persons, the median of tries, the "
        "commonest wrong answer of each question. --to csv and --to html write the same.\n"
        "export writes lessons as one web page on which they are taken in any browser, without a "
        "network; --course takes all of the program. It needs the page that the preset web "
        "builds.\n"
        "LESSON is an id as list shows it, or a lesson file.";
    command.examples = {"pipewright lesson list", "pipewright lesson show 02-gpipe --solutions",
                        "pipewright lesson check 02-gpipe", "pipewright lesson make --seed 7"};
    command.wordKind = WordKind::LessonOrFile;
    command.minimumWords = 1;
    command.maximumWords = 1000;
    command.options = optionsOfLesson;
    command.run = runLesson;
    return command;
}

} // namespace pw::app::commands
