// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/import_trace.h"
#include "core/trace/recover.h"
#include "tests/support/chrome_traces.h"

#include <string>
#include <vector>

namespace pw::test {

/// Files of one trace, written to a folder of their own and imported.
Result<Trace> importFiles(const std::vector<TraceText>& files);

/// The same; ends the test program with the reason where they are refused.
Trace traceOf(const std::vector<TraceText>& files);

/// Which families a pipeline was compared with, and what of it is not known.
std::string reasons(const RecoveredPipeline& pipeline);

} // namespace pw::test
