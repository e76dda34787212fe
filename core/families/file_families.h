// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family_file.h"
#include "core/families/own_families.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// The most families of files that are taken from a folder.
constexpr std::size_t maxFileFamilies = maxOwnFamilies;

/// Makes families of files known beside those of the program: `allFamilies` and `findFamily` have
/// them from then on. What was found before stays good; a file that is given again, unchanged, is
/// not taken twice.
///
/// @return          the ids that are known now, in the order of the files
/// @error BadValue  an id that a family has, or a parameter that means something else in another
///                  family; names the file. Then none of the files is known
/// @error TooLarge  more than `maxOwnFamilies` in all
Result<std::vector<std::string>> addFileFamilies(std::vector<families::FamilyFile> files);

/// Path of the file that a family comes from; empty: a family of the program.
std::string_view fileOfFamily(const Family& family);

} // namespace pw
