// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/command.h"
#include "app/study.h"
#include "executor/api/backend.h"

#include <string>
#include <vector>

namespace pw::app {

/// --adapt and what belongs to it, of `pipewright run`.
std::vector<Option> adaptOptions();

/// A message where one of these is given without --adapt, or beside what it cannot go with.
tl::expected<void, Failure> checkAdaptOptions(const Arguments& arguments);

/// `pipewright run kfkb --adapt`: trains, or lets passes take their modelled times, with a k that
/// follows the network; beside every fixed k where that is asked for, and beside the simulation.
///
/// @param backendText  which backend, and why
Outcome runAdapting(const Study& study, const Arguments& arguments, Console& console,
                    exec::Backend& backend, const std::string& backendText, const exec::Stop& stop);

} // namespace pw::app
