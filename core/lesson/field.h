// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"

#include <set>
#include <string>
#include <vector>

namespace pw {

/// A schedule on the plane of time and memory.
struct FieldPoint
{
    std::string family; ///< id; empty: a person's own
    std::string title;
    Ticks makespan = 0;
    Share peak = 0; ///< the worst device

    friend bool operator==(const FieldPoint&, const FieldPoint&) = default;
};

/// Where every family stands that can be made for the devices and times of a level and the
/// micro-batches of a solution, with its default parameters: the field that it is seen in. Where
/// each device has a time of its own, chunks take equal parts of it. Families that search long,
/// keep more than one weight version or need another shape than the level's times know are left
/// out. Empty for levels of anything but orders and choices.
///
/// @param microBatches  of the solution: a level may let choose how many, and other work cannot be
///                      compared
/// @complexity  O(families · passes)
std::vector<FieldPoint> familyField(const LessonLevel& level, int microBatches);

/// Leaves only points of these families.
void keepFamilies(std::vector<FieldPoint>& field, const std::set<std::string>& ids);

/// Ids of the families that a lesson shows or lets choose up to a step, and with it.
std::set<std::string> familiesMet(const Lesson& lesson, std::size_t step);

/// The same for a lesson of the program, and all that come before it there.
std::set<std::string> familiesMetInCourse(const Lesson& lesson, std::size_t step);

} // namespace pw
