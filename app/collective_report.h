// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "core/analysis/collectives.h"
#include "core/io/json_text.h"
#include "core/trace/trace.h"

#include <string>

namespace pw::app {

/// What each group of ranks communicates, how far apart its ranks begin, who waits, and how fast
/// it is; empty where no collective is known.
std::string collectivesText(const Trace& trace, const TraceCollectives& collectives,
                            const Screen& screen);

/// Members `process_groups` and `collectives`.
void collectivesJson(JsonText& text, const Trace& trace, const TraceCollectives& collectives);

} // namespace pw::app
