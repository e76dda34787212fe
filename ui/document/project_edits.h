// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/edit/edit.h"
#include "core/io/project_file.h"

#include <string_view>

namespace pw::ui {

/// The edit that makes one project of another.
Edit editBetween(const Project& from, const Project& to);

/// A project with the schedule of a family.
Project projectOf(std::string_view family, const FamilyOptions& options, const UniformCosts& costs);

/// Gives a project whose family makes its schedule the spec that follows from the family's options.
/// @error  there is no such family, or its options do not fit
Result<void> takeSpecOfFamily(Project& project);

/// Whether an edit leaves orders, spec and costs alone.
bool leavesSchedule(const Edit& edit);

/// Whether doing `last` alone gives what doing `first` and then `last` gives: both set the same
/// things as a whole.
bool replaces(const Edit& last, const Edit& first);

/// Does an edit that is known to fit. @return  the way back
Edit applyFitting(Project& project, const Edit& edit);

} // namespace pw::ui
