// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/drawn_files.h"
#include "app/engine_files.h"
#include "app/file_options.h"
#include "app/model_options.h"
#include "app/run_files.h"
#include "app/study.h"
#include "app/study_files.h"
#include "core/base/try.h"
#include "core/io/schedule_file.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <ostream>
#include <utility>

namespace pw::app::commands {

namespace {

/// What --to takes: the formats of files, then what else a schedule or a run becomes.
std::vector<std::string> allTargets()
{
    std::vector<std::string> all = writableFormats();
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{"html"}, drawnTargets(), engineTargets(), runTargets()})
        for (const std::string& one : more)
            if (std::find(all.begin(), all.end(), one) == all.end())
                all.push_back(one);
    return all;
}

/// The name of --to, else what the end of the file's name says; empty where neither does.
std::string targetOf(const Arguments& arguments)
{
    if (arguments.has("to"))
        return arguments.text("to");
    const std::string out = outOf(arguments);
    const std::string end = std::filesystem::path(out).extension().string();
    if (end == ".html" || end == ".htm")
        return "html";
    if (!end.empty() && isDrawn(end.substr(1)))
        return end.substr(1);
    const std::optional<FileFormat> format = formatOfPath(out);
    return format ? std::string(name(*format)) : std::string();
}

/// What would be ignored: options of runs, and those of one target beside another.
tl::expected<void, Failure> refuseOthers(const std::string& target, const Arguments& arguments)
{
    for (const Option& option : runFileOptions())
        if (arguments.has(option.name))
            return usage("--" + option.name + " is for runs, and " + arguments.words()[0] +
                         " is none" +
                         (option.name == "page" ? "; of a trace, `pipewright advise TRACE --html "
                                                  "FILE` and `pipewright import TRACE --html FILE` "
                                                  "write the pages"
                                                : ""));
    for (const Option& option : engineTargetOptions())
        if (arguments.has(option.name) && !isEngine(target))
            return usage("--" + option.name + " is for an engine; say which with --to");
    if (arguments.has("interactive") && target != "html")
        return usage("--interactive is for web pages, --to html");
    if (target == "otf2")
        return usage("--to otf2 is for runs, and " + arguments.words()[0] + " is none");
    return {};
}

/// What to type for a lesson, which is no schedule.
tl::unexpected<Failure> lessonTargets(const std::string& word)
{
    return usage("a lesson becomes a handout: pipewright convert " + word + " " +
                 std::filesystem::path(word).stem().string() +
                 ".pdf; as a page to take it on: pipewright lesson export " + word + " --to html");
}

/// A schedule as one of the formats of files.
Outcome convertToFile(FileFormat format, const Arguments& arguments, Console& console)
{
    const std::string& word = arguments.words()[0];
    if (format == FileFormat::Project && isStrategy(word)) {
        PW_TRY(const std::string text, strategyProject(word));
        return putFile(text, arguments, console);
    }
    PW_TRY(const Study study, studyOf(word, arguments));
    PW_TRY(const std::string content, studyContent(study, format, arguments));
    return putFile(content, arguments, console);
}

Outcome runConvert(const Arguments& arguments, Console& console)
{
    const std::string& word = arguments.words()[0];
    if (isRun(word))
        return convertRun(arguments, console);
    const std::string target = targetOf(arguments);
    const bool lesson = isLesson(word);
    if (lesson && !isDrawn(target))
        return lessonTargets(word);
    if (target.empty() && arguments.words().size() > 1)
        return usage("the name " + quotedWord(outOf(arguments)) +
                     " does not tell a format; say it with --to");
    if (target.empty())
        return usage("say what it becomes: as --to, or as the end of OUT, a second word");
    PW_DO(refuseOthers(target, arguments));
    if (isDrawn(target))
        return convertToDrawing(target, arguments);
    if (target == "html")
        return convertToPage(arguments, console);
    if (isEngine(target))
        return convertToEngine(target, arguments, console);
    return convertToFile(*formatOfName(target), arguments, console);
}

/// A flag of this command with the name of a family's choice is one option with it: without a value
/// it is the flag.
void joinTwins(std::vector<Option>& all)
{
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto twin =
            std::find_if(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end(),
                         [&](const Option& other) { return other.name == all[i].name; });
        if (all[i].kind != ValueKind::Flag || twin == all.end() || twin->choices.empty())
            continue;
        twin->summary = all[i].summary + "; with a word: " + twin->summary;
        twin->section = all[i].section;
        twin->optional = true;
        all[i] = std::move(*twin);
        all.erase(twin);
    }
}

std::vector<Option> optionsOfConvert()
{
    constexpr const char* section = "Files";
    std::vector<Option> all = {
        {.name = "to",
         .kind = ValueKind::Text,
         .placeholder = "TARGET",
         .summary = "what it becomes (default: by the end of OUT): project, torch-csv, text, sail, "
                    "chrome-json, table or svg, a file; html, a web page that plays; pdf, png, gif "
                    "or mp4, drawn; torch, torchtitan, nemo, megatron, primus, galvatron or slurm, "
                    "for that engine; a run also otf2, an archive for Vampir in a new folder",
         .section = section,
         .choices = allTargets()},
        {.name = "interactive",
         .summary = "as html: a page on which the schedule can be changed and compared; of a run "
                    "its plan, beside what was measured",
         .section = section}};
    for (const std::vector<Option>& more : {contentOptions(), fileOptions(), runFileOptions(),
                                            engineTargetOptions(), shapeOptions(), costOptions()})
        all.insert(all.end(), more.begin(), more.end());
    appendModelFields(all);
    joinTwins(all);
    return all;
}

} // namespace

Command convert()
{
    Command command;
    command.name = "convert";
    command.group = CommandGroup::Files;
    command.summary = "a schedule or a run into another form: a file, a picture, an engine's own";
    command.words = "FILE|FAMILY|RUN|LESSON [OUT]";
    command.about =
        "The end of OUT says what is written, or --to; without OUT, or with -, it goes to standard "
        "output. .pipewright.json and .json are a project, .csv the CSV "
        "of PyTorch's pipelining runtime, .txt the text notation, .sail.json the nodes of "
        "sail-sg's zero-bubble runtime, .trace.json a trace for Perfetto "
        "and chrome://tracing, .table.csv a plain table of the timeline, .svg a figure, .html a "
        "web page with everything in it: the timeline to move, zoom, hover and play, memory and "
        "idle time, notes. With --interactive the page has the simulator in it: passes can be "
        "dragged, times changed, families compared. It needs the page that the preset web "
        "builds. .pdf and .png are figures, .gif and .mp4 animations; a lesson, such as 05-1f1b, "
        "becomes a handout (.pdf). The program pipewright-studio draws these, beside this one or "
        "on the path; it needs no display. An MP4 also needs ffmpeg.\n"
        "In place of a file, a family with its options makes the schedule. --order alone writes "
        "the "
        "order into a project; with a word behind it, it is the option of families that have "
        "one.\n"
        "A run, by its number or as last, becomes Chrome trace events of its passes, messages and "
        "memory, a table of its passes (.csv), a picture of every stream and thread of an imported "
        "trace (.svg), a page of one iteration, measured and predicted, or with --to otf2 an "
        "archive in a new folder. Times are those measured.\n"
        "For an engine OUT is a folder; without it only the text comes, on standard output. torch: "
        "a folder that runs by itself if PyTorch 2.6 or newer is installed: the schedule "
        "file, a driver, a README and the torchrun line. torchtitan: a function for its "
        "configurations, nemo: the lines of its own, and the schedule file; the name "
        "that goes with a schedule file decides the placement there. megatron: layout and flags; "
        "if Megatron cannot be told the "
        "drawn order, how many passes are elsewhere. primus: its table, and in a folder a class "
        "that takes the place of one of its algorithms. galvatron: its strategy file, which "
        "becomes a project the other way. slurm: a job script. What a target cannot hold is "
        "refused with the reason.";
    command.examples = {"pipewright convert zb-v zb-v.svg --micro-batches 8",
                        "pipewright convert zb-v zb-v.torch --to torch --micro-batches 8",
                        "pipewright convert interleaved-1f1b --to megatron --devices 4 "
                        "--micro-batches 8 --chunks 2 --layers 16",
                        "pipewright convert last run.trace.json",
                        "pipewright convert samples/1f1b.csv 1f1b.txt",
                        "pipewright convert samples/05-zb-v.pipewright.json zb-v.html",
                        "pipewright convert samples/zb-v.pipewright.json zb-v.trace.json",
                        "pipewright convert gpipe --to text",
                        "pipewright convert zb-v --to text --order fixed",
                        "pipewright convert zb-v --to torchtitan --devices 4 --micro-batches 8 "
                        "--layers 16",
                        "pipewright convert 1f1b --to slurm --devices 4 --micro-batches 8",
                        "pipewright convert 1 --to table --iteration 0",
                        "pipewright convert last lanes.svg",
                        "pipewright convert last job --to otf2"};
    command.wordKind = WordKind::FamilyOrFile;
    command.minimumWords = 1;
    command.maximumWords = 2;
    command.options = optionsOfConvert;
    command.run = runConvert;
    return command;
}

} // namespace pw::app::commands
