// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/costs.h"

namespace pw {

/// Adds what every pass takes, however little it computes: an engine's own work, launches, messages
/// made ready. A BW is one pass, B and W are two; an overlapped pair is two. Updates stay.
void addPassOverhead(Costs& costs, Ticks overhead);

} // namespace pw
