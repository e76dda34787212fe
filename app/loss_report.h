// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"
#include "core/analysis/account.h"
#include "core/io/json_text.h"
#include "core/trace/trace.h"

#include <string>

namespace pw::app {

/// A table of where the time of the ranks of a pipeline went: parts of the makespan.
std::string lossText(const Trace& trace, const RecoveredPipeline& pipeline, const Account& split,
                     const Screen& screen);

/// The member `lost_time`.
void lossJson(JsonText& text, const Trace& trace, const RecoveredPipeline& pipeline,
              const Account& split);

} // namespace pw::app
