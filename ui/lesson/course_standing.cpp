// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/course_standing.h"

#include <algorithm>
#include <iterator>

namespace pw::ui {

void CourseTotals::add(const CourseLevel& level)
{
    const LevelResult& result = level.result;
    ++levels;
    solved += result.solved ? 1 : 0;
    timeMedals += result.time ? 1 : 0;
    memoryMedals += result.memory ? 1 : 0;
    messageMedals += result.messages ? 1 : 0;
    medals += (result.time ? 1 : 0) + (result.memory ? 1 : 0) + (result.messages ? 1 : 0);
    medalsOffered += (level.par.time ? 1 : 0) +
                     (level.par.memory || !level.par.curve.empty() ? 1 : 0) +
                     (level.par.messages ? 1 : 0);
    tries += result.tries;
    hints += result.hints;
}

void CourseTotals::add(const CourseTotals& more)
{
    levels += more.levels;
    solved += more.solved;
    timeMedals += more.timeMedals;
    memoryMedals += more.memoryMedals;
    messageMedals += more.messageMedals;
    medals += more.medals;
    medalsOffered += more.medalsOffered;
    tries += more.tries;
    hints += more.hints;
}

CourseTotals totalsOf(const CourseLesson& lesson)
{
    CourseTotals totals;
    for (const CourseLevel& level : lesson.levels)
        totals.add(level);
    return totals;
}

CourseTotals totalsOf(const std::vector<CourseLesson>& course)
{
    CourseTotals totals;
    for (const CourseLesson& lesson : course)
        totals.add(totalsOf(lesson));
    return totals;
}

std::vector<CourseLesson> courseOf(const LessonResults& results, std::string_view language)
{
    std::vector<CourseLesson> course;
    for (const ShippedLesson& shipped : shippedLessons()) {
        const auto lesson = readLesson(shipped.text, std::string(shipped.id));
        if (!lesson)
            continue; // a test keeps it from being shipped
        CourseLesson entry{lesson->id, lesson->title.in(language), {}};
        for (int number = 0; number < lesson->levels(); ++number) {
            const std::size_t step = lesson->stepOfLevel(number);
            CourseLevel level;
            level.title = lesson->steps[step].title.in(language);
            level.step = static_cast<int>(step);
            level.par = lesson->level(number).par;
            if (const LevelResult* result = results.find(lesson->id, number))
                level.result = *result;
            entry.levels.push_back(std::move(level));
        }
        course.push_back(std::move(entry));
    }
    return course;
}

std::vector<LevelResult> besidesCourse(const LessonResults& results)
{
    const auto all = shippedLessons();
    std::vector<LevelResult> besides;
    std::copy_if(results.levels.begin(), results.levels.end(), std::back_inserter(besides),
                 [&](const LevelResult& result) {
                     return std::none_of(all.begin(), all.end(), [&](const ShippedLesson& one) {
                         return one.id == result.lesson;
                     });
                 });
    return besides;
}

} // namespace pw::ui
