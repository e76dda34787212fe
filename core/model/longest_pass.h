// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/model/costs.h"

namespace pw {

/// The longest time of a pass or a message that a person may give, in milliseconds: the one that a
/// schedule takes (`longestPass`), in a round number. Options, tables, fields and pages have it.
constexpr double longestPassMs = 144'000;
static_assert(longestPassMs <= msFromTicks(longestPass));

} // namespace pw
