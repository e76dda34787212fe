// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"
#include "core/lesson/results.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw::ui {

/// How one stands in a level of the course.
struct CourseLevel
{
    std::string title; ///< of its step
    int step = 0;      ///< of the lesson, from 0
    LessonPar par;     ///< a medal for each number that is there
    LevelResult result;
};

struct CourseLesson
{
    std::string id;
    std::string title;
    std::vector<CourseLevel> levels;
};

/// What there is and what was won, over levels.
struct CourseTotals
{
    int levels = 0, solved = 0;
    int timeMedals = 0, memoryMedals = 0, messageMedals = 0; ///< won
    int medals = 0, medalsOffered = 0;
    int tries = 0, hints = 0;

    void add(const CourseLevel& level);
    void add(const CourseTotals& more);
};

CourseTotals totalsOf(const CourseLesson& lesson);
CourseTotals totalsOf(const std::vector<CourseLesson>& course);

/// All lessons of the program with what somebody has done in them.
/// @param language  of the titles, where a lesson has it
std::vector<CourseLesson> courseOf(const LessonResults& results, std::string_view language);

/// What was done in levels that are not of the course: of files, and practice.
std::vector<LevelResult> besidesCourse(const LessonResults& results);

} // namespace pw::ui
