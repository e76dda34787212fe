// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pw::sys {

/// Between the folders of PATH and of other lists of folders: ':', or ';'.
extern const char listSeparator;

/// Whether there is a program under this path that this user may start.
bool isProgram(const std::filesystem::path& path);
/// The first of this name in the folders of PATH that are not empty, which would be the folder at
/// hand, whatever lies there; empty: there is none.
std::filesystem::path programOnPath(std::string_view name);

/// How a program that was started went on.
enum class Ending : std::uint8_t
{
    Ended,
    NoPipes,    ///< `problem` says why, as in the next
    NotStarted, ///< there is none of this name, say
    TooLong     ///< it was ended for it
};

struct ProgramRun
{
    Ending ending = Ending::Ended;
    int problem = 0;
    int code = 0; ///< its exit code; 128 + the signal that ended it
    std::string out;
    std::string err;
};

/// Runs a program of the path to its end, with nothing more on its standard input than `input`.
///
/// @param words  the program and its arguments; no shell looks at them
/// @param input  at most 4096 bytes
/// @param most   bytes of each of its streams that are kept
ProgramRun runProgram(const std::vector<std::string>& words, std::chrono::milliseconds limit,
                      std::string_view input, std::size_t most);

/// Runs a program with this program's standard streams, and waits for its end.
/// @param variables  NAME=value each, in place of those of its name in this program's surroundings
/// @param code       its exit code; 128 + the signal that ended it
/// @return           0, or why it was not started
int runAttached(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                const std::vector<std::string>& variables, int& code);

} // namespace pw::sys
