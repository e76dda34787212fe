// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/costs.h"

namespace pw {

/// Whether costs say the bytes of anything that a device holds. Where they do not, a cap in bytes
/// caps nothing, and one in shares of a micro-batch does.
bool hasSizes(const Costs& costs);

/// Whether costs limit what a device may hold.
bool isCapped(const Costs& costs);

/// What a stage holds all the time: one version of its weights, gradients and optimizer.
Bytes standingBytes(const Costs& costs, StageId stage);

} // namespace pw
