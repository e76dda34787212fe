// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/types.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// Peaks of the ranks of one pipeline from a table: comma-separated, the first line names the
/// columns. `rank`, from 0 on, and one of `peak_bytes`, `peak_kib`, `peak_mib`, `peak_gib` and
/// `peak_gb`; others are not looked at. Lines stand in any order.
///
/// @return          bytes, by rank
/// @error Syntax    a missing column, a line with another number of cells, a cell that is no
///                  number; names the line
/// @error BadValue  a rank that is there twice or beyond the last, or missing
Result<std::vector<Bytes>> parseRankPeaks(std::string_view text);

/// The same from a file of at most 16 MiB.
Result<std::vector<Bytes>> readRankPeaks(const std::string& path);

} // namespace pw
