// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/packing/pipe_file.h"

#include "core/base/text.h"
#include "core/system/files.h"

#include <array>
#include <cerrno>
#include <filesystem>

namespace pw {

namespace {

tl::unexpected<Error> pipeFailure(const Sentence& what, int reason)
{
    return fail(ErrorCode::Io, "%1: %2", what, systemSentence(reason));
}

} // namespace

Result<std::unique_ptr<PipeFile>> PipeFile::read(const std::string& path, std::int64_t most,
                                                 const std::function<bool(std::int64_t)>& goOn)
{
    std::error_code none;
    const std::filesystem::path given = std::filesystem::temp_directory_path(none);
    const std::string folder = none ? "/tmp" : given.string();
    std::unique_ptr<PipeFile> file(new PipeFile(folder));
    if (file->m_file.problem() != 0)
        return pipeFailure(said("cannot keep what comes from %1 in %2", path, folder),
                           file->m_file.problem());
    sys::OpenFile pipe(path, sys::Open::Read);
    if (pipe.problem() != 0)
        return pipeFailure(said("cannot open %1", path), pipe.problem());
    std::array<char, 1 << 16> buffer;
    std::int64_t bytes = 0;
    for (;;) {
        std::size_t got = 0;
        const int reason = pipe.read(buffer.data(), buffer.size(), got);
        if (reason != 0 && reason != EINTR)
            return pipeFailure(said("cannot read %1", path), reason);
        if (goOn && !goOn(bytes))
            return fail(ErrorCode::Cancelled, "%1: reading was stopped", path);
        if (reason != 0)
            continue;
        if (got == 0)
            return file;
        bytes += static_cast<std::int64_t>(got);
        if (bytes > most)
            return fail(ErrorCode::TooLarge, "%1 gives more than %2, the most that is read", path,
                        byteText(most));
        if (const int why = file->m_file.write({buffer.data(), got}); why != 0)
            return pipeFailure(said("cannot keep what comes from %1 in %2", path, folder), why);
    }
}

} // namespace pw
