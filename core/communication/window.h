// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/communication/lowering.h"

namespace pw::communication {

/// The passes of a rank with the gathers, frees and reductions that sharded weights need.
std::vector<Action> withGathers(const Schedule& schedule, DeviceId rank, const Lowering& lowering);

/// The same with a reduction behind the last gradient of every stage of an update.
std::vector<Action> withReductions(const Schedule& schedule, const std::vector<Action>& actions);

} // namespace pw::communication
