// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string>

namespace pw::ui {

struct LessonPlace;

/// The lesson that is open, where it comes from, and which of its steps is open. A lesson is one of
/// the course, of a file, or made on the spot for practice.
class OpenLesson
{
public:
    OpenLesson() = default;
    /// @param source  the text of its file
    /// @param folder  of the file; empty: it has none
    OpenLesson(Lesson lesson, std::string source, int step, const QString& folder);

    /// Of a lesson of the course. @return  none: there is no such lesson
    static std::optional<OpenLesson> ofCourse(const std::string& id, int step);
    /// A level for practice, another one for each seed. @complexity as of `practiceLesson`
    static Result<OpenLesson> forPractice(std::uint64_t seed);

    bool empty() const { return m_lesson.steps.empty(); }
    const Lesson& lesson() const { return m_lesson; }
    QString id() const;
    const std::string& source() const { return m_source; }
    /// Whether it is made on the spot.
    bool isPractice() const;
    /// Of the lessons of the course, from 0; −1: another one.
    int placeInCourse() const;

    int step() const { return m_step; }
    /// @return  false: the lesson has no such step
    bool setStep(int step);
    /// Where the step stands.
    LessonPlace place() const;
    /// Of the step; null: it has none.
    const LessonLevel* level() const;
    /// Of the step's level, from 0 through the lesson.
    int levelNumber() const;

    /// The file beside its own that comes next; empty: there is none.
    QString nextFile() const;
    /// The last step of the lesson before it in the course; none: it is the first, or none of it.
    std::optional<OpenLesson> before() const;
    /// The language behind one, around all that it has texts in.
    QString languageAfter(const QString& language) const;

private:
    Lesson m_lesson;
    std::string m_source;
    QString m_folder;
    int m_step = 0;
};

} // namespace pw::ui
