// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"

#include <span>
#include <string>
#include <vector>

namespace pw::app {

/// --families FOLDER, of every command.
Option familiesOption();

/// Makes the families of a folder known, each that can be.
/// @param problems  gets a sentence for each file that cannot
/// @error           the folder cannot be read
Result<std::vector<std::string>> useFamilies(const std::string& folder,
                                             std::vector<std::string>& problems);

/// Makes the families of --families known, which a command line may have anywhere. It comes before
/// all else, since options and words follow from the families.
/// @error Usage  the folder, or a file of it, cannot be read
tl::expected<void, Failure> useFamilies(std::span<const std::string> words);

/// Makes those of a person's own folder known, where there is one.
/// @return  a sentence for each file that cannot be
std::vector<std::string> useOwnFamilies();

} // namespace pw::app
