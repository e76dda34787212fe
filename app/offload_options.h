// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/study.h"

#include <vector>

namespace pw::app {

/// Of `optimise`: the search chooses what goes.
constexpr const char* chooseOffloadName = "choose-offload";

/// --offload and --host-link.
std::vector<Option> offloadOptions();

/// Chooses anew what the costs decide: hidden, fitting. Nothing for a list of cells.
tl::expected<void, Failure> chooseOffload(Study& study, const Arguments& arguments);

/// Marks what the command line offloads; a list there takes the place of the file's.
tl::expected<void, Failure> applyOffload(Study& study, const Arguments& arguments);

} // namespace pw::app
