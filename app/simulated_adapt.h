// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"

#include <vector>

namespace pw::app {

/// --adapt and what belongs to it, of `pipewright noise`, besides options that it has anyway.
std::vector<Option> simulatedAdaptOptions();

/// A message where one of these is given without --adapt, or beside what it cannot go with.
tl::expected<void, Failure> checkSimulatedAdapt(const Arguments& arguments);

/// `pipewright noise kfkb --adapt`: every fixed k and one that follows the network, simulated.
Outcome simulateAdapting(const Arguments& arguments, Console& console);

} // namespace pw::app
