// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <filesystem>
#include <string>
#include <vector>

// The stored inputs of a reader are the lines of one file, `tests/fuzz/corpus/READER.txt`: what
// ASCII prints is as it is, but a backslash; a line's end is \n, any other byte \x and two digits.
namespace pw::fuzz {

/// Ends the program where a line is no input.
std::vector<std::string> readCorpus(const std::filesystem::path& file);
/// Sorted, as the order says nothing.
void writeCorpus(const std::filesystem::path& file, std::vector<std::string> inputs);

/// Between such a file and a folder of inputs, a file each, as libFuzzer has them.
void unpackCorpus(const std::filesystem::path& file, const std::filesystem::path& folder);
void packCorpus(const std::filesystem::path& folder, const std::filesystem::path& file);

} // namespace pw::fuzz
