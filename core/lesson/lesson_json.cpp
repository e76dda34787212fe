// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/lesson_json.h"

#include <algorithm>

namespace pw {

void copyJson(JsonText& json, const JsonValue& value)
{
    if (value.IsObject()) {
        json.beginObject();
        for (const auto& member : value.GetObject()) {
            json.key(viewOf(member.name));
            copyJson(json, member.value);
        }
        json.endObject();
    } else if (value.IsArray()) {
        const bool small = std::all_of(value.Begin(), value.End(), [](const JsonValue& one) {
            return !one.IsObject() && !one.IsArray() && !one.IsString();
        });
        json.beginArray(small ? JsonText::Layout::OneLine : JsonText::Layout::Lines);
        for (const JsonValue& one : value.GetArray())
            copyJson(json, one);
        json.endArray();
    } else if (value.IsString()) {
        json.value(viewOf(value));
    } else if (value.IsBool()) {
        json.value(value.GetBool());
    } else if (value.IsInt64()) {
        json.value(static_cast<std::int64_t>(value.GetInt64()));
    } else if (value.IsNumber()) {
        json.value(value.GetDouble());
    } else {
        json.null();
    }
}

void setWords(JsonDocument& document, JsonValue& object, const char* field,
              const std::optional<std::string>& words, std::string_view language)
{
    if (!words)
        return;
    JsonPool& pool = document.GetAllocator();
    const auto made = [&](std::string_view text) {
        return JsonValue(text.data(), static_cast<rapidjson::SizeType>(text.size()), pool);
    };
    if (!object.HasMember(field)) {
        object.AddMember(made(field), made(*words), pool);
        return;
    }
    JsonValue& there = object[field];
    const JsonValue key = made(language);
    if (there.IsObject() && there.HasMember(key)) {
        there[key] = made(*words);
    } else if (there.IsObject()) {
        there.AddMember(made(language), made(*words), pool);
    } else if (language == "en") {
        there = made(*words);
    } else {
        JsonValue both(rapidjson::kObjectType);
        both.AddMember("en", made(viewOf(there)), pool);
        both.AddMember(made(language), made(*words), pool);
        there = both;
    }
}

} // namespace pw
