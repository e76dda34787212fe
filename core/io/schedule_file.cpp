// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/schedule_file.h"

#include "core/base/try.h"
#include "core/families/family.h"
#include "core/io/family_folder.h"
#include "core/io/file_problem.h"
#include "core/io/no_schedule.h"
#include "core/io/own_file.h"
#include "core/io/sail_plan.h"
#include "core/io/schedule_text.h"
#include "core/model/offload.h"
#include "core/system/files.h"

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

constexpr std::array<FormatName, 7> formatNames = {{{FileFormat::Project, "project", true},
                                                    {FileFormat::TorchCsv, "torch-csv", true},
                                                    {FileFormat::Text, "text", true},
                                                    {FileFormat::Sail, "sail", true},
                                                    {FileFormat::ChromeJson, "chrome-json", false},
                                                    {FileFormat::Table, "table", false},
                                                    {FileFormat::Svg, "svg", false}}};

struct Ending
{
    std::string_view ending;
    FileFormat format;
};

// Longer endings first.
constexpr std::array<Ending, 8> endings = {{{".table.csv", FileFormat::Table},
                                            {".trace.json", FileFormat::ChromeJson},
                                            {".pipewright.json", FileFormat::Project},
                                            {".sail.json", FileFormat::Sail},
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
    if (looksLikeSailPlan(content))
        return FileFormat::Sail;
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

/// Whether a content is no schedule at all; that is then the file's one problem.
bool refuse(const std::optional<Sentence>& why, ScheduleFile& file)
{
    if (!why)
        return false;
    file.unreadable.push_back(*why);
    file.problemCount = 1;
    return true;
}

void readTorch(std::string_view content, std::optional<TorchDialect> dialect, ScheduleFile& file)
{
    if (refuse(notTorchCsv(content), file))
        return;
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
    if (refuse(notScheduleText(content), file))
        return;
    ScheduleText text = parseScheduleText(content);
    append(text.problems, "line", "column", file.unreadable);
    file.problemCount = text.problems.count;
    if (!text.problems.none())
        return;
    file.project.draft = std::move(text.draft);
    checkDraft(file, text.places, "line", "column");
}

/// What leaves its device in the plan leaves it in the project. When, is for the simulation to say;
/// a copy takes what it takes in the plan, on average.
Offload offloadOf(const SailPlan& plan)
{
    Offload offload;
    Ticks copies = 0;
    std::int64_t timed = 0;
    std::vector<Pass> cells;
    for (const SailOffload& one : plan.offloads) {
        cells.push_back(one.forward);
        copies += one.copy.value_or(0);
        timed += one.copy ? 1 : 0;
    }
    offload.cells = offloadedCells(std::move(cells), plan.draft.spec);
    if (timed > 0)
        offload.link = {copies / timed, 0};
    return offload;
}

/// The notes go into the project too: it is all that stays of what the plan had beside its order.
void readSail(std::string_view content, ScheduleFile& file)
{
    SailPlan plan = parseSailPlan(content);
    append(plan.problems, plan.lineName, plan.columnName, file.unreadable);
    append(plan.notes, plan.lineName, plan.columnName, file.notes);
    file.problemCount = plan.problems.count;
    if (!plan.problems.none())
        return;
    file.project.offload = offloadOf(plan);
    file.project.draft = std::move(plan.draft);
    file.hasCosts = plan.costs.has_value();
    if (plan.costs)
        file.project.costs = std::move(*plan.costs);
    for (const std::string& note : file.notes)
        file.project.notes += note + "\n";
    checkDraft(file, plan.places, plan.lineName, plan.columnName);
}

/// Why a JSON file of this program's holds no schedule; empty: it may.
std::string_view otherOwnFile(OwnFile kind)
{
    switch (kind) {
    case OwnFile::Costs:
        return "it says what passes take and holds no schedule; --costs reads it, beside a family "
               "or a file with a schedule";
    case OwnFile::Lesson:
        return "it is a lesson and no schedule; the studio opens it, and pipewright lesson show "
               "and check read it";
    case OwnFile::Results:
        return "it has somebody's results in lessons and no schedule; pipewright lesson results "
               "reads a folder of them";
    case OwnFile::Rules:
        return "it has rules for the names of traces and no schedule; --rules reads it, beside a "
               "trace";
    case OwnFile::Project:
    case OwnFile::None:
        break;
    }
    return {};
}

void readProjectText(std::string_view content, ScheduleFile& file)
{
    const OwnFile kind = ownFileOf(content);
    if (const std::string_view why = otherOwnFile(kind); !why.empty()) {
        file.isCosts = kind == OwnFile::Costs;
        file.unreadable.emplace_back(why);
        file.problemCount = 1;
        return;
    }
    Result<Project> project = readProject(content);
    if (!project && refuse(notProjectJson(content), file))
        return;
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
    case FileFormat::Sail:
        return maxSailBytes;
    case FileFormat::Text:
    case FileFormat::ChromeJson:
    case FileFormat::Table:
    case FileFormat::Svg:
        break;
    }
    return maxScheduleTextBytes;
}

/// The family of a file in the first of some usual shapes that it takes.
Result<ScheduleFile> readFamilyAsSchedule(const std::string& path)
{
    PW_TRY(const Family* const family, addFamilyFile(path));
    FamilyOptions options;
    Result<PipelineSpec> spec = specOf(*family, options);
    for (const int devices : {4, 2, 8, 3, 6, 1, 5, 7, 12, 16, 32, 64}) {
        for (const int times : {2, 1, 4, 3, 8}) {
            if (spec)
                break;
            options.devices = devices;
            options.microBatches = times * devices;
            if (Result<PipelineSpec> other = specOf(*family, options))
                spec = std::move(other);
        }
    }
    if (!spec)
        return fail(ErrorCode::BadValue, "%1: %2", path, spec.error().message);
    const Result<Schedule> made = family->build(*spec, options, expand(UniformCosts{}, *spec));
    if (!made)
        return fail(made.error());
    ScheduleFile file;
    file.project.title = family->title;
    file.project.family = FamilyChoice{std::string(family->id), options};
    file.project.draft.spec = std::move(*spec);
    file.project.costs = UniformCosts{};
    return file;
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
    const bool said = format.has_value();
    if (!said && isFamilyPath(path))
        return readFamilyAsSchedule(path);
    if (!said)
        format = formatOfPath(path);
    PW_TRY(const std::string content, readFile(path, longest(format.value_or(FileFormat::Text))));
    if (!said && (format == FileFormat::Project || format == FileFormat::Text) &&
        looksLikeSailPlan(content))
        format = FileFormat::Sail;
    return readScheduleContent(content, path, format, dialect);
}

Result<ScheduleFile> readScheduleContent(std::string_view content, const std::string& path,
                                         std::optional<FileFormat> format,
                                         std::optional<TorchDialect> dialect)
{
    if (content.find('\0') != std::string_view::npos)
        return fail(ErrorCode::Syntax, "%1 holds bytes that no text has: it is not a schedule",
                    path);
    if (!format)
        format = formatOfContent(content);
    ScheduleFile file;
    file.format = *format;
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
    case FileFormat::Sail:
        readSail(content, file);
        break;
    case FileFormat::ChromeJson:
        return fail(ErrorCode::BadValue,
                    "%1 is a trace and no schedule: import, whatif and costs fit read it", path);
    case FileFormat::Table:
    case FileFormat::Svg:
        return fail(ErrorCode::BadValue, "%1: a %2 file is written, not read", path, name(*format));
    }
    if (file.project.title.empty())
        file.project.title = path.substr(path.find_last_of(sys::pathSeparators) + 1);
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
