// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

namespace pw::ui {

/// The program `pipewright-studio`: the window, or with --render a figure without one.
///
/// @return  its exit code: 0 good, 1 something asked for cannot be, 2 the command line is wrong
int runStudio(int argc, char** argv);

} // namespace pw::ui
