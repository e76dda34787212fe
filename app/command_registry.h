// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"

#include <vector>

namespace pw::app::commands {

/// Every command, in the order of its file names. The build writes this function.
std::vector<Command> makeAll();

} // namespace pw::app::commands
