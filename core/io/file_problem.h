// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/display_text.h"
#include "core/base/result.h"
#include "core/base/trim.h" // what reads lines trims them
#include "core/system/file_kind.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// The most devices that a file of any format may name.
constexpr std::int32_t maxFileDevices = 65'536;

/// A place in a file; both numbers count from 1. In a CSV the column counts cells, elsewhere bytes.
struct FilePlace
{
    std::int32_t line = 0;
    std::int32_t column = 0;

    friend bool operator==(const FilePlace&, const FilePlace&) = default;
};

/// A place in a file where something cannot be read, or is worth knowing.
struct FileProblem
{
    FilePlace place;
    Sentence text;   ///< what is wrong
    Sentence repair; ///< what would mend it; may be empty

    friend bool operator==(const FileProblem&, const FileProblem&) = default;
};

/// The problems of a file: the first ones in full, the rest counted.
struct FileProblems
{
    static constexpr std::size_t listed = 1000;

    std::vector<FileProblem> list;
    std::int64_t count = 0;

    bool none() const { return count == 0; }
    void add(FilePlace place, Sentence text, Sentence repair = {});
    /// The first problem as an error, with the number of further ones. @pre !none()
    Error error(std::string_view lineName = "line", std::string_view columnName = "column") const;
};

/// "line 3, column 7: …; …"
Sentence describe(const FileProblem& problem, std::string_view lineName = "line",
                  std::string_view columnName = "column");

/// A decimal number of digits only. Nothing if empty, anything else, or above 2 147 483 647.
std::optional<std::int32_t> parseNumber(std::string_view digits);

/// What stands at a path, links followed.
FileKind fileKind(const std::string& path);

/// Refuses what can never be read as a file. @error Io  it is a folder, or a device
Result<void> checkReadable(const std::string& path);

/// Reads a whole file; of a pipe, what comes up to its end.
/// @error Io        cannot be opened or read; a folder; a device
/// @error TooLarge  longer than `limit` bytes
Result<std::string> readFile(const std::string& path, std::int64_t limit);

/// Writes a whole file: to a new file beside it first, which then takes its name, so that a reader
/// sees the old content or the new one and never a part. It outlasts a loss of power from then on.
///
/// A link stays, and what it points to is written. A file keeps its rights; a new one has those
/// that the umask leaves. A file with several names is written in place, so that all keep seeing
/// it. What a program that was killed has left half written in the folder goes away.
///
/// @error Io  with the system's reason, or the file is read-only; the old file is untouched
Result<void> writeFile(const std::string& path, std::string_view content);

} // namespace pw
