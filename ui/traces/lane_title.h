// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/activity_lanes.h"

#include <QString>

namespace pw::ui {

/// What stands before a lane, where there is little room: its number rather than what the program
/// calls it as well. What crosses another lane stands right below that one.
QString laneTitle(const ActivityLane& lane);

} // namespace pw::ui
