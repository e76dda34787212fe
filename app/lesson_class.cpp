// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/lesson_class.h"

#include "app/text_table.h"
#include "core/base/display_text.h"
#include "core/base/text.h"
#include "core/io/svg_text.h"
#include "core/lesson/lesson.h"

namespace pw::app {

namespace {

constexpr std::size_t worstShown = 5;

std::string_view signOf(ClassMark mark)
{
    switch (mark) {
    case ClassMark::None:
        return "·";
    case ClassMark::Tried:
        return "○";
    case ClassMark::Helped:
        return "◐";
    case ClassMark::Solved:
        return "●";
    }
    return {};
}

std::string_view wordOf(ClassMark mark)
{
    switch (mark) {
    case ClassMark::None:
        return "";
    case ClassMark::Tried:
        return "tried";
    case ClassMark::Helped:
        return "solved with hints";
    case ClassMark::Solved:
        return "solved";
    }
    return {};
}

std::string levelName(const ClassLevel& level)
{
    return level.lesson + " " + std::to_string(level.level + 1);
}

std::string questionName(const ClassQuestion& question)
{
    return question.lesson + " step " + std::to_string(question.step + 1);
}

/// The words of the wrong answer that most gave; of a lesson that is not known, its number.
std::string commonestOf(const ClassQuestion& question)
{
    if (question.commonest < 0)
        return {};
    const auto step = static_cast<std::size_t>(question.step);
    const auto number = static_cast<std::size_t>(question.question);
    const auto chosen = static_cast<std::size_t>(question.commonest);
    const auto lesson = shippedLesson(question.lesson);
    if (lesson && step < lesson->steps.size() && number < lesson->steps[step].questions.size()) {
        const LessonQuestion& asked = lesson->steps[step].questions[number];
        if (chosen < asked.answers.size())
            return asked.answers[chosen].in("en");
    }
    return "answer " + std::to_string(question.commonest + 1);
}

std::string csvCell(std::string_view text)
{
    std::string cell = "\"";
    // A spreadsheet takes these for a formula.
    if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos)
        cell += '\'';
    for (const char c : text) {
        if (c == '"')
            cell += '"';
        cell += c;
    }
    return cell + "\"";
}

std::string inHtml(std::string_view text)
{
    return svgEscaped(displayText(text));
}

std::string marksOf(const ClassLevel& level)
{
    std::string marks;
    for (const ClassMark mark : level.marks)
        marks += signOf(mark);
    return marks;
}

std::string questionsText(const ClassMap& map, const Screen& screen)
{
    using Align = TextTable::Align;
    TextTable table(screen, {{"question", "", Align::Left},
                             {"right"},
                             {"asked"},
                             {"commonest wrong answer", "", Align::Left},
                             {"times"}});
    for (const ClassQuestion& question : map.questions)
        table.append({displayText(questionName(question)), std::to_string(question.right),
                      std::to_string(question.asked), displayText(commonestOf(question)),
                      question.commonest < 0 ? "" : std::to_string(question.times)});
    return table.text(0);
}

} // namespace

std::string classText(const ClassMap& map, const Screen& screen)
{
    using Align = TextTable::Align;
    TextTable table(screen, {{"level", "", Align::Left},
                             {"who", "", Align::Left},
                             {"solved"},
                             {"stuck"},
                             {"tries"},
                             {"hints"}});
    for (const ClassLevel& level : map.levels)
        table.append({displayText(levelName(level)), marksOf(level), std::to_string(level.solved),
                      std::to_string(level.stuck()),
                      level.solved > 0 ? plainNumber(level.medianTries) : "-",
                      std::to_string(level.hints)});
    std::string text = table.text(0);
    text += "\nwho, from left to right:";
    for (std::size_t i = 0; i < map.people.size(); ++i)
        text += (i == 0 ? " " : ", ") + displayText(map.people[i]);
    text +=
        "\n● solved, ◐ solved with hints, ○ tried, · not reached; tries: the median of those who "
        "solved it\n";
    const auto worst = map.worst(worstShown);
    if (!worst.empty())
        text += "\nMost are stuck in:\n";
    for (const ClassLevel& level : worst)
        text += "  " + displayText(levelName(level)) + ": " + std::to_string(level.stuck()) +
                " of " + std::to_string(level.reached) + "\n";
    return map.questions.empty() ? text : text + "\n" + questionsText(map, screen);
}

std::string classCsv(const ClassMap& map)
{
    std::string csv = "lesson,level,solved,stuck,median tries,hints";
    for (const std::string& who : map.people)
        csv += "," + csvCell(who);
    csv += "\n";
    for (const ClassLevel& level : map.levels) {
        csv += csvCell(level.lesson) + "," + std::to_string(level.level + 1) + "," +
               std::to_string(level.solved) + "," + std::to_string(level.stuck()) + "," +
               plainNumber(level.medianTries) + "," + std::to_string(level.hints);
        for (const ClassMark mark : level.marks)
            csv += "," + std::string(wordOf(mark));
        csv += "\n";
    }
    csv += "\nlesson,step,right,asked,commonest wrong answer,times\n";
    for (const ClassQuestion& question : map.questions)
        csv += csvCell(question.lesson) + "," + std::to_string(question.step + 1) + "," +
               std::to_string(question.right) + "," + std::to_string(question.asked) + "," +
               csvCell(commonestOf(question)) + "," + std::to_string(question.times) + "\n";
    return csv;
}

std::string classHtml(const ClassMap& map)
{
    std::string page =
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'\">\n<title>Where the class is</title>\n<style>\n"
        "body{font:14px sans-serif;margin:2em}table{border-collapse:collapse;margin-bottom:2em}\n"
        "td,th{border:1px solid #ccc;padding:2px 6px;text-align:right}\n"
        "td:first-child,th:first-child,td.words{text-align:left}\n"
        "td.solved{background:#0072b2;color:#fff}td.helped{background:#56b4e9}td.tried{background:"
        "#e69f00}\n</style></head><body>\n<h1>Where the class is</h1>\n<table><tr><th>level</th>";
    for (const std::string& who : map.people)
        page += "<th>" + inHtml(who) + "</th>";
    page += "<th>solved</th><th>stuck</th><th>median tries</th><th>hints</th></tr>\n";
    for (const ClassLevel& level : map.levels) {
        page += "<tr><td>" + inHtml(levelName(level)) + "</td>";
        for (const ClassMark mark : level.marks)
            page += std::string("<td class=\"") +
                    (mark == ClassMark::Solved   ? "solved"
                     : mark == ClassMark::Helped ? "helped"
                     : mark == ClassMark::Tried  ? "tried"
                                                 : "none") +
                    "\" title=\"" + std::string(wordOf(mark)) + "\">" + std::string(signOf(mark)) +
                    "</td>";
        page += "<td>" + std::to_string(level.solved) + "</td><td>" +
                std::to_string(level.stuck()) + "</td><td>" + plainNumber(level.medianTries) +
                "</td><td>" + std::to_string(level.hints) + "</td></tr>\n";
    }
    page += "</table>\n<table><tr><th>question</th><th>right</th><th>asked</th><th>commonest wrong "
            "answer</th><th>times</th></tr>\n";
    for (const ClassQuestion& question : map.questions)
        page += "<tr><td>" + inHtml(questionName(question)) + "</td><td>" +
                std::to_string(question.right) + "</td><td>" + std::to_string(question.asked) +
                "</td><td class=\"words\">" + inHtml(commonestOf(question)) + "</td><td>" +
                std::to_string(question.times) + "</td></tr>\n";
    return page + "</table>\n<p>● solved, ◐ solved with hints, ○ tried, · not reached</p>\n"
                  "</body></html>\n";
}

} // namespace pw::app
