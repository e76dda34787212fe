// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pw::app {

/// A command line in the words of this version, where its command has the name that an older
/// version had for it; none where it has not. Old names are in no help, and go with the next
/// version.
std::optional<std::vector<std::string>> currentSpelling(const std::vector<std::string>& words);

/// What is said once to those who type an old name: "`man` is spelled `help --roff` now, and …".
std::string oldSpellingText(const std::string& old, const std::vector<std::string>& now);

} // namespace pw::app
