// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/emit_folder.h"
#include "app/study.h"

#include <string>
#include <vector>

namespace pw::app {

/// The engines and clusters that a schedule is written for.
const std::vector<std::string>& engineTargets();
bool isEngine(const std::string& target);

/// Whether a word is one of them.
/// @error Usage  names all
tl::expected<void, Failure> checkEngine(const std::string& target);

/// The files of a target for its folder.
///
/// @param split      layers of every stage of the study's schedule
/// @param arguments  for --global-batch
/// @error Failure    what the target cannot hold
tl::expected<std::vector<EmittedFile>, Failure> engineFiles(const std::string& target,
                                                            const Study& study, LayerSplit split,
                                                            const Arguments& arguments);

/// Options that only targets of engines have.
std::vector<Option> engineTargetOptions();

/// `convert INPUT [OUT]` for an engine: its files in the folder OUT, or its text on standard
/// output.
Outcome convertToEngine(const std::string& target, const Arguments& arguments, Console& console);

/// Whether a word names a file that speaks of `pp_deg`, as Galvatron's strategies do.
bool isStrategy(const std::string& word);

/// A strategy of Galvatron as the text of a project whose family makes the order.
/// @error Wrong  what cannot be read, or no family has
tl::expected<std::string, Failure> strategyProject(const std::string& path);

} // namespace pw::app
