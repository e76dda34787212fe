// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/json_fields.h"

#include "core/base/text.h"
#include "core/io/file_problem.h"

#include <algorithm>

namespace pw {

namespace {

std::string_view nameOf(const JsonValue& name)
{
    return {name.GetString(), name.GetStringLength()};
}

} // namespace

JsonFields::JsonFields(const JsonValue& object, std::string path, Failure& failure)
    : m_object(object)
    , m_path(std::move(path))
    , m_failure(failure)
{
    if (!object.IsObject() && !m_failure) {
        m_failure =
            Error{ErrorCode::Syntax, said("%1 is not an object",
                                          m_path.empty() ? said("the file") : Sentence(m_path))};
    }
}

std::string JsonFields::pathOf(std::string_view name) const
{
    std::string shown = inQuotes(name);
    shown = shown.substr(1, shown.size() - 2);
    return m_path.empty() ? shown : m_path + '.' + shown;
}

std::string JsonFields::pathOf(std::string_view name, std::size_t element) const
{
    return pathOf(name) + '[' + std::to_string(element) + ']';
}

void JsonFields::refuse(Sentence what)
{
    if (!m_failure)
        m_failure = Error{ErrorCode::Syntax, std::move(what)};
}

bool JsonFields::has(std::string_view name) const
{
    if (!m_object.IsObject())
        return false;
    const auto size = static_cast<rapidjson::SizeType>(name.size());
    return m_object.HasMember(JsonValue(rapidjson::StringRef(name.data(), size)));
}

const JsonValue* JsonFields::find(std::string_view name, bool optional)
{
    m_asked.push_back(name);
    if (m_failure || !m_object.IsObject())
        return nullptr;
    const auto size = static_cast<rapidjson::SizeType>(name.size());
    const auto found = m_object.FindMember(JsonValue(rapidjson::StringRef(name.data(), size)));
    if (found != m_object.MemberEnd())
        return &found->value;
    if (!optional)
        refuse(name, "%1 is missing");
    return nullptr;
}

std::int64_t JsonFields::integer(std::string_view name, std::int64_t least, std::int64_t most,
                                 std::optional<std::int64_t> fallback)
{
    const JsonValue* value = find(name, fallback.has_value());
    if (value == nullptr)
        return fallback.value_or(least);
    if (!value->IsInt64()) {
        refuse(name, "%1 is not a whole number");
        return least;
    }
    const std::int64_t number = value->GetInt64();
    if (number < least || number > most) {
        refuse(name, "%1 is %2; it can be %3 to %4", number, least, most);
        return least;
    }
    return number;
}

int JsonFields::count(std::string_view name, int least, std::optional<int> fallback)
{
    std::optional<std::int64_t> wide;
    if (fallback)
        wide = *fallback;
    return static_cast<int>(integer(name, least, std::numeric_limits<int>::max(), wide));
}

double JsonFields::number(std::string_view name, double least, double most,
                          std::optional<double> fallback)
{
    const JsonValue* value = find(name, fallback.has_value());
    if (value == nullptr)
        return fallback.value_or(least);
    if (!value->IsNumber()) {
        refuse(name, "%1 is not a number");
        return least;
    }
    const double number = value->GetDouble();
    if (!(number >= least && number <= most)) {
        refuse(name, "%1 is %2; it can be %3 to %4", exactNumber(number), exactNumber(least),
               exactNumber(most));
        return least;
    }
    return number;
}

bool JsonFields::truth(std::string_view name, std::optional<bool> fallback)
{
    const JsonValue* value = find(name, fallback.has_value());
    if (value == nullptr)
        return fallback.value_or(false);
    if (!value->IsBool())
        refuse(name, "%1 is neither true nor false");
    return value->IsBool() && value->GetBool();
}

std::string JsonFields::text(std::string_view name, std::optional<std::string> fallback)
{
    const JsonValue* value = find(name, fallback.has_value());
    if (value == nullptr)
        return fallback.value_or(std::string());
    if (!value->IsString()) {
        refuse(name, "%1 is not text");
        return {};
    }
    return std::string(nameOf(*value));
}

std::string JsonFields::title(std::string_view name, std::optional<std::string> fallback)
{
    std::string read = text(name, std::move(fallback));
    if (read.size() <= longestTitle)
        return read;
    refuse(name, "%1 has %2 bytes; it can have %3",
           groupedNumber(static_cast<std::int64_t>(read.size())), groupedNumber(longestTitle));
    return {};
}

std::vector<std::int64_t> JsonFields::integers(std::string_view name, std::int64_t least,
                                               std::int64_t most)
{
    std::vector<std::int64_t> numbers;
    const JsonValue* value = find(name, true);
    if (value == nullptr)
        return numbers;
    if (!value->IsArray()) {
        refuse(name, "%1 is not a list");
        return numbers;
    }
    numbers.reserve(value->Size());
    for (const JsonValue& element : value->GetArray()) {
        if (!element.IsInt64() || element.GetInt64() < least || element.GetInt64() > most) {
            refuse(name, "%1 has an element %2 that is not a whole number from %3 to %4",
                   numbers.size(), least, most);
            return {};
        }
        numbers.push_back(element.GetInt64());
    }
    return numbers;
}

std::vector<std::string> JsonFields::texts(std::string_view name)
{
    std::vector<std::string> all;
    const JsonValue* value = list(name);
    if (value == nullptr)
        return all;
    for (const JsonValue& element : value->GetArray()) {
        if (!element.IsString()) {
            refuse(name, "%1 has an element %2 that is not text", all.size());
            return {};
        }
        all.emplace_back(nameOf(element));
    }
    return all;
}

const JsonValue* JsonFields::object(std::string_view name)
{
    const JsonValue* value = find(name, false);
    if (value == nullptr || value->IsObject())
        return value;
    refuse(name, "%1 is not an object");
    return nullptr;
}

const JsonValue* JsonFields::list(std::string_view name)
{
    const JsonValue* value = find(name, false);
    if (value == nullptr || value->IsArray())
        return value;
    refuse(name, "%1 is not a list");
    return nullptr;
}

void JsonFields::finish()
{
    if (m_failure || !m_object.IsObject())
        return;
    std::vector<bool> seen(m_asked.size(), false);
    for (const auto& member : m_object.GetObject()) {
        const std::string_view name = nameOf(member.name);
        const auto found = std::find(m_asked.begin(), m_asked.end(), name);
        if (found == m_asked.end()) {
            refuse(name, "%1 is unknown");
            return;
        }
        const auto index = static_cast<std::size_t>(found - m_asked.begin());
        if (seen[index]) {
            refuse(name, "%1 appears twice");
            return;
        }
        seen[index] = true;
    }
}

} // namespace pw
