// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

namespace pw::ui {

class ScheduleDocument;

/// How far the time axis of a document reaches, so that its scale stays while an order is composed
/// and there is room behind the last pass.
///
/// An unfinished order has the room of the whole one: what a device works, and one micro-batch on
/// the others, with a quarter more; and at least a sixth of what is there. Room that was there
/// stays, unless the order has become much shorter.
///
/// @param before  what this gave for the result before; 0 at first
/// @return        0 for a family's schedule, and for one that was never composed
Ticks composingRoom(const ScheduleDocument& document, Ticks before);

} // namespace pw::ui
