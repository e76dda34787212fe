// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/pass.h"

#include <string>

namespace pw {

/// The label under which a pass is recorded everywhere: `PP:` and PyTorch's action text, "PP:2B0"
/// for a BW, and in the same form "PP:2R0" and "PP:2U0" for what PyTorch has no text for. Segment
/// and route are not part of it.
std::string passLabel(const Pass& pass);

/// The same for an order entry; a pair is "PP:(0F7;7B3)OVERLAP_F_B".
std::string entryLabel(const OrderEntry& entry);

} // namespace pw
