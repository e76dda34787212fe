// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/compose.h"
#include "core/edit/edit.h"
#include "core/lesson/lesson.h"

#include <string>

namespace pw {

/// The edit that an act of a demonstration is.
/// @error BadValue, BadSchedule  the act is impossible here: which device, position or pass
Result<Edit> editOf(const LessonLevel& level, const Project& project, const LessonAct& act);

/// One of the choices of a level, with the times that it has there.
Result<Proposal> fillWithChoice(const LessonLevel& level, const Project& project,
                                const FamilyChoice& choice);

/// Whether a project has the times that the level gives it.
bool hasTimesOf(const LessonLevel& level, const Project& project);

/// Plays the first acts of a demonstration on a project.
/// @param acts  how many; −1: all
/// @error       of the act that cannot be, with its number
Result<Project> play(const LessonLevel& level, Project project, int acts = -1);

/// An act in words: "F 0 and 3 more behind the passes of device 1".
std::string actText(const LessonAct& act);

} // namespace pw
