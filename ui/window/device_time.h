// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/device_activity.h"
#include "ui/panels/details_panel.h"

namespace pw::ui {

/// Where the time of the devices of a trace went, summed over all of them; the slow rank, where one
/// is named. Without a heading where no device ran.
DetailsPart deviceTimePart(const DeviceFigures& figures);

} // namespace pw::ui
