// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"
#include "core/base/result.h"
#include "core/trace/activity_lanes.h"

#include <string>

namespace pw::app {

/// The lanes of a trace as text: a line a stream or thread under the rank and device or process
/// that it is of. A column shows the kind that fills most of it, dark where it fills more than
/// half; what is around other slices is left aside where they are shown.
///
/// @return  empty where the screen is too narrow, or nothing was recorded
/// @error   as of the source
Result<std::string> activityGantt(const ActivitySource& source, const Screen& screen);

} // namespace pw::app
