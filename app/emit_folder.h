// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/io/whole_folder.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <string>
#include <vector>

namespace pw::app {

inline constexpr const char* csvName = "schedule.csv";
inline constexpr const char* projectName = "plan.pipewright.json";

/// A file of a folder that is written for another engine.
using EmittedFile = FolderFile;

/// A project that holds the order itself, whatever family made it.
Result<std::string> emittedProject(const Schedule& schedule, const Costs& costs,
                                   const std::string& title);

/// Everything that runs a schedule in PyTorch's own runtime: schedule, project, driver, README.
///
/// @error BadValue  what PyTorch's schedule file cannot hold, as of `torchTable`, or an update
///                  rule or a file that does not read back
Result<std::vector<EmittedFile>> torchFolder(const Schedule& schedule, const Costs& costs,
                                             const std::string& title);

} // namespace pw::app
