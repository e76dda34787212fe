// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace pw::sys {

/// A file for what a program keeps while it runs, which nobody else can read. Where the system has
/// files without a name (Linux), nothing is left of it however the program ends; elsewhere it has
/// one, and goes when this does.
class PassingFile
{
public:
    explicit PassingFile(const std::filesystem::path& folder);
    ~PassingFile();
    PassingFile(const PassingFile&) = delete;
    PassingFile& operator=(const PassingFile&) = delete;

    /// @return 0, or why there is none
    int problem() const { return m_problem; }
    /// @return 0, or why not all of it was written
    int write(std::string_view content);
    /// Under which this program can open it, from its beginning each time.
    std::string path() const;
    /// The same for the programs that it starts.
    std::string pathForOthers() const;

private:
    std::string m_name; ///< of a file that has one
    int m_number = -1;
    int m_problem = 0;
};

/// A new folder with a name of its own, which nobody else can look into.
/// @return 0, or why not
int makePassingFolder(const std::filesystem::path& in, std::filesystem::path& made);

} // namespace pw::sys
