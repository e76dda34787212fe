// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/emit_folder.h"
#include "app/study.h"

#include <string>
#include <vector>

namespace pw::app {

/// Whether a word is a target of `emit`.
/// @error Usage  names all
tl::expected<void, Failure> checkEngine(const std::string& target);

/// The files of a target for its folder, as `emit` writes them.
///
/// @param split      layers of every stage of the study's schedule
/// @param arguments  for --global-batch
/// @error Failure    what the target cannot hold
tl::expected<std::vector<EmittedFile>, Failure> engineFiles(const std::string& target,
                                                            const Study& study, LayerSplit split,
                                                            const Arguments& arguments);

} // namespace pw::app
