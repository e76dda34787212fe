// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/dragged_body.h"
#include "core/edit/present.h"

#include <optional>

namespace pw {

/// A pass that is there before a grabbed one may start.
struct DragInput
{
    Pass producer;
    Pass consumer;
    Ticks there = 0;
    Ticks room = 0; ///< how far the consumer starts after it
};

/// The input that stops a body to the left; none where all its inputs come along.
/// @param draft  as it was when the body was grabbed
std::optional<DragInput> tightestInput(const Draft& draft, const Costs& costs,
                                       const Present& present, const DraggedBody& body);

} // namespace pw
