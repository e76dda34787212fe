// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/lesson.h"

#include "core/base/names.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"

#include <algorithm>
#include <filesystem>

namespace pw {

LessonLevel::LessonLevel() = default;
PW_VALUE_DEFINED(LessonLevel);

Lesson::Lesson() = default;
PW_VALUE_DEFINED(Lesson);

namespace {

/// Where a language is; where it is not there, the first one.
std::size_t placeOf(const LessonText& text, std::string_view language)
{
    const auto found = std::find_if(text.languages.begin(), text.languages.end(),
                                    [&](const auto& one) { return one.first == language; });
    return found == text.languages.end() ? 0
                                         : static_cast<std::size_t>(found - text.languages.begin());
}

} // namespace

const std::string& LessonText::in(std::string_view language) const
{
    static const std::string none;
    return languages.empty() ? none : languages[placeOf(*this, language)].second;
}

const std::string& LessonText::writtenIn(std::string_view language) const
{
    const std::size_t place = placeOf(*this, language);
    return place < marked.size() && !marked[place].empty() ? marked[place] : in(language);
}

int Lesson::levels() const
{
    return static_cast<int>(std::count_if(
        steps.begin(), steps.end(), [](const LessonStep& step) { return step.level.has_value(); }));
}

std::size_t Lesson::stepOfLevel(int level) const
{
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].level && level-- == 0)
            return i;
    }
    return 0;
}

Result<Lesson> loadLesson(const std::string& path)
{
    PW_TRY(const auto text, readFile(path, maxLessonBytes));
    auto lesson = readLesson(text, std::filesystem::path(path).stem().string());
    if (!lesson)
        return fail(lesson.error().code, "%1: %2", path, lesson.error().message);
    return lesson;
}

Result<Lesson> shippedLesson(std::string_view id)
{
    const auto idOf = [](const ShippedLesson& lesson) { return lesson.id; };
    if (const ShippedLesson* lesson = findNamed(shippedLessons(), id, idOf))
        return readLesson(lesson->text, std::string(lesson->id));
    std::vector<std::string> ids;
    for (const ShippedLesson& lesson : shippedLessons()) {
        ids.emplace_back(lesson.id);
    }
    const std::string near = nearest(id, ids);
    return fail(ErrorCode::BadValue, "there is no lesson %1%2", inQuotes(id),
                near.empty() ? Sentence() : said("; did you mean %1?", near));
}

} // namespace pw
