// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/passing.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace pw::sys {

namespace {

/// A file of a folder that has no name, or loses it at once. Elsewhere than on Linux it keeps it,
/// since there whoever opens it by its number goes on where the one before has stopped.
int passingFile(const std::filesystem::path& folder, std::string& kept)
{
#ifdef __linux__
    constexpr ::mode_t own = 0600;
    const int nameless = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, own);
    if (nameless >= 0)
        return nameless;
#endif
    std::string name = (folder / "pipewright-XXXXXX").string();
    const int file = ::mkostemp(name.data(), O_CLOEXEC);
    if (file < 0)
        return file;
#ifdef __linux__
    ::unlink(name.c_str());
    kept.clear();
#else
    kept = name;
#endif
    return file;
}

} // namespace

PassingFile::PassingFile(const std::filesystem::path& folder)
    : m_number(passingFile(folder, m_name))
    , m_problem(m_number >= 0 ? 0 : errno)
{
}

PassingFile::~PassingFile()
{
    if (m_number >= 0)
        ::close(m_number);
    if (!m_name.empty())
        ::unlink(m_name.c_str());
}

int PassingFile::write(std::string_view content)
{
    while (!content.empty()) {
        const ::ssize_t written = ::write(m_number, content.data(), content.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errno;
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

std::string PassingFile::path() const
{
    return m_name.empty() ? "/proc/self/fd/" + std::to_string(m_number) : m_name;
}

std::string PassingFile::pathForOthers() const
{
    return m_name.empty()
               ? "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(m_number)
               : m_name;
}

int makePassingFolder(const std::filesystem::path& in, std::filesystem::path& made)
{
    std::string path = (in / "pipewright-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr)
        return errno;
    made = path;
    return 0;
}

} // namespace pw::sys
