// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/predicted_files.h"

#include "app/engine_files.h"
#include "core/base/display_text.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/schedule_file.h"
#include "core/io/schedule_text.h"
#include "core/io/torch_csv.h"
#include "core/model/offload.h"

#include <ostream>
#include <sstream>

namespace pw::app {

namespace {

Result<std::string> savedContent(const PredictedOrder& order, FileFormat format)
{
    const Prediction& made = order.prediction;
    if (format != FileFormat::Project)
        PW_DO(refuseOffload(made.costs, made.schedule.spec(),
                            "of the files that --save writes a .pipewright.json alone has words "
                            "for copies to the host"));
    if (format == FileFormat::TorchCsv)
        return writeTorchCsv(made.schedule, TorchForm::ComputeOnly);
    if (format == FileFormat::Text)
        return writeScheduleText(made.schedule);
    Project project;
    project.title = order.title;
    project.notes = order.notes;
    project.draft = draftOf(made.schedule);
    setTables(project, made.costs);
    project.offload = made.costs.offload;
    return writeProject(project);
}

std::optional<FileFormat> savedFormat(const Arguments& arguments)
{
    const std::optional<FileFormat> format = formatOfPath(arguments.text("save"));
    const bool known = format && (*format == FileFormat::Project ||
                                  *format == FileFormat::TorchCsv || *format == FileFormat::Text);
    return known ? format : std::nullopt;
}

} // namespace

std::vector<Option> predictedFileOptions()
{
    constexpr const char* section = "Files";
    return {{.name = "save",
             .kind = ValueKind::Text,
             .placeholder = "FILE",
             .summary = "writes the predicted order: .pipewright.json, .csv or .txt",
             .section = section},
            {.name = "emit",
             .kind = ValueKind::Text,
             .placeholder = "ENGINE",
             .summary = "with --output: writes the predicted order and split for torch, "
                        "torchtitan, nemo, megatron, primus, galvatron or slurm, as convert does",
             .section = section},
            {.name = "output",
             .kind = ValueKind::Text,
             .placeholder = "FOLDER",
             .summary = "folder of --emit, made if it is not there",
             .section = section,
             .formerly = {{"to"}}}};
}

tl::expected<bool, Failure> asksForFiles(const Arguments& arguments)
{
    if (arguments.has("emit") != arguments.has("output"))
        return usage(arguments.has("emit") ? "--emit writes a folder: say which with --output"
                                           : "--output needs --emit");
    if (arguments.has("emit"))
        PW_DO(checkEngine(arguments.text("emit")));
    if (arguments.has("save") && !savedFormat(arguments))
        return usage("the name " + quotedWord(arguments.text("save")) +
                     " does not tell a format: let it end in .pipewright.json, .csv or .txt");
    return arguments.has("emit") || arguments.has("save");
}

tl::expected<void, Failure> writePredicted(const PredictedOrder& order, const Arguments& arguments,
                                           Console& console)
{
    const Prediction& made = order.prediction;
    std::ostringstream unseen; // an object for programs stays alone
    std::ostream& told = arguments.has("json") ? unseen : console.out;
    if (arguments.has("save")) {
        PW_TRY(const std::string content, savedContent(order, *savedFormat(arguments)));
        PW_DO(writeFile(arguments.text("save"), content));
        told << "written to " << displayText(arguments.text("save")) << "\n";
    }
    if (!arguments.has("emit"))
        return {};
    StudyCosts costs;
    costs.costs = made.costs;
    const Study study{order.title, nullptr, {}, std::move(costs), made.schedule, {}, {}, {}, false};
    const std::vector<int> one(static_cast<std::size_t>(made.schedule.spec().stages()), 1);
    PW_TRY(LayerSplit split, givenSplit(order.split.empty() ? one : order.split));
    PW_TRY(std::vector<EmittedFile> files,
           engineFiles(arguments.text("emit"), study, std::move(split), arguments));
    files.push_back({"ADVICE.md", order.notes, false});
    const std::string folder = arguments.text("output");
    PW_DO(writeFolder(folder, files));
    for (const EmittedFile& file : files)
        told << displayText(folder) << "/" << file.path << "\n";
    if (order.split.empty())
        told << "how many layers a stage has is not known: the files have one a stage; "
                "--measured-layers says it\n";
    return {};
}

} // namespace pw::app
