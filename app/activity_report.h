// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"
#include "core/analysis/device_activity.h"
#include "core/io/json_text.h"
#include "core/trace/trace.h"

#include <string>
#include <string_view>

namespace pw::app {

/// Tables of what the devices did and of the kernels that took most; empty where no device ran.
std::string activityText(const Trace& trace, const DeviceFigures& figures, const Screen& screen);

/// Table of the counters that the files tell; empty where there is none.
std::string countersText(const Trace& trace, const Screen& screen);

/// A name for a table: what is beyond 100 bytes is left out, with an ellipsis.
std::string cutText(std::string_view text);

/// The members `activity`, `kernels` and, where one is named, `slow_rank`.
void activityJson(JsonText& text, const Trace& trace, const DeviceFigures& figures);

} // namespace pw::app
