// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <filesystem>

namespace pw {

/// The file of the program that runs, as one would start it again; what belongs to it is beside
/// that. A program that was unpacked with its own loader is told by PIPEWRIGHT_PROGRAM which file
/// that is, since the system only knows the loader. Empty: nobody knows.
std::filesystem::path ownProgram();

} // namespace pw
