// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw::sys {

/// Of this process, as the system counts.
std::int64_t processNumber();
/// When a process began, as the system counts, or "there" where the system does not tell; empty
/// where there is no such process, or only what is left of one whose end nobody has asked for.
std::string beginningOf(std::int64_t process);
/// Where process numbers mean the same: boot, process namespace, host.
std::string processPlace();
/// Where a clock that counts from the machine's start shows the same: boot, time namespace; empty:
/// the system does not tell.
std::string clockPlace();

/// This program's file; empty where it is not known.
std::filesystem::path programFile();
/// Where this user's data and settings are, unless a variable says another; empty: he has no home.
std::filesystem::path dataFolder();
std::filesystem::path settingsFolder();

/// A variable of the program's surroundings, in UTF-8; none where it is not set.
std::optional<std::string> variable(const char* name);

/// The words after the program's name, in UTF-8.
std::vector<std::string> programWords(int argc, char** argv);
/// What a program begins with: its streams carry bytes as they are, a terminal takes UTF-8 and
/// control sequences, a file that may not grow is an error (`failPastLargestFile`), and what
/// unwinds frames when memory has run out is there already.
void beginProgram();

/// Writes to standard error without taking memory.
void sayWithoutMemory(std::string_view text);
/// Ends the process with a status, whatever was to be done at its end.
[[noreturn]] void endProcess(int status);
/// Calls a function with the status of the process when it ends by `exit`: before what was to be
/// done at the end until now. Where the system does not tell a status, it is `otherwise`.
void atEnd(void (*last)(int status), int otherwise);
/// Ends the process as if another one had killed it.
void killProcess();

/// Bytes that the process may still map; very many where nobody has set a limit.
std::int64_t addressesLeft();

} // namespace pw::sys
