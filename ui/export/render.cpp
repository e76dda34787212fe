// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/export/render.h"

#include "core/families/family_names.h"
#include "core/io/family_folder.h"
#include "core/io/file_problem.h"
#include "core/io/schedule_file.h"
#include "ui/document/schedule_document.h"

#include <QFileInfo>

namespace pw::ui {

namespace {

/// Whether a word that is not a family names a file: by its look, or because there is one.
bool isFile(const QString& word)
{
    return word.contains(QLatin1Char('.')) || word.contains(QLatin1Char('/')) ||
           QFileInfo::exists(word);
}

Result<Project> projectOfFile(const RenderRequest& request)
{
    if (request.devices > 0 || request.microBatches > 0)
        return fail(ErrorCode::BadValue,
                    "--devices and --micro-batches are for families; the file decides them");
    const std::string path = request.input.toStdString();
    Result<ScheduleFile> file = readScheduleFile(path);
    if (!file)
        return fail(file.error());
    if (file->problemCount > 0)
        return fail(ErrorCode::BadSchedule, problemsText(path, *file));
    return std::move(file->project);
}

Result<Project> projectOfFamily(const Family& family, const RenderRequest& request)
{
    FamilyOptions options;
    if (request.devices > 0)
        options.devices = request.devices;
    options.microBatches = request.microBatches > 0 ? request.microBatches : 2 * options.devices;
    const Result<PipelineSpec> spec = specOf(family, options);
    if (!spec)
        return fail(spec.error().code, "%1: %2", family.id, spec.error().message);
    return projectOf(family.id, options, UniformCosts{});
}

} // namespace

Result<FigureContent> contentOf(const RenderRequest& request)
{
    const std::string input = request.input.toStdString();
    const bool inFile = isFamilyPath(input) && isFile(request.input);
    const Result<const Family*> family = inFile ? addFamilyFile(input) : familyNamed(input);
    if (!family && (inFile || !isFile(request.input)))
        return fail(family.error());
    Result<Project> project = family ? projectOfFamily(**family, request) : projectOfFile(request);
    if (!project)
        return fail(project.error());
    ScheduleDocument document;
    document.reset(std::move(*project), {}, ScheduleDocument::Patience::Full);
    if (!document.schedule())
        return fail(ErrorCode::BadSchedule, document.problem().toStdString());
    return figureOf(document);
}

Result<void> render(const RenderRequest& request)
{
    const Result<FigureContent> content = contentOf(request);
    if (!content)
        return fail(content.error());
    const QString title = content->title;
    const FigureDrawing figure(*content, request.look);
    const Result<QByteArray> file =
        figureFile(figure, *figureFormatOf(request.output), title, request.dpi);
    if (!file)
        return fail(file.error());
    return writeFile(request.output.toStdString(),
                     std::string_view(file->constData(), static_cast<std::size_t>(file->size())));
}

} // namespace pw::ui
