// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <string>
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

/// Runs a program of the path to its end, with nothing on its standard input. Of what it writes,
/// the first MiB of each stream is kept.
///
/// @param words  the program and its arguments; no shell looks at them
/// @error Io     it cannot be started
/// @error Fault  it takes longer than `limit`; it is ended then
Result<ChildOutput> runChild(const std::vector<std::string>& words,
                             std::chrono::milliseconds limit);

/// Whether a program is on the path.
bool isOnPath(const std::string& program);

} // namespace pw::app
