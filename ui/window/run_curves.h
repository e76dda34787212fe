// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/runs/run_timeline.h"

namespace pw::ui {

struct Curves;

/// What a device held over time, a layer a use, or as a trace told it, and what its plan holds as a
/// line. Where nothing was sampled the curves stay: what the order of the passes holds.
/// @param records  null while they are read
void showRunMemory(Curves& curves, const RunTimeline& run, const RunRecordsPtr& records,
                   DeviceId device);

/// Messages under way from and to a device. @param records  null while they are read
void showRunLinks(Curves& curves, const RunRecordsPtr& records, DeviceId device);

} // namespace pw::ui
