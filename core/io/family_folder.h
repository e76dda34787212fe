// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family_file.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// What a folder of families holds.
struct FamilyFolder
{
    std::vector<families::FamilyFile> files; ///< by name
    std::vector<std::string> problems;       ///< sentences: files that cannot be read, and why
};

/// The folder of a person's own families: that of PIPEWRIGHT_FAMILIES, else pipewright/families
/// under XDG_DATA_HOME or ~/.local/share. Empty where there is no home. It need not be there.
std::string ownFamilyFolder();

/// Reads every file *.family of a folder; of links, what they point to. Nothing below it.
/// @error Io        it is not there, is no folder, or cannot be listed
/// @error TooLarge  more files than `maxFileFamilies`
Result<FamilyFolder> readFamilyFolder(const std::string& path);

/// Makes the families of a folder known (`addFileFamilies`), each that can be.
///
/// @param problems  gets a sentence for each file that cannot
/// @param taken     names that no parameter may have; null: any name will do
/// @return          the ids that are known now
/// @error           as of `readFamilyFolder`
Result<std::vector<std::string>> addFamilyFolder(const std::string& path,
                                                 std::vector<std::string>& problems,
                                                 bool (*taken)(const std::string& name) = nullptr);

/// Makes the family of one file known. What was known of this id and says the same is taken again.
/// @param taken  as of `addFamilyFolder`
/// @error        as of `loadFamilyFile` and `addFileFamilies`
Result<const Family*> addFamilyFile(const std::string& path,
                                    bool (*taken)(const std::string& name) = nullptr);

/// Whether a path has the ending of such a file.
bool isFamilyPath(std::string_view path);

/// Reads one file. @error  as of `parseFamilyFile`, and Io
Result<families::FamilyFile> loadFamilyFile(const std::string& path);

} // namespace pw
