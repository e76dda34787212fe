// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/store/activity_store.h"
#include "core/store/run_store.h"
#include "core/store/trace_figures.h"
#include "core/trace/recover.h"
#include "core/trace/trace.h"

#include <string>

namespace pw {

/// Keeps the iterations of a trace as a run: its schedule, the costs that are fitted to it, and
/// every pass with its trust; warm-up has numbers below 0.
///
/// @param found     what was found beside the passes
/// @param title     empty: the name of the file, or of the folder of several
/// @param more      may be empty
/// @error BadValue  the order could not be recovered, or no costs be fitted; a run needs both
/// @error           as of `RunStore`
Result<RunNumber> keepTrace(const Trace& trace, const RecoveredPipeline& pipeline,
                            const TraceFigures& found, const std::string& store,
                            const std::string& title, const RunStore::KeepMore& more = {});

/// Keeps a trace as a run: its passes where their order is known, else none; and everything else
/// that is in it. All of it or nothing, whenever it is stopped: it is one transaction.
///
/// @param title  empty: the name of the file, or of the folder of several
/// @param goOn   as of `keepActivity`
/// @error        as of `keepTrace` and `keepActivity`
Result<RunNumber> keepWholeTrace(const KeptActivity& kept, const RecoveredPipeline& pipeline,
                                 const TraceFigures& found, const std::string& store,
                                 const std::string& title, const KeepOn& goOn = {});

} // namespace pw
