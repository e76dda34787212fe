// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <string>

namespace pw {

/// Where a user's data is kept: XDG_DATA_HOME, or .local/share in the home folder. A relative
/// path in a variable counts for nothing, as the XDG specification has it; without HOME the system
/// says where the home is. Empty where there is none.
std::string userDataFolder();

/// The same for settings: XDG_CONFIG_HOME, or .config in the home folder.
std::string userConfigFolder();

} // namespace pw
