// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/schedule_file.h"

#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/schedule_text.h"

#include <algorithm>
#include <array>

namespace pw {

namespace {

struct FormatName
{
    FileFormat format;
    std::string_view name;
    bool readable;
};

constexpr std::array<FormatName, 6> formatNames = {{{FileFormat::Project, "project", true},
                                                    {FileFormat::TorchCsv, "torch-csv", true},
                                                    {FileFormat::Text, "text", true},
                                                    {FileFormat::ChromeJson, "chrome-json", false},
                                                    {FileFormat::Table, "table", false},
                                                    {FileFormat::Svg, "svg", false}}};

struct Ending
{
    std::string_view ending;
    FileFormat format;
};

// Longer endings first.
constexpr std::array<Ending, 7> endings = {{{".table.csv", FileFormat::Table},
                                            {".trace.json", FileFormat::ChromeJson},
                                            {".pipewright.json", FileFormat::Project},
                                            {".json", FileFormat::Project},
                                            {".csv", FileFormat::TorchCsv},
                                            {".txt", FileFormat::Text},
                                            {".svg", FileFormat::Svg}}};

std::vector<std::string> formatList(bool readableOnly)
{
    std::vector<std::string> names;
    for (const FormatName& format : formatNames) {
        if (format.readable || !readableOnly)
            names.emplace_back(format.name);
    }
    return names;
}

/// Format by the first character: JSON begins with a brace, PyTorch's CSV with a stage number or a
/// pair.
FileFormat formatOfContent(std::string_view content)
{
    const std::size_t first = content.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first != std::string_view::npos && content[first] == '{')
        return FileFormat::Project;
    const std::size_t end = std::min(content.find('\n'), content.size());
    const std::string_view line = content.substr(0, end);
    return line.find(',') != std::string_view::npos && line.find(':') == std::string_view::npos
               ? FileFormat::TorchCsv
               : FileFormat::Text;
}

void append(const FileProblems& from, std::string_view lineName, std::string_view columnName,
            std::vector<std::string>& to)
{
    for (const FileProblem& problem : from.list)
        to.push_back(describe(problem, lineName, columnName));
}

/// The problems of a draft, at the places of its entries in the file where they are known.
void checkDraft(ScheduleFile& file, const std::vector<std::vector<FilePlace>>& places,
                std::string_view lineName, std::string_view columnName)
{
    const Result<Problems> found = problems(file.project.draft);
    if (!found) {
        file.problems.push_back(found.error().message);
        ++file.problemCount;
        return;
    }
    for (const Problem& problem : found->list) {
        const auto device = static_cast<std::size_t>(problem.device);
        const auto position = static_cast<std::size_t>(problem.position);
        if (problem.position >= 0 && device < places.size() && position < places[device].size())
            file.problems.push_back(
                describe({places[device][position], problem.text, ""}, lineName, columnName));
        else
            file.problems.push_back(placed(problem));
    }
    file.problemCount += found->count;
}

void readTorch(std::string_view content, std::optional<TorchDialect> dialect, ScheduleFile& file)
{
    TorchCsv csv = parseTorchCsv(content, dialect);
    append(csv.problems, "row", "column", file.unreadable);
    append(csv.notes, "row", "column", file.notes);
    file.problemCount = csv.problems.count;
    file.olderDialect = csv.olderDialect && !dialect;
    if (!csv.problems.none())
        return;
    file.project.draft = std::move(csv.draft);
    checkDraft(file, csv.places, "row", "column");
}

void readText(std::string_view content, ScheduleFile& file)
{
    ScheduleText text = parseScheduleText(content);
    append(text.problems, "line", "column", file.unreadable);
    file.problemCount = text.problems.count;
    if (!text.problems.none())
        return;
    file.project.draft = std::move(text.draft);
    checkDraft(file, text.places, "line", "column");
}

/// Whether a JSON text has the mark of a costs file and none of a project.
bool looksLikeCosts(std::string_view content)
{
    const auto has = [content](std::string_view field) {
        return content.find(field) != std::string_view::npos;
    };
    return has("\"pipewright_costs\"") && !has("\"pipewright\"");
}

void readProjectText(std::string_view content, ScheduleFile& file)
{
    if (looksLikeCosts(content)) {
        file.isCosts = true;
        file.unreadable.emplace_back("it says what passes take and holds no schedule; --costs "
                                     "reads it, beside a family or a file with a schedule");
        file.problemCount = 1;
        return;
    }
    Result<Project> project = readProject(content);
    if (!project) {
        file.unreadable.push_back(project.error().message);
        file.problemCount = 1;
        return;
    }
    file.project = std::move(*project);
    file.hasCosts = true;
    if (!file.project.family)
        checkDraft(file, {}, "line", "column");
}

std::int64_t longest(FileFormat format)
{
    switch (format) {
    case FileFormat::Project:
        return maxProjectBytes;
    case FileFormat::TorchCsv:
        return maxTorchCsvBytes;
    case FileFormat::Text:
    case FileFormat::ChromeJson:
    case FileFormat::Table:
    case FileFormat::Svg:
        break;
    }
    return maxScheduleTextBytes;
}

} // namespace

std::string_view name(FileFormat format)
{
    return formatNames[static_cast<std::size_t>(format)].name;
}

std::optional<FileFormat> formatOfName(std::string_view name)
{
    for (const FormatName& format : formatNames) {
        if (format.name == name)
            return format.format;
    }
    return std::nullopt;
}

std::optional<FileFormat> formatOfPath(std::string_view path)
{
    for (const Ending& known : endings) {
        if (path.size() > known.ending.size() &&
            path.substr(path.size() - known.ending.size()) == known.ending)
            return known.format;
    }
    return std::nullopt;
}

std::vector<std::string> readableFormats()
{
    return formatList(true);
}

std::vector<std::string> writableFormats()
{
    return formatList(false);
}

Result<ScheduleFile> readScheduleFile(const std::string& path, std::optional<FileFormat> format,
                                      std::optional<TorchDialect> dialect)
{
    if (!format)
        format = formatOfPath(path);
    PW_TRY(const std::string content, readFile(path, longest(format.value_or(FileFormat::Text))));
    return readScheduleContent(content, path, format, dialect);
}

Result<ScheduleFile> readScheduleContent(std::string_view content, const std::string& path,
                                         std::optional<FileFormat> format,
                                         std::optional<TorchDialect> dialect)
{
    if (!format)
        format = formatOfContent(content);
    ScheduleFile file;
    switch (*format) {
    case FileFormat::Project:
        readProjectText(content, file);
        break;
    case FileFormat::TorchCsv:
        readTorch(content, dialect, file);
        break;
    case FileFormat::Text:
        readText(content, file);
        break;
    case FileFormat::ChromeJson:
    case FileFormat::Table:
    case FileFormat::Svg:
        return fail(ErrorCode::BadValue,
                    path + ": a " + std::string(name(*format)) + " file is written, not read");
    }
    if (file.project.title.empty())
        file.project.title = path.substr(path.rfind('/') + 1);
    return file;
}

std::string problemsText(const std::string& path, const ScheduleFile& file)
{
    constexpr std::size_t most = 5;
    std::string out;
    std::int64_t shown = 0;
    for (const std::vector<std::string>* list : {&file.unreadable, &file.problems}) {
        for (std::size_t i = 0; i < std::min(list->size(), most); ++i, ++shown)
            out += (out.empty() ? "" : "\n  ") + path + ": " + (*list)[i];
    }
    for (const std::string& note : file.notes)
        out += "\n  " + note;
    if (shown < file.problemCount)
        out += "\n  and " + std::to_string(file.problemCount - shown) +
               " more problems; `pipewright check` lists them";
    return out;
}

} // namespace pw
