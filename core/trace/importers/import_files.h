// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pw {

/// A file to import.
struct ImportFile
{
    std::string path;
    bool named = true; ///< on the command line; false: found in a folder, and perhaps no trace
};

/// The files that the words of a command line stand for.
struct ImportFiles
{
    std::vector<ImportFile> files;
    std::vector<std::string> warnings; ///< which were left out, and why
};

/// A folder stands for the traces in it and below it, by their names: .json, .json.gz, exports of
/// Nsight Systems among .sqlite, and what Paddle calls its files. Of the files of Megatron's timers
/// one replica of each rank is taken.
///
/// @error Io        a folder cannot be read or has no trace in it
/// @error BadValue  no word at all
/// @error TooLarge  a folder has very many files
Result<ImportFiles> importFiles(const std::vector<std::string>& words);

} // namespace pw
