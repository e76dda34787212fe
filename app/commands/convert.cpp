// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/file_options.h"
#include "app/model_options.h"
#include "app/study.h"
#include "app/study_files.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/schedule_file.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <ostream>
#include <utility>

namespace pw::app::commands {

namespace {

/// Files that `export` writes.
bool isDrawnPath(const std::string& path)
{
    const std::string end = std::filesystem::path(path).extension().string();
    const auto known = {".pdf", ".png", ".gif", ".mp4", ".html", ".htm"};
    return std::any_of(known.begin(), known.end(), [&end](const char* one) { return end == one; });
}

Outcome runConvert(const Arguments& arguments, Console& console)
{
    const std::string& target = arguments.words()[1];
    const std::optional<FileFormat> format =
        arguments.has("to") ? formatOfName(arguments.text("to")) : formatOfPath(target);
    if (!format && isDrawnPath(target))
        return usage("a picture or a page is what export makes: pipewright export " +
                     arguments.words()[0] + " " + target);
    if (!format)
        return usage("the name " + quotedWord(target) +
                     " does not tell a format; say it with --to");
    PW_TRY(const Study study, studyOf(arguments.words()[0], arguments));
    PW_TRY(const std::string content, studyContent(study, *format, arguments));
    if (target == "-") {
        console.out << content;
        return ExitCode::Good;
    }
    PW_DO(writeFile(target, content));
    return ExitCode::Good;
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
         .placeholder = "FORMAT",
         .summary = "format of the file that is written (default: by its name)",
         .section = section,
         .choices = writableFormats()}};
    for (const std::vector<Option>& more :
         {contentOptions(), fileOptions(), shapeOptions(), costOptions()})
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
    command.summary = "a schedule from one file format into another";
    command.words = "FILE|FAMILY OUT";
    command.about =
        "The name of a file tells its format: .pipewright.json and .json a project, .csv the CSV "
        "of PyTorch's pipelining runtime, .txt the text notation, .sail.json the nodes of "
        "sail-sg's zero-bubble runtime, .trace.json a trace for Perfetto "
        "and chrome://tracing, .table.csv a plain table of the timeline, .svg a figure. The last "
        "three are written only. OUT may be - for standard output, with --to.\n"
        "In place of a file, a family with its options makes the schedule. --order alone writes "
        "the "
        "order into a project; with a word behind it, it is the option of families that have "
        "one.";
    command.examples = {"pipewright convert samples/1f1b.csv 1f1b.txt",
                        "pipewright convert zb-v zb-v.svg --micro-batches 8",
                        "pipewright convert gpipe - --to text",
                        "pipewright convert zb-v - --to text --order fixed",
                        "pipewright convert samples/zb-v.pipewright.json zb-v.trace.json"};
    command.wordKind = WordKind::FamilyOrFile;
    command.minimumWords = 2;
    command.maximumWords = 2;
    command.options = optionsOfConvert;
    command.run = runConvert;
    return command;
}

} // namespace pw::app::commands
