// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/reading/import_budget.h"
#include "core/trace/activity_kind.h"
#include "core/trace/name_rule.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// How far an import is.
struct ImportProgress
{
    std::int32_t file = 0; ///< that is being read, from 0
    std::int32_t files = 0;
    std::int64_t bytesRead = 0; ///< of all files, as they lie on the disk
    std::int64_t bytes = 0;     ///< a damaged file is read twice and counts once
};

struct ImportOptions
{
    /// Called about every 256 KiB or many times a second from the thread that imports; false stops.
    /// May be empty.
    std::function<bool(const ImportProgress&)> progress{};
    /// A person's, for foreign names; the first that matches a name counts.
    std::vector<NameRule> rules{};
    /// A person's for what kernels do; likewise.
    std::vector<KernelRule> kernels{};
    ImportBudget budget{};
    /// That read files beside each other; 0: as many as the machine has cores. The trace is the
    /// same whatever it is.
    int threads = 0;
};

/// Reads traces of other programs, one or several files as one trace.
///
/// Reads Chrome trace events as Kineto, Megatron's tracer and Pipewright's own export write them,
/// Megatron's timers and logs, Paddle's profiles and logs, Pipewright's wire and table, all plain
/// or gz, and SQLite exports of Nsight Systems (README, "Traces of other programs"). A folder
/// stands for every .json, .json.gz, exported .sqlite and file of Paddle's in it and below it;
/// those without an event are left out, and named in `Trace::warnings`. A file is one rank, by its
/// metadata or its name; or one file has all ranks, by arguments, processes or devices. Memory is
/// that of the spans and their names, and a buffer.
///
/// A pipe is read once, and kept on the disk for as long as this takes.
///
/// @error Io         a file cannot be read, or is a device; a folder has no trace
/// @error TooLarge   more than the budget allows; names the limit
/// @error Syntax     a file that was named is not a trace, or too damaged, with file and byte, or
///                   table and row; or none of a folder is one
/// @error Cancelled  `progress` said so
Result<Trace> importTrace(const std::vector<std::string>& paths, const ImportOptions& options = {});

/// The same for one file in memory. @param name  how messages call it; may say the rank
Result<Trace> importTraceText(std::string_view text, const std::string& name,
                              const std::vector<NameRule>& rules = {});

} // namespace pw
