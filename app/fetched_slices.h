// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "core/base/result.h"
#include "core/store/slice_store.h"
#include "core/trace/reading_rules.h"

#include <optional>
#include <string>

namespace pw::app {

/// What a rank did, by its own trace file.
struct FetchedSlices
{
    KeptRankFile file;
    StoredTrace trace;
};

/// What is asked of a rank, and how.
struct RankQuestion
{
    std::int32_t rank = 0;
    std::optional<std::int32_t> iteration{}; ///< none: all of it
    /// A command line that ends with the program, as "ssh node pipewright"; empty: only this
    /// machine.
    std::string via{};
    ReadingRules reading{}; ///< of each kind where there are none those of its digest
};

/// Fetches slices of a rank of a run whose digests were merged: from its file where it is on this
/// machine, else over a connection.
///
/// @error BadValue    the run keeps no file of the rank; the file has changed
/// @error Io          it is not on this machine and there is no connection, or the machine cannot
///                    be reached; says what ssh said
Result<FetchedSlices> fetchedSlices(const std::string& store, RunNumber run,
                                    const RankQuestion& question);

/// Lanes of what was fetched, one line each.
Result<std::string> fetchedLanes(const FetchedSlices& slices, const Screen& screen);

/// Every slice as JSON: its lane, name, kind, depth, and when it ran, in milliseconds from the
/// first.
std::string fetchedJson(const FetchedSlices& slices);

} // namespace pw::app
