// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "core/analysis/what_if.h"

#include <string>
#include <vector>

namespace pw::app {

/// What is written of a prediction, and what it is called.
struct PredictedOrder
{
    const Prediction& prediction;
    std::string title;
    std::string notes;        ///< of the project, and of a file beside those of an engine
    std::vector<int> split{}; ///< layers of every stage; empty: not known
};

/// --save, --emit and --to.
std::vector<Option> predictedFileOptions();

/// Whether a command line asks for files; what is wrong with how it asks.
tl::expected<bool, Failure> asksForFiles(const Arguments& arguments);

/// Writes what the command line asks for: --save FILE a project, a schedule file of PyTorch or a
/// text, --emit ENGINE --to FOLDER the files of an engine. Tells what is there, but with --json.
tl::expected<void, Failure> writePredicted(const PredictedOrder& order, const Arguments& arguments,
                                           Console& console);

} // namespace pw::app
