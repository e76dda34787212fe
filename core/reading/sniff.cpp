// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/sniff.h"

#include "core/io/file_problem.h"
#include "core/reading/events/importer.h"
#include "core/reading/packing/byte_source.h"
#include "core/reading/strange_content.h"

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
    return importerOf(head) != nullptr;
}

std::optional<Sentence> strangeFile(const std::string& path)
{
    if (fileKind(path) != FileKind::Regular)
        return std::nullopt;
    constexpr std::size_t headSize = 512;
    return strangeContent(path, std::string_view(headOfFile(path)).substr(0, headSize));
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
