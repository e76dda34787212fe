// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pw::fuzz {

/// Something that reads what people, programs and files give.
struct Reader
{
    std::string_view name;
    /// Sound inputs to begin with.
    std::vector<std::string> (*seeds)() = nullptr;
    /// Reads one input and tries what came of it; ends the program where something is wrong.
    void (*read)(const std::string& input) = nullptr;
};

/// One a format.
std::span<const Reader> fileReaders();
std::span<const Reader> traceReaders();
std::span<const Reader> sourceReaders(); ///< traces of further programs, and archives
std::span<const Reader> studyReaders();  ///< lessons, results, measured tables

/// All of them; one whose name no reader has ends the program.
std::vector<Reader> allReaders();
const Reader& readerOf(std::string_view name);

/// Imports a trace of a file of that name; what is read must be sound, and what was recovered run.
void tryTraceText(const std::string& text, const char* name);
/// The same through a file with that ending.
void tryTraceFile(const std::string& bytes, const char* ending);

/// Something that must hold does not.
[[noreturn]] void broken(const std::string& why);

} // namespace pw::fuzz
