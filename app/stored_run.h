// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "app/store_path.h"
#include "core/io/project_file.h"
#include "core/store/run_store.h"
#include "core/store/stored_iteration.h"
#include "core/trace/match.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw::app {

/// --iteration N.
Option iterationOption();

/// The store of a command line, to read.
tl::expected<RunStore, Failure> storeToRead(const Arguments& arguments);

/// The run that a word means: a number, or "last".
tl::expected<RunNumber, Failure> runOfWord(RunStore& store, const std::string& word);

/// Loads an iteration: that of --iteration, else the counted one whose makespan is the median.
tl::expected<StoredIteration, Failure> iterationOf(RunStore& store, RunNumber run,
                                                   const Arguments& arguments);

/// A moment as people read it, UTC: "2026-11-21 03:20".
std::string momentText(std::int64_t sinceEpochMs);

} // namespace pw::app
