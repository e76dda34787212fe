// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/nccl_debug.h"

#include <array>
#include <cstdlib>
#include <unistd.h>
#include <utility>

namespace pw::exec::cuda {

namespace {

/// The file that NCCL writes and we read.
struct CaughtFile
{
    int descriptor = -1;
    std::string path; ///< empty once it has no name
    LineSplitter lines;
};

CaughtFile& caughtFile()
{
    static CaughtFile file;
    return file;
}

bool isSet(const char* name)
{
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
}

} // namespace

std::vector<std::string> LineSplitter::take(std::string_view bytes)
{
    std::vector<std::string> lines;
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        m_open += bytes.substr(0, end);
        const bool whole = end != std::string_view::npos;
        if (whole || m_open.size() > longest) {
            if (!m_open.empty() && m_open.back() == '\r')
                m_open.pop_back();
            if (!m_open.empty())
                lines.push_back(std::exchange(m_open, {}));
        }
        bytes.remove_prefix(whole ? end + 1 : bytes.size());
    }
    return lines;
}

void catchNcclLines()
{
    if (!isSet("NCCL_DEBUG") || isSet("NCCL_DEBUG_FILE") || caughtFile().descriptor >= 0)
        return;
    const char* const folder = std::getenv("TMPDIR");
    std::string path = (folder == nullptr || *folder == '\0' ? "/tmp" : std::string(folder)) +
                       "/pipewright-nccl-XXXXXX";
    // NCCL puts names and numbers where a % stands in the path.
    if (path.find('%') != std::string::npos)
        path = "/tmp/pipewright-nccl-XXXXXX";
    const int descriptor = mkstemp(path.data());
    if (descriptor < 0)
        return; // NCCL then writes to the terminal, as it would without us
    caughtFile().descriptor = descriptor;
    caughtFile().path = path;
    constexpr int keepGiven = 0;
    setenv("NCCL_DEBUG_FILE", path.c_str(), keepGiven);
    // Of a process in which NCCL never began.
    std::atexit([] {
        if (const std::string& left = caughtFile().path; !left.empty())
            unlink(left.c_str());
    });
}

std::vector<RunLog> takeNcclLines(RankId rank)
{
    CaughtFile& file = caughtFile();
    std::vector<RunLog> logs;
    if (file.descriptor < 0)
        return logs;
    std::array<char, std::size_t{64} << 10> bytes;
    for (;;) {
        const ssize_t count = read(file.descriptor, bytes.data(), bytes.size());
        if (count <= 0)
            return logs;
        if (!file.path.empty())
            unlink(std::exchange(file.path, {}).c_str());
        for (std::string& line : file.lines.take({bytes.data(), static_cast<std::size_t>(count)})) {
            const bool warns = line.find("NCCL WARN") != std::string::npos;
            logs.push_back({0, rank, warns ? LogLevel::Warning : LogLevel::Info, std::move(line)});
        }
    }
}

} // namespace pw::exec::cuda
