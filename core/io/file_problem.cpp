// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/file_problem.h"

#include "core/base/assert.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <unistd.h>

namespace pw {

void FileProblems::add(FilePlace place, std::string text, std::string repair)
{
    ++count;
    if (list.size() < listed)
        list.push_back({place, std::move(text), std::move(repair)});
}

Error FileProblems::error(std::string_view lineName, std::string_view columnName) const
{
    PW_ASSERT(!none());
    std::string message = describe(list.front(), lineName, columnName);
    if (count > 1)
        message += " (and " + std::to_string(count - 1) + " more)";
    return {ErrorCode::Syntax, std::move(message)};
}

std::string describe(const FileProblem& problem, std::string_view lineName,
                     std::string_view columnName)
{
    std::string text;
    if (problem.place.line > 0) {
        text.append(lineName).append(" ").append(std::to_string(problem.place.line));
        if (problem.place.column > 0)
            text.append(", ")
                .append(columnName)
                .append(" ")
                .append(std::to_string(problem.place.column));
        text.append(": ");
    }
    text += problem.text;
    if (!problem.repair.empty())
        text += "; " + problem.repair;
    return text;
}

std::string inQuotes(std::string_view text)
{
    constexpr std::size_t most = 40;
    std::string shown = "'";
    for (const char c : text.substr(0, most))
        shown += c >= ' ' && c <= '~' ? c : '?';
    return shown + (text.size() > most ? "…'" : "'");
}

std::optional<std::int32_t> parseNumber(std::string_view digits)
{
    if (digits.empty() || digits.front() < '0' || digits.front() > '9')
        return std::nullopt;
    std::int32_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, code] = std::from_chars(digits.data(), end, value);
    if (code != std::errc() || stop != end)
        return std::nullopt;
    return value;
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

namespace {

tl::unexpected<Error> systemFailure(const std::string& what, const std::string& path)
{
    return fail(ErrorCode::Io, what + " " + path + ": " + std::strerror(errno));
}

} // namespace

Result<std::string> readFile(const std::string& path, std::int64_t limit)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return fail(ErrorCode::Io, "cannot read " + path + ": it is a folder");
    errno = 0;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                               &std::fclose);
    if (!file)
        return systemFailure("cannot open", path);
    // Read in pieces: the size of a pipe is not known, and that of a file may change.
    std::string content;
    std::vector<char> buffer(1 << 16);
    while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
        if (static_cast<std::int64_t>(content.size() + got) > limit) {
            return fail(ErrorCode::TooLarge, path + " is longer than " + std::to_string(limit) +
                                                 " bytes, the most that is read");
        }
        content.append(buffer.data(), got);
    }
    if (std::ferror(file.get()) != 0)
        return systemFailure("cannot read", path);
    return content;
}

Result<void> writeFile(const std::string& path, std::string_view content)
{
    // Through a link, so that the file it points to is replaced and not the link.
    std::error_code code;
    const std::filesystem::path target = std::filesystem::is_symlink(path, code)
                                             ? std::filesystem::weakly_canonical(path, code)
                                             : std::filesystem::path(path);
    const bool device =
        std::filesystem::exists(target, code) && !std::filesystem::is_regular_file(target, code);
    std::string made = device ? target.string() : target.string() + ".XXXXXX";
    errno = 0;
    std::FILE* file = nullptr;
    if (device) {
        file = std::fopen(made.c_str(), "wb");
    } else if (const int descriptor = ::mkstemp(made.data()); descriptor >= 0) {
        file = ::fdopen(descriptor, "wb");
    }
    if (!file)
        return systemFailure("cannot write", path);
    const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size() &&
                         std::fflush(file) == 0 && (device || ::fsync(::fileno(file)) == 0);
    const int reason = errno;
    const bool closed = std::fclose(file) == 0;
    if (!written || !closed) {
        errno = written ? errno : reason;
        auto failure = systemFailure("cannot write", path);
        if (!device)
            std::filesystem::remove(made, code);
        return failure;
    }
    if (device)
        return {};
    using std::filesystem::perms;
    const auto old = std::filesystem::status(target, code);
    const perms rights = std::filesystem::exists(old) ? old.permissions()
                                                      : perms::owner_read | perms::owner_write |
                                                            perms::group_read | perms::others_read;
    std::filesystem::permissions(made, rights, code);
    if (std::rename(made.c_str(), target.c_str()) != 0) {
        auto failure = systemFailure("cannot write", path);
        std::filesystem::remove(made, code);
        return failure;
    }
    return {};
}

} // namespace pw
