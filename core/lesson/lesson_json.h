// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/json.h"
#include "core/io/json_text.h"

#include <optional>
#include <string>
#include <string_view>

// Lesson files that are changed and written again; nobody but their writers includes this.
namespace pw {

inline std::string_view viewOf(const JsonValue& text)
{
    return {text.GetString(), text.GetStringLength()};
}

/// What was read, as it was; numbers as the shortest text that reads back.
void copyJson(JsonText& json, const JsonValue& value);

/// Another text for one of the languages of a field.
void setWords(JsonDocument& document, JsonValue& object, const char* field,
              const std::optional<std::string>& words, std::string_view language);

} // namespace pw
