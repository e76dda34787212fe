// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/study.h"

#include <vector>

namespace pw::app {

/// The option, and what it says where no stages follow it.
constexpr const char* recomputeName = "recompute";
constexpr const char* allStages = "all";

/// --recompute and --replicas: what any schedule can be given, of a family or of a file.
std::vector<Option> reshapeOptions();

/// A study with what the command line asks for on top of its schedule.
tl::expected<Study, Failure> reshaped(Study study, const Arguments& arguments);

} // namespace pw::app
