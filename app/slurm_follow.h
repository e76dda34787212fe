// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/slurm_queue.h"
#include "executor/api/stop.h"

#include <functional>
#include <string>
#include <string_view>

namespace pw::app {

/// Who hears of a job while it waits and runs.
struct SlurmEars
{
    /// Bytes of its output, as they come; true where nothing more is needed.
    std::function<bool(std::string_view)> output;
    /// A new state in words: "waits for free nodes (Resources)".
    std::function<void(const std::string&)> state;
    /// Nothing has happened for a while.
    std::function<void()> alive;
};

/// Follows a job to its end: asks Slurm how far it is, seldom where nothing changes, and reads the
/// file that it writes. Where it is stopped, the job is cancelled, and what it says then is heard.
///
/// @return       the last state that was seen
/// @error Fault  Slurm does not answer any more
Result<SlurmJobState> followSlurmJob(const std::string& job, const std::string& outputFile,
                                     const SlurmEars& ears, const exec::Stop& stop);

/// The last lines of a file of a job, without empty ones; empty where it cannot be read.
std::string lastLinesOf(const std::string& path, int most);

} // namespace pw::app
