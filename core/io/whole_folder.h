// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace pw {

/// A file of a folder that is written for others.
struct FolderFile
{
    std::string path; ///< in the folder, with "/" between
    std::string text;
    bool runs = false; ///< a program
};

/// Writes files into a folder, which is made where it is not there: all of them, or none.
///
/// What a person has put there, or has changed since it was written, is never overwritten; links
/// are never followed. Which files are this program's own, a list beside them says
/// (`.pipewright-files`). A folder of several names in `files` is made too.
///
/// @error Io  names the file that is in the way, or has the system's reason; nothing has changed
Result<void> writeFolder(const std::string& folder, const std::vector<FolderFile>& files);

} // namespace pw
