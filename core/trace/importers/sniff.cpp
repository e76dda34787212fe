// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/importers/sniff.h"

#include "core/trace/importers/byte_source.h"
#include "core/trace/importers/event_lines.h"
#include "core/trace/importers/other_forms.h"
#include "core/trace/importers/training_log.h"

#include <algorithm>
#include <filesystem>

namespace pw {

namespace {

constexpr std::size_t headBytes = 256U * 1024;

std::string headOfFile(const std::string& path)
{
    const Result<std::unique_ptr<FileSource>> file = FileSource::open(path);
    return file ? headOf(**file, headBytes) : std::string();
}

} // namespace

bool looksLikeTraceText(std::string_view head)
{
    constexpr std::string_view sqliteMark = "SQLite format 3";
    if (head.substr(0, sqliteMark.size()) == sqliteMark)
        return true;
    if (textForm(head) != TextForm::None || looksLikeEventLines(head) || otherForm(head) != nullptr)
        return true;
    const std::size_t first = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first == std::string_view::npos || (head[first] != '{' && head[first] != '['))
        return false;
    if (head[first] == '[')
        return true;
    // Megatron's timers are an object of nothing but marks.
    const std::string_view rest =
        head.substr(std::min(head.find_first_not_of(" \t\r\n", first + 1), head.size()));
    for (const std::string_view mark : {"\"forward-", "\"backward-"})
        if (rest.substr(0, mark.size()) == mark)
            return true;
    // A quote inside a text is escaped, so that none of these is a part of one.
    const std::size_t events = head.find("\"traceEvents\"");
    const std::size_t own =
        std::min(head.find("\"pipewright\""), head.find("\"pipewright_costs\""));
    return events < own;
}

bool looksLikeTrace(const std::string& path)
{
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    if (std::filesystem::is_directory(status))
        return true;
    if (!std::filesystem::is_regular_file(status))
        return false;
    for (const std::string_view packed : {".gz", ".zst", ".zip"})
        if (path.size() > packed.size() &&
            path.compare(path.size() - packed.size(), packed.size(), packed) == 0)
            return true;
    return looksLikeTraceText(headOfFile(path));
}

} // namespace pw
