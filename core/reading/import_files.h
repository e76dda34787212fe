// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/reading/packing/zip_archive.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pw {

/// A file to import.
struct ImportFile
{
    std::string path;
    bool named = true; ///< on the command line; false: found in a folder, and perhaps no trace
    std::optional<ZipMember> member{}; ///< of the archive that `path` is

    /// As messages call it: "runs.zip/rank0.json".
    std::string name() const { return member ? path + "/" + member->name : path; }
};

/// The files that the words of a command line stand for.
struct ImportFiles
{
    std::vector<ImportFile> files;
    std::vector<std::string> warnings; ///< which were left out, and why
};

/// A folder stands for the traces in it and below it, by their names: .json, .jsonl and .pftrace,
/// also as .gz and .zst, exports of Nsight Systems among .sqlite, and what Paddle calls its files.
/// A zip archive stands for those in it. Of the files of Megatron's timers one replica of each rank
/// is taken, and a file that several words or links lead to is taken once. They are in the order of
/// the numbers in their names; words that are in another order than a shell's keep it.
///
/// @error Io        a folder cannot be read or has no trace in it
/// @error BadValue  no word at all
/// @error TooLarge  a folder has very many files
Result<ImportFiles> importFiles(const std::vector<std::string>& words);

} // namespace pw
