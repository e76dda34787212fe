// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/project_file.h"

#include <chrono>
#include <memory>

namespace pw {

// Making the schedule of a project takes microseconds for most families, and seconds for some that
// search. What took long is remembered, so that asking again for the same project is quick.

using SchedulePtr = std::shared_ptr<const Schedule>;

/// How long the schedule of a project takes to make, by its family and its number of passes.
enum class Making : std::uint8_t
{
    Quick,
    Uncertain, ///< a search over few passes: mostly quick
    Slow
};

Making makingOf(const Project& project);

/// The schedule of a project, as `scheduleOf` makes it. One that is not quick to make is remembered
/// until many others have come, unless `stopAsked` ended the work. Threads may call it together.
///
/// @error  as `scheduleOf`; any, where the work was ended
Result<SchedulePtr> madeSchedule(const Project& project);

/// Makes what is missing remembered, as a history does with schedules of its own. Nothing for a
/// project that is quick to make.
void rememberSchedule(const Project& project, SchedulePtr schedule);

/// Whether `madeSchedule` and `scheduleOf` give their answer without a long search.
///
/// @param patience  that may be spent on finding out; at its end the answer is no
bool madeAtOnce(const Project& project, std::chrono::milliseconds patience);

} // namespace pw
