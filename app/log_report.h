// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"
#include "core/io/json_text.h"
#include "core/trace/recover.h"
#include "core/trace/trace.h"

#include <string>

namespace pw::app {

/// Tables of what the log of a training says: its iterations, timers and memory; empty where no
/// file is a log.
std::string logText(const Trace& trace, const Screen& screen);

/// What stands out over the iterations, in sentences; empty where there are less than two.
/// @param timesTold  a job's causes tell what stands out of the times
std::string curveText(const Trace& trace, const RecoveredPipeline& pipeline, bool timesTold,
                      const Screen& screen);

/// The member `log`, where a file is a log.
void logJson(JsonText& text, const Trace& trace);

/// The member `curve`, where there are two iterations and more.
void curveJson(JsonText& text, const Trace& trace, const RecoveredPipeline& pipeline);

} // namespace pw::app
