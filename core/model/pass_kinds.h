// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/schedule.h"

#include <array>

namespace pw {

/// By kind, whether an order has passes of it.
std::array<bool, passKindCount> kindsOf(const Schedule& schedule);

/// Whether an order has passes of a kind.
bool hasKind(const Schedule& schedule, PassKind kind);

} // namespace pw
