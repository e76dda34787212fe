// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/project_file.h"
#include "core/io/torch_csv.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// Files that schedules are read from and written to.
enum class FileFormat
{
    Project,
    TorchCsv,
    Text,
    Sail,       ///< nodes of sail-sg's zero-bubble runtime, see core/io/sail_plan.h
    ChromeJson, ///< written only, as are the next two
    Table,
    Svg
};

/// The name as it is typed: "torch-csv".
std::string_view name(FileFormat format);

/// The format of a name.
std::optional<FileFormat> formatOfName(std::string_view name);

/// The format that the end of a file's name stands for: .pipewright.json and .json, .csv, .txt,
/// .sail.json, .trace.json, .table.csv, .svg. None for another end.
std::optional<FileFormat> formatOfPath(std::string_view path);

/// Names of the formats that are read, or of all.
std::vector<std::string> readableFormats();
std::vector<std::string> writableFormats();

/// What a file holds, and everything that is wrong with its text.
struct ScheduleFile
{
    Project project;                         ///< meaningful where there are no problems
    FileFormat format = FileFormat::Project; ///< what it was read as
    bool hasCosts = false;                   ///< the file says what passes take
    /// Sentences with their places. Those of the first list keep the file from being read at all.
    std::vector<std::string> unreadable;
    /// Passes that are missing, doubled, misplaced, out of order.
    std::vector<std::string> problems;
    std::vector<std::string> notes; ///< what is worth knowing
    bool olderDialect = false;      ///< a PyTorch CSV that looks like the older dialect
    /// Holds what passes take, not a schedule: `readCosts` reads it, and that is its one problem.
    bool isCosts = false;
    std::int64_t problemCount = 0; ///< of both lists, those that are not listed counted too
};

/// Reads a file of a schedule.
///
/// @param format   none: as its name says, else as its content looks; a plan of sail-sg is known
/// by its content under any name that stands for a project or a text. A family in a file becomes
/// known, and is a project of it in the first of some usual shapes that it takes
/// @param dialect  of a PyTorch CSV, see `parseTorchCsv`
/// @error Io, TooLarge  the file cannot be read at all
/// @error BadValue      the format is only written
Result<ScheduleFile> readScheduleFile(const std::string& path,
                                      std::optional<FileFormat> format = std::nullopt,
                                      std::optional<TorchDialect> dialect = std::nullopt);

/// The same with the content of a file. @param path  how messages call it
Result<ScheduleFile> readScheduleContent(std::string_view content, const std::string& path,
                                         std::optional<FileFormat> format = std::nullopt,
                                         std::optional<TorchDialect> dialect = std::nullopt);

/// The first problems of a file as a message, each behind the file's name.
std::string problemsText(const std::string& path, const ScheduleFile& file);

} // namespace pw
