// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/web_application.h"

#include "app/manual.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/glossary.h"
#include "core/io/json_text.h"
#include "core/io/lanes_json.h"
#include "core/io/own_program.h"
#include "core/io/web_page.h"
#include "core/system/process.h"

#include <filesystem>

namespace pw::app {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t longestPage = std::int64_t{16} << 20;
constexpr const char* pageName = "pipewright-web.html";

/// Where the page may be, the likeliest first.
std::vector<fs::path> places()
{
    if (const std::optional<std::string> named = sys::variable("PIPEWRIGHT_WEB_PAGE"))
        return {*named};
    const fs::path folder = ownProgram().parent_path();
    std::vector<fs::path> all{folder.parent_path() / "share/pipewright/web" / pageName};
    if (folder.filename() == "app") // of a build: build/dev/app, and beside it build/web
        all.push_back(folder.parent_path().parent_path() / "web" / pageName);
    return all;
}

Result<std::string> emptyPage()
{
    for (const fs::path& place : places())
        if (fileKind(place.string()) == FileKind::Regular)
            return readFile(place.string(), longestPage);
    return fail(ErrorCode::Io,
                "this Pipewright has no page that computes (%1): build it with "
                "`cmake --preset web && cmake --build --preset web`, which needs the "
                "packages emscripten, node-acorn, node-typescript and esbuild",
                pageName);
}

/// Takes a mark out of a page, with all that is behind it up to another one.
void cut(std::string& page, std::string_view from, std::string_view to)
{
    const std::size_t begin = page.find(from);
    if (begin == std::string::npos)
        return;
    const std::size_t end = to.empty() ? begin + from.size() : page.find(to, begin);
    if (end != std::string::npos)
        page.erase(begin, end - begin);
}

/// The words that the manual explains, by language: how they stand in texts, and what they mean.
void writeGlossary(JsonText& json, const std::vector<std::string>& languages)
{
    const auto pageOf = [](const std::string& language) -> std::string_view {
        if (language == "en")
            return findManualPage("glossary")->text;
        for (const ManualPage& page : translatedGlossaries())
            if (page.name == language)
                return page.text;
        return {};
    };
    json.key("glossary");
    json.beginObject();
    for (const std::string& language : languages) {
        json.key(language);
        json.beginArray(JsonText::Layout::OneLine);
        for (const GlossaryEntry& one : glossaryOf(pageOf(language))) {
            if (one.word == "step") // stands in every second sentence, as "step by step"
                continue;
            json.value(std::string_view(one.names));
            json.value(std::string_view(one.meaning));
        }
        json.endArray();
    }
    json.endObject();
}

} // namespace

Result<std::string> pageWithData(PageKind kind, std::string_view data)
{
    PW_TRY(std::string page, emptyPage());
    const auto lacks = [&page](std::string_view part) {
        return page.find(part) == std::string::npos;
    };
    if (lacks("content=\"Pipewright " PW_VERSION "\"") || lacks("<!-- tells -->"))
        return fail(ErrorCode::Version,
                    "the page that computes is of another version than this Pipewright, %1: build "
                    "it again with `cmake --build --preset web`",
                    PW_VERSION);
    if (kind == PageKind::Computes) {
        cut(page, "<!-- tells -->", "<!-- end -->");
    } else {
        cut(page, "<!-- computes -->", "<!-- tells -->");
        cut(page, " 'wasm-unsafe-eval'", "");
    }
    constexpr std::string_view mark = "@PW_DATA@";
    const std::size_t at = page.find(mark);
    if (at == std::string::npos)
        return fail(ErrorCode::Syntax, "%1 has no place for its data", pageName);
    std::string filled;
    filled.reserve(page.size() + data.size() + data.size() / 8);
    filled.append(page, 0, at);
    filled += insideScript(data);
    filled.append(page, at + mark.size());
    return filled;
}

Result<std::string> interactivePage(const Project& project,
                                    const std::optional<MeasuredLanes>& measured)
{
    PW_TRY(const std::string text, writeProject(project));
    JsonText json;
    json.beginObject();
    json.member("mode", "schedule");
    json.member("title", std::string_view(project.title));
    json.member("notes", std::string_view(project.notes));
    json.member("project", std::string_view(text));
    if (measured) {
        json.key("measured");
        json.beginObject(JsonText::Layout::OneLine);
        json.member("title", std::string_view(measured->title));
        writeLanes(json, *measured->schedule, *measured->costs, *measured->result);
        json.endObject();
    }
    json.endObject();
    return pageWithData(PageKind::Computes, json.text());
}

Result<std::string> lessonPage(const std::string& title, const std::vector<ExportedLesson>& lessons,
                               const std::vector<std::string>& languages)
{
    JsonText json;
    json.beginObject();
    json.member("mode", "course");
    json.member("title", std::string_view(title));
    json.key("languages");
    json.beginArray(JsonText::Layout::OneLine);
    for (const std::string& language : languages)
        json.value(std::string_view(language));
    json.endArray();
    writeGlossary(json, languages);
    json.key("lessons");
    json.beginArray();
    for (const ExportedLesson& lesson : lessons) {
        json.beginObject();
        json.member("id", std::string_view(lesson.id));
        json.member("text", std::string_view(lesson.text));
        json.endObject();
    }
    json.endArray();
    json.endObject();
    return pageWithData(PageKind::Computes, json.text());
}

} // namespace pw::app
