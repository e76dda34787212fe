// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace pw::app {

/// The program `pipewright-studio`: beside this one, else on the path; empty: nowhere.
std::string studioProgram();

/// Has the studio draw something without a display, and waits for it. What it says goes to standard
/// error.
///
/// @param words    its arguments
/// @param purpose  what it is needed for, for the error: "a PDF"
/// @error BadValue the studio is not there, or could not do it
Result<void> runStudio(const std::vector<std::string>& words, const std::string& purpose);

} // namespace pw::app
