// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "core/families/family.h"

#include <span>
#include <string>
#include <vector>

namespace pw::app {

/// --families FOLDER, of every command.
Option familiesOption();

/// Whether a command has an option of this name that is no parameter of a family.
bool isOptionOfProgram(const std::string& name);

/// Makes the families of a folder known, each that can be.
/// @param problems  gets a sentence for each file that cannot
/// @error           the folder cannot be read
Result<std::vector<std::string>> useFamilies(const std::string& folder,
                                             std::vector<std::string>& problems);

/// Makes the family of a file NAME.family known.
/// @error  as of `addFamilyFile`; a parameter that is an option of the program
Result<const Family*> useFamilyFile(const std::string& path);

/// Whether a word is the path of such a file, and nothing else.
bool isFamilyFile(const std::string& word);

/// The family that a word names: the path of a file of one, or as `familyNamed` says.
/// @error  as of `useFamilyFile`, `familyNamed`
Result<const Family*> familyOrFile(const std::string& word);

/// Makes the families known that a command line speaks of: those of the folder --families, and of
/// files that stand for families among its words, also in lists with commas. It comes before all
/// else, since options and words follow from the families.
/// @error Usage  the folder, or a file of it, cannot be read
/// @error Wrong  a file among the words cannot be
tl::expected<void, Failure> useFamilies(std::span<const std::string> words);

/// Makes those of a person's own folder known, where there is one.
/// @return  a sentence for each file that cannot be
std::vector<std::string> useOwnFamilies();

} // namespace pw::app
