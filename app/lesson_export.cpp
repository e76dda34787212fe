// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/lesson_export.h"

#include "app/web_application.h"
#include "core/base/display_text.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"

#include <algorithm>
#include <filesystem>
#include <ostream>

namespace pw::app {

namespace {

/// A lesson of the program by its id, or a file; with its text as it stands.
Result<ExportedLesson> exportedLesson(const std::string& word)
{
    for (const ShippedLesson& lesson : shippedLessons()) {
        if (lesson.id == word)
            return ExportedLesson{word, std::string(lesson.text)};
    }
    if (fileKind(word) == FileKind::Missing) {
        PW_TRY([[maybe_unused]] const Lesson none, shippedLesson(word));
    }
    PW_TRY(std::string text, readFile(word, maxLessonBytes));
    return ExportedLesson{std::filesystem::path(word).stem().string(), std::move(text)};
}

std::vector<std::string> wordsOf(const Arguments& arguments)
{
    std::vector<std::string> words(arguments.words().begin() + 1, arguments.words().end());
    if (arguments.has("course"))
        for (const ShippedLesson& lesson : shippedLessons())
            words.emplace_back(lesson.id);
    return words;
}

} // namespace

Outcome exportLessons(const Arguments& arguments, Console& console)
{
    const std::vector<std::string> words = wordsOf(arguments);
    if (words.empty())
        return usage("lesson export takes lessons, ids as `pipewright lesson list` has them or "
                     "files, or --course for all of the program");
    std::vector<ExportedLesson> lessons;
    std::vector<std::string> languages;
    std::string title = "Pipewright";
    for (const std::string& word : words) {
        PW_TRY(ExportedLesson exported, exportedLesson(word));
        PW_TRY(const Lesson lesson, readLesson(exported.text, exported.id));
        for (const auto& [code, text] : lesson.title.languages)
            if (std::find(languages.begin(), languages.end(), code) == languages.end())
                languages.push_back(code);
        if (words.size() == 1)
            title = lesson.title.in(arguments.text("language", "en"));
        lessons.push_back(std::move(exported));
    }
    if (arguments.has("language")) {
        const std::string asked = arguments.text("language", {});
        if (std::find(languages.begin(), languages.end(), asked) == languages.end())
            return usage("none of the lessons is in the language " + quotedWord(asked));
        languages = {asked};
    }
    PW_TRY(const std::string page, lessonPage(title, lessons, languages));
    if (arguments.text("to", "html") != "html")
        return usage("lesson export writes html alone");
    const std::string target = arguments.text("output", "-");
    if (target == "-") {
        console.out << page;
        return ExitCode::Good;
    }
    PW_DO(writeFile(target, page));
    return ExitCode::Good;
}

} // namespace pw::app
