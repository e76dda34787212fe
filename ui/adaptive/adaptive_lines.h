// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/noise/adaptive_k.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pw::ui {

/// What an adaptive run begins with.
struct AdaptiveOutline
{
    std::string backend;
    int iterations = 0;
    std::vector<GroupingPair> pairs;
};

/// An iteration as it was run.
struct AdaptivePoint
{
    Ticks start = 0;
    Ticks time = 0;
    int group = 1;       ///< k
    double slowdown = 1; ///< of its messages
};

/// What is being done besides, in words.
struct AdaptiveSaying
{
    std::string words;
};

/// The end of an adaptive run.
struct AdaptiveTotals
{
    Ticks run = 0, simulated = 0;
    int switches = 0;
    std::vector<Ticks> fixedRun; ///< by pair; empty: were not run
    double firstLoss = 0, lastLoss = 0;
};

using AdaptiveLine = std::variant<AdaptiveOutline, AdaptivePoint, AdaptiveSaying, AdaptiveTotals>;

/// The longest line that is read.
constexpr std::int64_t longestAdaptiveLine = std::int64_t{32} << 20;

/// A line of `pipewright run kfkb --adapt --wire`.
/// @error Syntax, BadValue  not such a line, and why
Result<AdaptiveLine> readAdaptiveLine(std::string_view line);

} // namespace pw::ui
