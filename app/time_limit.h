// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/options.h"

#include <string>
#include <string_view>

namespace pw::app {

/// The name of the option for how long a search or an answer may take, and of the searches'
/// parameter.
constexpr const char* timeLimitName = "time-limit";

/// --time-limit SECONDS of a command.
///
/// @param summary  what it is the time of, with the default
/// @param most     seconds
/// @param old      what the command called it before
Option timeLimitOption(std::string summary, double most, std::string_view old,
                       std::string section = {});

} // namespace pw::app
