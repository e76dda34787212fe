// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pw::app {

/// What another program said, and how it ended.
struct ChildOutput
{
    int code = 0; ///< exit code; 128 + the signal that ended it
    std::string out;
    std::string err;

    /// The last line of its errors, else of its output, without what is around it.
    std::string lastLine() const;
};

/// Runs a program of the path to its end, with nothing more on its standard input than `input`.
///
/// @param words  the program and its arguments; no shell looks at them
/// @param input  at most 4096 bytes
/// @param most   bytes of each of its streams that are kept
/// @error Io     it cannot be started
/// @error Fault  it takes longer than `limit`; it is ended then
Result<ChildOutput> runChild(const std::vector<std::string>& words, std::chrono::milliseconds limit,
                             std::string_view input = {}, std::size_t most = std::size_t{1} << 20);

/// The words of a command line, at blanks; quotation marks hold one together.
/// @error BadValue  there is none, or a quotation mark without its partner
Result<std::vector<std::string>> commandLineWords(const std::string& line);

/// Whether a program is on the path.
bool isOnPath(const std::string& program);

} // namespace pw::app
