// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/open_lesson.h"

#include "core/base/try.h"
#include "core/lesson/course.h"
#include "core/lesson/practice.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/text.h"

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

constexpr const char* practiceLead = "practice-"; ///< of the ids of levels made on the spot

/// −1: it is none of the course.
int placeOfLesson(const std::string& id)
{
    const auto all = shippedLessons();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const ShippedLesson& one) { return one.id == id; });
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

} // namespace

OpenLesson::OpenLesson(Lesson lesson, std::string source, int step, const QString& folder)
    : m_lesson(std::move(lesson))
    , m_source(std::move(source))
    , m_folder(folder)
    , m_step(std::clamp(step, 0, std::max(static_cast<int>(m_lesson.steps.size()) - 1, 0)))
{
}

std::optional<OpenLesson> OpenLesson::ofCourse(const std::string& id, int step)
{
    const int place = placeOfLesson(id);
    if (place < 0)
        return std::nullopt;
    const ShippedLesson& shipped = shippedLessons()[static_cast<std::size_t>(place)];
    Result<Lesson> lesson = readLesson(shipped.text, std::string(shipped.id));
    if (!lesson)
        return std::nullopt;
    return OpenLesson(std::move(*lesson), std::string(shipped.text), step, {});
}

Result<OpenLesson> OpenLesson::forPractice(std::uint64_t seed)
{
    PW_TRY(std::string source, practiceLesson(seed));
    PW_TRY(Lesson lesson, readLesson(source, practiceLead + std::to_string(seed)));
    return OpenLesson(std::move(lesson), std::move(source), 0, {});
}

QString OpenLesson::id() const
{
    return text(m_lesson.id);
}

bool OpenLesson::isPractice() const
{
    return m_folder.isEmpty() && m_lesson.id.rfind(practiceLead, 0) == 0;
}

int OpenLesson::placeInCourse() const
{
    return m_folder.isEmpty() ? placeOfLesson(m_lesson.id) : -1;
}

bool OpenLesson::setStep(int step)
{
    if (step < 0 || step >= static_cast<int>(m_lesson.steps.size()))
        return false;
    m_step = step;
    return true;
}

LessonPlace OpenLesson::place() const
{
    const bool more = isPractice() || placeOfLesson(m_lesson.next) >= 0 || !nextFile().isEmpty();
    return {placeInCourse() + 1, static_cast<int>(shippedLessons().size()), m_step, more};
}

const LessonLevel* OpenLesson::level() const
{
    if (empty())
        return nullptr;
    const auto& level = m_lesson.steps[static_cast<std::size_t>(m_step)].level;
    return level ? &*level : nullptr;
}

int OpenLesson::levelNumber() const
{
    const auto begin = m_lesson.steps.begin();
    const auto hasLevel = [](const auto& step) { return step.level.has_value(); };
    return static_cast<int>(std::count_if(begin, begin + m_step, hasLevel));
}

QString OpenLesson::nextFile() const
{
    return text(fileOfNext(m_lesson, m_folder.toStdString()));
}

std::optional<OpenLesson> OpenLesson::before() const
{
    const int place = placeInCourse();
    if (place < 1)
        return std::nullopt;
    const ShippedLesson& before = shippedLessons()[static_cast<std::size_t>(place) - 1];
    std::optional<OpenLesson> open = ofCourse(std::string(before.id), 0);
    if (open)
        open->setStep(static_cast<int>(open->lesson().steps.size()) - 1);
    return open;
}

QString OpenLesson::languageAfter(const QString& language) const
{
    const auto& languages = m_lesson.title.languages;
    std::size_t now = 0;
    while (now < languages.size() && text(languages[now].first) != language)
        ++now;
    return text(languages[(now + 1) % languages.size()].first);
}

} // namespace pw::ui
