// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/fit.h"
#include "core/trace/align_clocks.h"
#include "core/trace/records.h"
#include "core/trace/trace.h"
#include "python/binding.h"

namespace pw::python {

/// A trace of another program with the pipeline in it.
struct ImportedTrace
{
    Trace trace;
    std::vector<AlignedPipeline> replicas; ///< at least one
    std::optional<FittedCosts> fitted;     ///< where the first one's order is known
    std::string title;
    int runs = 1; ///< whole runs that the files hold; this is one of them

    const AlignedPipeline& aligned() const { return replicas.front(); }
};

struct TraceObject
{
    std::shared_ptr<const ImportedTrace> read;
};

/// Passes as they happened, column by column.
struct RecordsObject
{
    std::shared_ptr<const std::vector<RecordedPass>> passes;
};

} // namespace pw::python
