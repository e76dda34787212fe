// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/course.h"

#include "core/io/file_problem.h"

#include <algorithm>
#include <filesystem>

namespace pw {

namespace {

bool isShipped(const std::string& id)
{
    const auto all = shippedLessons();
    return std::any_of(all.begin(), all.end(),
                       [&](const ShippedLesson& one) { return one.id == id; });
}

} // namespace

std::string fileOfNext(const Lesson& lesson, const std::string& folder)
{
    const std::string& name = lesson.next;
    if (folder.empty() || name.empty() || isShipped(name) ||
        std::filesystem::path(name).filename() != name || name == ".." || name == ".")
        return {};
    const std::string path = folder + "/" + name + ".json";
    return fileKind(path) == FileKind::Regular ? path : std::string();
}

std::vector<std::string> checkWay(const Lesson& lesson, const std::string& folder)
{
    constexpr std::size_t longest = 100;
    std::vector<std::string> way{lesson.id};
    Lesson at = lesson;
    while (!at.next.empty() && way.size() < longest) {
        const std::string said =
            (way.size() == 1 ? "its next is " : "the next of " + inQuotes(at.id) + " is ") +
            inQuotes(at.next);
        const auto before = std::find(way.begin(), way.end(), at.next);
        if (before != way.end()) {
            std::string circle;
            for (auto one = before; one != way.end(); ++one)
                circle += *one + " > ";
            return {said + ", which leads in a circle: " + circle + at.next};
        }
        const std::string file = fileOfNext(at, folder);
        if (file.empty() && !isShipped(at.next))
            return {said + "; there is no lesson of that id in the program" +
                    (folder.empty()
                         ? ""
                         : ", and no file " + inQuotes(at.next + ".json") + " beside it")};
        auto next = file.empty() ? shippedLesson(at.next) : loadLesson(file);
        if (!next)
            return {said + ", which cannot be read: " + next.error().message};
        way.push_back(at.next);
        at = std::move(*next);
    }
    return {};
}

} // namespace pw
