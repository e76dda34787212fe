// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <filesystem>
#include <string>

namespace pw::sys {

/// Why others could put code of theirs into a module, its folder, or one of those above; empty:
/// they cannot. Code that is loaded can do all that its user can.
std::string whyNotSafe(const std::filesystem::path& file);
/// Loads a module, which stays until the process ends. @return  null, with a sentence why
void* loadModule(const std::filesystem::path& file, std::string& why);
/// What a module exports under this name; null: nothing.
void* symbolOf(void* module, const char* name);
/// The same of whatever has been loaded into this program.
void* symbolOfAll(const char* name);

} // namespace pw::sys
