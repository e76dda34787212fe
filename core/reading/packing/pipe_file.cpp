// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/packing/pipe_file.h"

#include "core/base/text.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace pw {

namespace {

tl::unexpected<Error> pipeFailure(const Sentence& what)
{
    return fail(ErrorCode::Io, "%1: %2", what, systemSentence(errno));
}

/// A new file that has no name, or loses it at once.
int namelessFile(const std::string& folder)
{
    constexpr mode_t own = 0600;
    const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, own);
    if (file >= 0)
        return file;
    std::string name = folder + "/pipewright-XXXXXX";
    const int named = ::mkostemp(name.data(), O_CLOEXEC);
    if (named >= 0)
        ::unlink(name.c_str());
    return named;
}

bool writePiece(int file, const char* bytes, std::size_t count)
{
    while (count > 0) {
        const ssize_t written = ::write(file, bytes, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        bytes += written;
        count -= static_cast<std::size_t>(written);
    }
    return true;
}

} // namespace

Result<std::unique_ptr<PipeFile>> PipeFile::read(const std::string& path, std::int64_t most,
                                                 const std::function<bool(std::int64_t)>& goOn)
{
    std::error_code none;
    const std::filesystem::path given = std::filesystem::temp_directory_path(none);
    const std::string folder = none ? "/tmp" : given.string();
    const int kept = namelessFile(folder);
    if (kept < 0)
        return pipeFailure(said("cannot keep what comes from %1 in %2", path, folder));
    std::unique_ptr<PipeFile> file(new PipeFile(kept));
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(std::fopen(path.c_str(), "rbe"),
                                                               &std::fclose);
    if (!pipe)
        return pipeFailure(said("cannot open %1", path));
    std::array<char, 1 << 16> buffer;
    std::int64_t bytes = 0;
    for (;;) {
        const ssize_t got = ::read(::fileno(pipe.get()), buffer.data(), buffer.size());
        if (got < 0 && errno != EINTR)
            return pipeFailure(said("cannot read %1", path));
        if (goOn && !goOn(bytes))
            return fail(ErrorCode::Cancelled, "%1: reading was stopped", path);
        if (got < 0)
            continue;
        if (got == 0)
            return file;
        bytes += got;
        if (bytes > most)
            return fail(ErrorCode::TooLarge, "%1 gives more than %2, the most that is read", path,
                        byteText(most));
        if (!writePiece(kept, buffer.data(), static_cast<std::size_t>(got)))
            return pipeFailure(said("cannot keep what comes from %1 in %2", path, folder));
    }
}

PipeFile::~PipeFile()
{
    ::close(m_file);
}

} // namespace pw
