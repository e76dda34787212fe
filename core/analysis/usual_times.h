// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/schedule.h"
#include "core/sim/simulator.h"

#include <cstddef>
#include <span>
#include <vector>

namespace pw {

/// How many iterations say what is usual, the first ones: 64, fewer where they are long.
std::size_t usualIterations(const Schedule& schedule);

/// The usual time of every entry: the lower median over entries of the same kinds, stage and
/// segment in all the timelines. Entries without a time are left out.
std::vector<Ticks> usualTimes(const Schedule& schedule, std::span<const SimResult> timelines);

/// The mean of usual times over the stages, by entry: what each would take with the work split
/// evenly.
/// @param usual  as of `usualTimes`
std::vector<Ticks> evenTimes(const Schedule& schedule, std::span<const Ticks> usual);

} // namespace pw
