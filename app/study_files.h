// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/study.h"
#include "core/io/schedule_file.h"

#include <string>
#include <vector>

namespace pw::app {

/// --communication, --order, --title, --notes, --width: how a file is written.
std::vector<Option> contentOptions();

/// A study as a project: the family that makes it where one does, else the order.
/// @param order  the order in any case
Project projectOf(const Study& study, bool order = false);

/// The text of a study in a format; timelines are simulated with its costs.
/// @error  what the format cannot hold, or a deadlock
Result<std::string> studyContent(const Study& study, FileFormat format, const Arguments& arguments);

} // namespace pw::app
