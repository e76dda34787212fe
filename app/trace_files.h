// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "core/reading/import_trace.h"
#include "core/trace/align_clocks.h"
#include "core/trace/name_rule.h"
#include "core/trace/trace.h"

#include <string>
#include <vector>

namespace pw::app {

/// A trace with the pipelines in it, the ranks of each on one clock.
struct ReadTrace
{
    Trace trace;
    std::vector<AlignedPipeline> replicas; ///< at least one
    std::size_t shown = 0;                 ///< of them, --replica
    int runs = 1;                          ///< whole runs in the files, of which one was read
    std::vector<NameRule> rules{};         ///< that its names were read with

    const AlignedPipeline& aligned() const { return replicas[shown]; }
};

/// --rule, --rules and --kernel: how names are read.
std::vector<Option> readingOptions();

/// What these say.
tl::expected<ImportOptions, Failure> importOptions(const Arguments& arguments);

/// --rule, --rules, --kernel, --run and --replica, of every command that reads traces.
std::vector<Option> traceOptions();

/// Imports the files that the words name, by the rules of the options, with a line of progress on a
/// terminal, and finds the pipeline in them; Ctrl-C stops the reading.
tl::expected<ReadTrace, Failure> readTrace(const Arguments& arguments, Console& console);

/// The same for some of the words.
tl::expected<ReadTrace, Failure> readTrace(const std::vector<std::string>& files,
                                           const Arguments& arguments, Console& console);

} // namespace pw::app
