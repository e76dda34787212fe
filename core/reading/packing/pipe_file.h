// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/system/passing.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace pw {

/// What came out of a pipe, as a file that can be read several times. Nothing
/// is left of it where files need no name.
class PipeFile
{
public:
    /// Reads a pipe to its end, once.
    ///
    /// @param most      bytes
    /// @param goOn      called now and then with the bytes so far; false stops; may be empty
    /// @error Io        it cannot be read, or not kept in the folder for temporary files
    /// @error TooLarge  it has more
    /// @error Cancelled `goOn` said so
    static Result<std::unique_ptr<PipeFile>> read(const std::string& path, std::int64_t most,
                                                  const std::function<bool(std::int64_t)>& goOn);
    /// Under which this program can open it while this lives.
    std::string path() const { return m_file.path(); }

private:
    explicit PipeFile(const std::string& folder)
        : m_file(folder)
    {
    }

    sys::PassingFile m_file;
};

} // namespace pw
