// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/study_files.h"

#include "core/base/try.h"
#include "core/io/chrome_json.h"
#include "core/io/sail_plan.h"
#include "core/io/schedule_text.h"
#include "core/io/svg_figure.h"
#include "core/io/torch_csv.h"
#include "core/model/offload.h"

namespace pw::app {

namespace {

/// Whether the order itself is asked for; with a value `--order` is a family's.
bool wantsOrder(const Arguments& arguments)
{
    return arguments.has("order") && arguments.text("order").empty();
}

/// The text of a study in a format of a simulated timeline.
Result<std::string> timelineOf(const Study& study, FileFormat format, const Arguments& arguments)
{
    const Costs& costs = study.costs.costs;
    PW_TRY(const SimResult result, pw::simulate(study.schedule, costs));
    if (format == FileFormat::ChromeJson)
        return writeChromeJson(study.schedule, costs, result);
    if (format == FileFormat::Table)
        return writeTimelineCsv(study.schedule, result);
    FigureStyle style;
    style.title = arguments.text("title", study.title);
    style.width = arguments.number("width", style.width);
    style.annotations = study.annotations;
    return writeSvgFigure(study.schedule, result, style);
}

} // namespace

Project projectOf(const Study& study, bool order)
{
    Project project;
    project.title = study.title;
    project.notes = study.notes;
    project.annotations = study.annotations;
    project.draft.spec = study.schedule.spec();
    if (study.costs.uniform)
        project.costs = *study.costs.uniform;
    else
        setTables(project, study.costs.costs);
    project.offload = study.costs.costs.offload;
    if (study.family != nullptr && !study.reshaped && !order)
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

std::vector<Option> contentOptions()
{
    constexpr const char* section = "Files";
    return {{.name = "communication",
             .summary = "into a PyTorch CSV or a plan of sail-sg: with sends and receives",
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
}

Result<std::string> studyContent(const Study& study, FileFormat format, const Arguments& arguments)
{
    switch (format) {
    case FileFormat::Project: {
        Project project = projectOf(study, wantsOrder(arguments));
        project.title = arguments.text("title", project.title);
        project.notes = arguments.text("notes", project.notes);
        return writeProject(project);
    }
    case FileFormat::TorchCsv:
        PW_DO(refuseOffload(study.costs.costs, study.schedule.spec(),
                            "PyTorch's CSV has no copies to the host"));
        return writeTorchCsv(study.schedule, arguments.has("communication")
                                                 ? TorchForm::Communicating
                                                 : TorchForm::ComputeOnly);
    case FileFormat::Text:
        PW_DO(refuseOffload(study.costs.costs, study.schedule.spec(),
                            "the text notation has no copies to the host"));
        return writeScheduleText(study.schedule);
    case FileFormat::Sail:
        return writeSailPlan(study.schedule, study.costs.costs,
                             arguments.has("communication") ? SailForm::Communicating
                                                            : SailForm::ComputeOnly);
    case FileFormat::ChromeJson:
    case FileFormat::Table:
    case FileFormat::Svg:
        break;
    }
    return timelineOf(study, format, arguments);
}

} // namespace pw::app
