// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/options.h"

#include <string>

namespace pw::app {

/// --store FILE.
Option storeOption();

/// The store of --store; without it PIPEWRIGHT_STORE, else pipewright/runs.sqlite under
/// XDG_DATA_HOME or ~/.local/share; empty where there
/// is no home.
std::string storePath(const Arguments& arguments);

} // namespace pw::app
