// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/reading/file_reading.h"

#include <cstddef>
#include <vector>

namespace pw {

/// How many threads read that many files beside the one that calls; 0: it reads them alone, since
/// another one would only wait for it.
std::size_t readingThreads(const ImportOptions& options, std::size_t files);

/// Reads files beside each other and takes them over in their order, so that the trace is the one
/// that a single thread makes. Progress is told from the thread that calls.
///
/// @param threads  beside the one that calls, which takes over, and reads where none can be had
/// @error          as of `FileReading::take`, of the first file that has one
Result<void> takeBesideEachOther(FileReading& reading, const ImportOptions& options,
                                 const std::vector<ImportFile>& files, std::size_t threads);

} // namespace pw
