// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/store/run_store.h"
#include "core/store/stored_trace.h"
#include "core/trace/reading_rules.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// Slices that are fetched from the file of a rank: which file that is, and how slices travel.

/// The file of a rank whose digest was merged.
struct KeptRankFile
{
    std::int32_t rank = -1; ///< its number
    std::int32_t replica = -1;
    std::string path;      ///< absolute, on its machine
    std::string host;      ///< that machine, by its own name
    std::string content;   ///< hash of it
    ReadingRules readBy{}; ///< when its digest was made
};

/// Those of a run, of one rank; several where its recording is in several files.
/// @param rank  its number; −1: of all ranks
/// @error       as of `RunStore`
Result<std::vector<KeptRankFile>> rankFiles(const std::string& store, RunNumber run,
                                            std::int32_t rank);

/// A trace as a store with one run, so that nothing of it is lost on the way: a word that says so,
/// and the bytes of its file as hexadecimal digits, which pass every terminal and shell.
/// @error  as of `keepTraceActivity`
Result<std::string> sliceText(Trace trace, const std::string& title);

/// The same again. What a login shell wrote before it is left aside.
/// @error Io  there is no such text in it, or not all of it
/// @error     as of `loadStoredTrace`
Result<StoredTrace> traceOfSliceText(std::string_view text);

} // namespace pw
