// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/schedule.h"
#include "ui/models/lanes.h"
#include "ui/timeline/overlay_painter.h"

#include <vector>

namespace pw::ui {

/// The span of an entry in lanes of a schedule, one lane a device; invalid where it has none.
SpanRef spanOf(const Lanes& lanes, const Schedule& schedule, EntryId entry);

/// The messages that a pass waits for and those that wait for it, as arrows between devices.
std::vector<Arrow> messageArrows(const Lanes& lanes, const Schedule& schedule, SpanRef span);

/// All ends of the arrows from a span: what waits for it (+1) or what it waits for (−1), those on
/// other devices first.
std::vector<SpanRef> linkedSpans(const Lanes& lanes, const Schedule& schedule, SpanRef span,
                                 int direction);

} // namespace pw::ui
