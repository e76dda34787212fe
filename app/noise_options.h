// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "core/noise/noise.h"

#include <string>
#include <vector>

namespace pw::app {

/// --jitter, --slow, --slow-link and --trace-link.
/// @param usual  the jitter where none is given, in words
std::vector<Option> noiseOptions(const std::string& usual = "5");

/// The noise that a command line asks for, for so many devices.
///
/// @error Usage  a text that is none, or a rank that is not there
tl::expected<NoiseModel, Failure> noiseOf(const Arguments& arguments, int devices);

/// The model in words: "passes ±5 %, messages ±20 %; rank 3 takes 1.2 times as long".
std::string noiseText(const NoiseModel& model);

} // namespace pw::app
