// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"

#include <string>
#include <vector>

namespace pw::app {

/// What a run of the store becomes: names of --to.
const std::vector<std::string>& runTargets();

/// Whether a word is a run and no file: a number, or last.
bool isRun(const std::string& word);

/// Options that only runs have.
std::vector<Option> runFileOptions();

/// `convert RUN [OUT]`: its passes as events or a table, a picture, an archive, or a web page.
Outcome convertRun(const Arguments& arguments, Console& console);

} // namespace pw::app
