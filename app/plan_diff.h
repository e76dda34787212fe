// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"

namespace pw::app {

/// Whether the words of a command line are a file of a schedule and traces of a run of it.
bool isPlanAndTrace(const Arguments& arguments);

/// Prints a plan beside a recorded run of it, pass by pass, and where the run lost time.
///
/// The words are the file of the plan and the files or the folder of the trace. The plan is timed
/// with its own costs, else with those that fit the run. Uses --top, --json and --fit.
Outcome planDiff(const Arguments& arguments, Console& console);

} // namespace pw::app
