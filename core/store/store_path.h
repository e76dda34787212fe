// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <string>

namespace pw {

/// The store of runs where nobody names one: that of PIPEWRIGHT_STORE, else pipewright/runs.sqlite
/// under XDG_DATA_HOME or ~/.local/share; empty where there
/// is no home.
std::string defaultStorePath();

} // namespace pw
