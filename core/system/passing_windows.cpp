// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/passing.h"
#include "core/system/windows_words.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <io.h>
#include <random>
#include <sys/stat.h>

namespace pw::sys {

namespace {

/// A name that nobody can guess.
std::filesystem::path nameIn(const std::filesystem::path& folder)
{
    std::random_device random;
    std::string name = "pipewright-";
    for (int i = 0; i < 12; ++i)
        name += static_cast<char>('a' + random() % 26);
    return folder / name;
}

} // namespace

PassingFile::PassingFile(const std::filesystem::path& folder)
{
    const std::filesystem::path path = nameIn(folder);
    m_number = ::_wopen(path.c_str(), _O_CREAT | _O_EXCL | _O_RDWR | _O_BINARY | _O_NOINHERIT,
                        _S_IREAD | _S_IWRITE);
    m_problem = m_number >= 0 ? 0 : errno;
    if (m_number >= 0)
        m_name = path.string();
}

PassingFile::~PassingFile()
{
    if (m_number >= 0)
        ::_close(m_number);
    if (!m_name.empty())
        ::DeleteFileW(std::filesystem::path(m_name).c_str());
}

int PassingFile::write(std::string_view content)
{
    constexpr std::size_t atOnce = std::size_t{1} << 30;
    while (!content.empty()) {
        const int written = ::_write(m_number, content.data(),
                                     static_cast<unsigned>(std::min(content.size(), atOnce)));
        if (written <= 0)
            return written < 0 ? errno : ENOSPC;
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

std::string PassingFile::path() const
{
    return m_name;
}

std::string PassingFile::pathForOthers() const
{
    return m_name;
}

int makePassingFolder(const std::filesystem::path& in, std::filesystem::path& made)
{
    // The folder for temporary files is the user's own.
    const std::filesystem::path path = nameIn(in);
    if (::CreateDirectoryW(path.c_str(), nullptr) == 0)
        return lastReason();
    made = path;
    return 0;
}

} // namespace pw::sys
