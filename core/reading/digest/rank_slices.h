// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/reading_rules.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// A store of digests has no slices of single kernels: they are read from the file of a rank when
// they are wanted, on the machine that has it.

/// Which slices are wanted.
struct SliceRequest
{
    std::string file;                        ///< on the machine that is asked
    std::string content;                     ///< its hash, as `rank_file` of a store has it
    std::int32_t rank = -1;                  ///< its number; −1: the only one of the file
    std::int32_t replica = -1;               ///< as `TraceRank::replica`
    std::optional<std::int32_t> iteration{}; ///< none: all that the file has of the rank
    ReadingRules reading{};                  ///< by which its digest was made
};

/// The longest line of a request, in bytes.
constexpr std::size_t longestSliceRequest = std::size_t{1} << 20;

/// One line of JSON.
std::string sliceRequestText(const SliceRequest& request);

/// @error Syntax  says which field
Result<SliceRequest> sliceRequestOf(std::string_view line);

/// Reads them: everything of a rank, or what lies in an iteration as its labels say it; the
/// earliest begins at 0.
/// @error Io        the file is not there any more, or cannot be read
/// @error BadValue  the file has changed since its digest was made, or has no such rank or
/// iteration
/// @error           as of `importTrace`
Result<Trace> rankSlices(const SliceRequest& request);

} // namespace pw
