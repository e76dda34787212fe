// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/file_content.h"

#include "core/io/file_problem.h"
#include "core/io/own_file.h"
#include "core/io/sail_plan.h"
#include "core/io/schedule_file.h"
#include "core/reading/sniff.h"

#include <filesystem>
#include <fstream>

namespace pw {

namespace {

/// As it lies there: a packed file is none of the program's own.
std::string headAt(const std::string& path)
{
    std::string head(std::size_t{1} << 20, '\0');
    std::ifstream file(std::filesystem::path(path), std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    return head;
}

} // namespace

FileContent fileContent(const std::string& path)
{
    switch (fileKind(path)) {
    case FileKind::Missing:
        return FileContent::Missing;
    case FileKind::Pipe:
    case FileKind::Device:
        return FileContent::Unreadable;
    case FileKind::Folder:
        return FileContent::Trace;
    case FileKind::Regular:
        break;
    }
    const std::string head = headAt(path);
    switch (ownFileOf(head)) {
    case OwnFile::Project:
        return FileContent::Schedule;
    case OwnFile::Costs:
        return FileContent::Costs;
    case OwnFile::Lesson:
        return FileContent::Lesson;
    case OwnFile::Results:
        return FileContent::Results;
    case OwnFile::Rules:
        return FileContent::Rules;
    case OwnFile::None:
        break;
    }
    if (looksLikeSailPlan(head))
        return FileContent::Schedule;
    if (looksLikeTrace(path))
        return FileContent::Trace;
    // Whoever imports says what such a file is, and what helps.
    return !formatOfPath(path) && strangeFile(path) ? FileContent::Trace : FileContent::Schedule;
}

} // namespace pw
