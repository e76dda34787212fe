// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/listed_file.h"

#include "core/io/file_problem.h"

namespace pw {

Result<std::string> readListedFile(const std::string& path, std::int64_t limit)
{
    const FileKind kind = fileKind(path);
    if (kind == FileKind::Pipe || kind == FileKind::Device)
        return fail(ErrorCode::Io, "%1 is not read: it is a pipe or a device, and no file", path);
    return readFile(path, limit); // says what is wrong with a folder, or with nothing
}

} // namespace pw
