// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"

#include <string>
#include <vector>

namespace pw::app {

/// The text of a lesson with a level of what words name: a file of a schedule, a run, or the files
/// of a trace. --micro-batches and --search-nodes of the command line count.
tl::expected<std::string, Failure> lessonOfWords(const std::vector<std::string>& names,
                                                 const Arguments& arguments, Console& console);

} // namespace pw::app
