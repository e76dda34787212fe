// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "core/io/schedule_file.h"

#include <string>
#include <vector>

namespace pw::app {

/// --from and --dialect.
std::vector<Option> fileOptions();

/// Reads a file of a schedule: of the format of --from, of its name, or of its content.
///
/// @param path    "-" for standard input
/// @error Failure  the file cannot be read at all, or its format is only written
tl::expected<ScheduleFile, Failure> readScheduleFile(const std::string& path,
                                                     const Arguments& arguments);

} // namespace pw::app
