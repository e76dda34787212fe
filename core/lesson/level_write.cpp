// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/json.h"
#include "core/base/try.h"
#include "core/io/json_text.h"
#include "core/io/schedule_text.h"
#include "core/lesson/gifts.h"
#include "core/lesson/lesson_json.h"
#include "core/lesson/level_draft.h"

#include <algorithm>

namespace pw {

namespace {

void writeLevelTimes(JsonText& json, const Costs& costs)
{
    json.key("times");
    json.beginObject();
    for (const auto& [name, table] : {std::pair{"forward", &costs.forward},
                                      {"backward", &costs.backward},
                                      {"weight", &costs.weight}}) {
        json.key(name);
        json.beginArray(JsonText::Layout::OneLine);
        for (const Ticks time : *table)
            json.value(msFromTicks(time));
        json.endArray();
    }
    json.member("hop", msFromTicks(costs.link.latency));
    json.endObject();
}

void writeLines(JsonText& json, const char* key, const PipelineSpec& spec,
                const DeviceOrders& orders)
{
    json.key(key);
    json.beginArray();
    for (const std::string& line : writeOrders({spec, orders}))
        json.value(std::string_view(line));
    json.endArray();
}

void writeLevelGoals(JsonText& json, const LevelDraft& draft)
{
    json.key("goals");
    json.beginArray();
    const auto goal = [&](const char* key, auto value) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member(key, value);
        json.endObject();
    };
    goal("complete", true);
    if (draft.latest)
        goal("makespan_ms", msFromTicks(*draft.latest));
    if (draft.cap)
        goal("peak", microBatchesFromShare(*draft.cap));
    if (draft.sameOrder) {
        json.beginObject();
        writeLines(json, "order", draft.spec, draft.order);
        json.endObject();
    }
    json.endArray();
}

void writeDraftLevel(JsonText& json, const LevelDraft& draft)
{
    const LessonLevel level = levelOf(draft);
    const PipelineSpec& spec = draft.spec;
    json.key("level");
    json.beginObject();
    json.member("task", std::string_view(draft.task));
    json.key("start");
    json.beginObject();
    json.member("devices", spec.devices);
    json.member("micro_batches", spec.microBatches);
    json.key("placement");
    json.beginArray(JsonText::Layout::OneLine);
    json.value(std::string_view(placementText(spec.routes.front(), spec.devices)));
    json.endArray();
    if (spec.messages == MessageRule::Committed)
        json.member("messages", "committed");
    if (!draft.firstOnes.empty())
        writeLines(json, "orders", spec, level.start.draft.orders);
    writeLevelTimes(json, draft.costs);
    json.endObject();
    json.key("passes");
    json.beginArray(JsonText::Layout::OneLine);
    for (const PassKind kind : draft.kinds)
        json.value(name(kind));
    json.endArray();
    if (draft.locked && !draft.firstOnes.empty())
        writeLines(json, "fixed", spec, level.fixed);
    writeLevelGoals(json, draft);
    const std::vector<std::string> gifts = giftsOf(level);
    const auto means = [&](const char* medal) {
        return std::find(gifts.begin(), gifts.end(), medal) == gifts.end();
    };
    const bool time = level.par.time && means("time");
    const bool memory = level.par.memory && means("memory");
    if (time || memory) {
        json.key("par");
        json.beginObject(JsonText::Layout::OneLine);
        if (time)
            json.member("time_ms", msFromTicks(*level.par.time));
        if (memory)
            json.member("memory", microBatchesFromShare(*level.par.memory));
        json.endObject();
    }
    json.key("hints");
    json.beginObject();
    json.member("say", std::string_view(draft.say));
    json.member("show", std::string_view(draft.show));
    json.member("do", level.hints.steps);
    json.endObject();
    json.key("demonstration");
    json.beginObject();
    writeLines(json, "orders", spec, draft.sameOrder ? draft.order : draft.proof.fastest);
    json.endObject();
    json.endObject();
}

void writeDraftStep(JsonText& json, const LevelDraft& draft)
{
    json.beginObject();
    json.member("title", std::string_view(draft.stepTitle.empty() ? draft.title : draft.stepTitle));
    json.member("text", std::string_view(draft.text));
    writeDraftLevel(json, draft);
    json.endObject();
}

} // namespace

std::string writeLevelLesson(const LevelDraft& draft)
{
    JsonText json;
    json.beginObject();
    json.member("pipewright_lesson", 1);
    json.member("title", std::string_view(draft.title));
    json.member("summary", std::string_view(draft.summary));
    json.key("steps");
    json.beginArray();
    writeDraftStep(json, draft);
    json.endArray();
    json.endObject();
    return json.text();
}

Result<std::string> withLevel(std::string_view lesson, const LevelDraft& draft)
{
    PW_DO(readLesson(lesson, "lesson"));
    const auto document = parseJson(lesson, maxLessonBytes);
    JsonText json;
    json.beginObject();
    for (const auto& member : document->GetObject()) {
        json.key(viewOf(member.name));
        if (viewOf(member.name) != "steps") {
            copyJson(json, member.value);
            continue;
        }
        json.beginArray();
        for (const JsonValue& step : member.value.GetArray())
            copyJson(json, step);
        writeDraftStep(json, draft);
        json.endArray();
    }
    json.endObject();
    return json.text();
}

Result<std::string> withWords(std::string_view lesson, std::size_t step, const StepWords& words,
                              std::string_view language)
{
    PW_DO(readLesson(lesson, "lesson"));
    auto document = parseJson(lesson, maxLessonBytes);
    JsonValue& steps = (*document)["steps"];
    setWords(*document, *document, "title", words.lessonTitle, language);
    setWords(*document, *document, "summary", words.summary, language);
    if (step >= steps.Size())
        return fail(ErrorCode::BadValue, "the lesson has %1 steps, and none of number %2",
                    steps.Size(), step + 1);
    JsonValue& changed = steps[static_cast<rapidjson::SizeType>(step)];
    const bool level = changed.HasMember("level");
    if (!level && (words.task || words.say || words.show))
        return fail(ErrorCode::BadValue, "step %1 has no level that a task or hints are of",
                    step + 1);
    setWords(*document, changed, "title", words.title, language);
    setWords(*document, changed, "text", words.text, language);
    if (level) {
        setWords(*document, changed["level"], "task", words.task, language);
        if (changed["level"].HasMember("hints")) {
            setWords(*document, changed["level"]["hints"], "say", words.say, language);
            setWords(*document, changed["level"]["hints"], "show", words.show, language);
        }
    }
    JsonText json;
    copyJson(json, *document);
    std::string text = json.text();
    PW_DO(readLesson(text, "lesson"));
    return text;
}

} // namespace pw
