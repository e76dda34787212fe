// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/file_options.h"
#include "app/model_options.h"
#include "app/study.h"
#include "core/io/chrome_json.h"
#include "core/io/file_problem.h"
#include "core/io/schedule_text.h"
#include "core/io/svg_figure.h"
#include "core/io/torch_csv.h"

#include <ostream>

namespace pw::app::commands {

namespace {

/// A study as a project: the family that makes it where one does, else the order.
Project projectOf(const Study& study, const Arguments& arguments)
{
    Project project;
    project.title = arguments.text("title", study.title);
    project.notes = arguments.text("notes", study.notes);
    project.draft.spec = study.schedule.spec();
    if (study.costs.uniform)
        project.costs = *study.costs.uniform;
    else
        project.costs = study.costs.costs;
    if (study.family != nullptr && !study.reshaped && !arguments.has("order"))
        project.family = FamilyChoice{std::string(study.family->id), study.options};
    else
        project.draft = draftOf(study.schedule);
    // A project that was read holds its blocks already.
    const bool made = study.blocks.empty() && study.family != nullptr;
    if (made && study.family->block != nullptr) {
        if (const Result<BuildingBlock> block = study.family->block(study.options))
            project.blocks.push_back(*block);
    }
    project.blocks.insert(project.blocks.end(), study.blocks.begin(), study.blocks.end());
    return project;
}

/// The text of a study in a format of a simulated timeline.
Result<std::string> timelineOf(const Study& study, FileFormat format, const Arguments& arguments)
{
    const Costs& costs = study.costs.costs;
    const Result<SimResult> result = pw::simulate(study.schedule, costs);
    if (!result)
        return fail(result.error());
    if (format == FileFormat::ChromeJson)
        return writeChromeJson(study.schedule, costs, *result);
    if (format == FileFormat::Table)
        return writeTimelineCsv(study.schedule, *result);
    FigureStyle style;
    style.title = arguments.text("title", study.title);
    style.width = arguments.number("width", style.width);
    return writeSvgFigure(study.schedule, *result, style);
}

Result<std::string> contentOf(const Study& study, FileFormat format, const Arguments& arguments)
{
    switch (format) {
    case FileFormat::Project:
        return writeProject(projectOf(study, arguments));
    case FileFormat::TorchCsv:
        return writeTorchCsv(study.schedule, arguments.has("communication")
                                                 ? TorchForm::Communicating
                                                 : TorchForm::ComputeOnly);
    case FileFormat::Text:
        return writeScheduleText(study.schedule);
    case FileFormat::ChromeJson:
    case FileFormat::Table:
    case FileFormat::Svg:
        break;
    }
    return timelineOf(study, format, arguments);
}

Outcome run(const Arguments& arguments, Console& console)
{
    const std::string& target = arguments.words()[1];
    const std::optional<FileFormat> format =
        arguments.has("to") ? formatOfName(arguments.text("to")) : formatOfPath(target);
    if (!format)
        return usage("the name " + quotedWord(target) +
                     " does not tell a format; say it with --to");
    const tl::expected<Study, Failure> study = studyOf(arguments.words()[0], arguments);
    if (!study)
        return tl::unexpected<Failure>(study.error());
    const Result<std::string> content = contentOf(*study, *format, arguments);
    if (!content)
        return wrong(content.error());
    if (target == "-") {
        console.out << *content;
        return ExitCode::Good;
    }
    if (const Result<void> written = writeFile(target, *content); !written)
        return wrong(written.error());
    return ExitCode::Good;
}

std::vector<Option> options()
{
    constexpr const char* section = "Files";
    std::vector<Option> all = {
        {.name = "to",
         .kind = ValueKind::Text,
         .placeholder = "FORMAT",
         .summary = "format of the file that is written (default: by its name)",
         .section = section,
         .choices = writableFormats()},
        {.name = "communication",
         .summary = "into a PyTorch CSV: with sends and receives",
         .section = section},
        {.name = "order",
         .summary = "into a project: the order itself, not the family that makes it",
         .section = section},
        {.name = "title",
         .kind = ValueKind::Text,
         .placeholder = "TEXT",
         .summary = "title of a project or a figure",
         .section = section},
        {.name = "notes",
         .kind = ValueKind::Text,
         .placeholder = "TEXT",
         .summary = "notes of a project",
         .section = section},
        {.name = "width",
         .kind = ValueKind::Number,
         .placeholder = "PIXELS",
         .summary = "of a figure (default 1200)",
         .section = section,
         .minimum = 200,
         .maximum = 20000}};
    for (const std::vector<Option>& more : {fileOptions(), shapeOptions(), costOptions()})
        all.insert(all.end(), more.begin(), more.end());
    appendModelFields(all);
    return all;
}

} // namespace

Command convert()
{
    Command command;
    command.name = "convert";
    command.summary = "a schedule from one file format into another";
    command.words = "FILE|FAMILY OUT";
    command.about =
        "The name of a file tells its format: .pipewright.json and .json a project, .csv the CSV "
        "of PyTorch's pipelining runtime, .txt the text notation, .trace.json a trace for Perfetto "
        "and chrome://tracing, .table.csv a plain table of the timeline, .svg a figure. The last "
        "three are written only. OUT may be - for standard output, with --to.\n"
        "In place of a file, a family with its options makes the schedule.";
    command.examples = {"pipewright convert samples/1f1b.csv 1f1b.txt",
                        "pipewright convert zb-v zb-v.svg --micro-batches 8",
                        "pipewright convert gpipe - --to text",
                        "pipewright convert samples/zb-v.pipewright.json zb-v.trace.json"};
    command.wordKind = WordKind::FamilyOrFile;
    command.minimumWords = 2;
    command.maximumWords = 2;
    command.options = options;
    command.run = run;
    return command;
}

} // namespace pw::app::commands
