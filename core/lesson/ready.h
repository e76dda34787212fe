// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/edit.h"
#include "core/lesson/lesson.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pw {

/// A pass that can come next on its device: everything that it waits for has its place.
struct ReadyPass
{
    DeviceId device{0};
    Pass pass;
    Ticks start = 0; ///< behind the entries that the device has
    Ticks end = 0;

    friend bool operator==(const ReadyPass&, const ReadyPass&) = default;
};

/// The passes of a level of orders that can come next, by start, then device. Of passes that differ
/// in their micro-batch alone it is the first, and of backwards the last, too, where the goal is an
/// order of its own; one that no goal on the peak leaves room for is not among them. Empty for
/// other levels, and where the order is wrong.
std::vector<ReadyPass> readyPasses(const LessonLevel& level, const Project& project);

/// The edit that puts a ready pass behind those of its device.
Edit placeReady(const Project& project, const ReadyPass& ready);

/// The pass that the second hint of a level points at; none: it points at none, or at what is no
/// pass of its device.
std::optional<Pass> hintedPass(const LessonLevel& level);

/// Why no more passes were placed.
enum class ReadyEnd : std::uint8_t
{
    Wrong,       ///< the order is not one that passes can be added to
    Complete,    ///< the micro-batch is complete now
    WasComplete, ///< it was before
    Blocked,     ///< `first` cannot come: the goal on the peak, or what it waits for
    Whole,       ///< every pass has its place
    None,        ///< no pass can come within the goals
    Choice,      ///< the device can as well run `second` as `first`
    Many         ///< as many as are placed at once
};

/// Passes that were placed, and why not more.
struct ReadyRun
{
    Edit edit; ///< all of them as one step; empty: none
    int passes = 0;
    ReadyEnd end = ReadyEnd::Wrong;
    DeviceId device{0}; ///< of Choice
    Pass first, second; ///< of Blocked and Choice; Complete and WasComplete: the micro-batch alone
};

/// All passes of a micro-batch that are missing, each as early as it can be behind those of its
/// device.
ReadyRun completeMicroBatch(const LessonLevel& level, const Project& project, int microBatch);

/// Places the pass that can start first, again and again, until its device could as well run
/// another one in that time: what is left to decide is a person's.
ReadyRun runUntilChoice(const LessonLevel& level, const Project& project);

} // namespace pw
