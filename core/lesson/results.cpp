// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/results.h"

#include "core/base/try.h"
#include "core/families/recognise.h"
#include "core/io/json_fields.h"
#include "core/io/json_text.h"

#include <algorithm>
#include <limits>

namespace pw {

const LevelResult* LessonResults::find(std::string_view lesson, int level) const
{
    const auto found = std::find_if(levels.begin(), levels.end(), [&](const LevelResult& result) {
        return result.lesson == lesson && result.level == level;
    });
    return found == levels.end() ? nullptr : &*found;
}

void LessonResults::note(const LevelResult& result)
{
    for (LevelResult& old : levels) {
        if (old.lesson != result.lesson || old.level != result.level)
            continue;
        old.solved = old.solved || result.solved;
        old.time = old.time || result.time;
        old.memory = old.memory || result.memory;
        old.messages = old.messages || result.messages;
        old.tries += result.tries;
        old.hints += result.hints;
        if (!result.trick.empty())
            old.trick = result.trick;
        return;
    }
    levels.push_back(result);
}

void LessonResults::note(const AnswerResult& answer)
{
    const bool known = std::any_of(answers.begin(), answers.end(), [&](const AnswerResult& old) {
        return old.lesson == answer.lesson && old.step == answer.step &&
               old.question == answer.question;
    });
    if (!known)
        answers.push_back(answer);
}

std::string writeResults(const LessonResults& results)
{
    JsonText json;
    json.beginObject();
    json.member("pipewright_results", 1);
    json.member("who", std::string_view(results.who));
    json.key("levels");
    json.beginArray();
    for (const LevelResult& level : results.levels) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("lesson", std::string_view(level.lesson));
        json.member("level", level.level + 1);
        json.member("solved", level.solved);
        json.member("time", level.time);
        json.member("memory", level.memory);
        json.member("messages", level.messages);
        json.member("tries", level.tries);
        json.member("hints", level.hints);
        json.member("trick", std::string_view(level.trick));
        json.endObject();
    }
    json.endArray();
    json.key("answers");
    json.beginArray();
    for (const AnswerResult& answer : results.answers) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member("lesson", std::string_view(answer.lesson));
        json.member("step", answer.step + 1);
        json.member("question", answer.question + 1);
        json.member("chosen", answer.chosen + 1);
        json.member("right", answer.right);
        json.endObject();
    }
    json.endArray();
    json.endObject();
    return json.text();
}

Result<LessonResults> readResults(std::string_view text)
{
    constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
    PW_TRY(const auto document, parseJson(text, maxResultsBytes));
    JsonFields::Failure failure;
    JsonFields fields(document, "", failure);
    if (!fields.has("pipewright_results"))
        return fail(ErrorCode::Syntax,
                    "these are not results: the field pipewright_results is missing");
    const std::int64_t version = fields.integer("pipewright_results", 0, highest);
    if (!failure && version != 1)
        return fail(ErrorCode::Version,
                    "the results are of version %1; this program reads version 1", version);
    LessonResults results;
    results.who = fields.title("who", "");
    if (const JsonValue* list = fields.list("levels")) {
        for (rapidjson::SizeType i = 0; i < list->Size() && !failure; ++i) {
            JsonFields element((*list)[i], fields.pathOf("levels", i), failure);
            LevelResult level;
            level.lesson = element.title("lesson");
            level.level = static_cast<int>(element.integer("level", 1, 1000)) - 1;
            level.solved = element.truth("solved");
            level.time = element.truth("time", false);
            level.memory = element.truth("memory", false);
            level.messages = element.truth("messages", false);
            level.tries = static_cast<int>(element.integer("tries", 0, 1'000'000'000, 0));
            level.hints = static_cast<int>(element.integer("hints", 0, 1'000'000'000, 0));
            level.trick = element.title("trick", "");
            element.finish();
            results.levels.push_back(std::move(level));
        }
    }
    // Files from before questions were counted have none.
    if (const JsonValue* list = fields.has("answers") ? fields.list("answers") : nullptr) {
        for (rapidjson::SizeType i = 0; i < list->Size() && !failure; ++i) {
            JsonFields element((*list)[i], fields.pathOf("answers", i), failure);
            const auto number = [&](const char* name) {
                return static_cast<int>(element.integer(name, 1, 1000)) - 1;
            };
            AnswerResult answer;
            answer.lesson = element.title("lesson");
            answer.step = number("step");
            answer.question = number("question");
            answer.chosen = number("chosen");
            answer.right = element.truth("right");
            element.finish();
            results.answers.push_back(std::move(answer));
        }
    }
    fields.finish();
    if (failure)
        return fail(*failure);
    return results;
}

std::string trickOf(const Schedule& schedule, const Costs& costs)
{
    const Recognition found = recognise(schedule, {costs});
    return found.exact() ? describe(found.matches.front()) : std::string();
}

} // namespace pw
