// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/json.h"
#include "core/base/types.h"
#include "core/io/spec_names.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace pw::exec {

/// Reads the fields that it is asked for, and leaves all others alone. The first failure is kept.
class WireFields
{
public:
    WireFields(const JsonValue& object, std::string& failure)
        : m_object(object)
        , m_failure(failure)
    {
    }

    std::int64_t whole(const char* field, std::int64_t least, std::int64_t most,
                       std::optional<std::int64_t> fallback = std::nullopt)
    {
        const JsonValue* value = find(field, fallback.has_value());
        if (value == nullptr)
            return fallback.value_or(0);
        if (!value->IsInt64() || value->GetInt64() < least || value->GetInt64() > most) {
            refuse(field, "is not a whole number in its range");
            return 0;
        }
        return value->GetInt64();
    }
    /// The sum of any two fits 32 bits.
    std::int32_t small(const char* field, std::int32_t least,
                       std::optional<std::int64_t> fallback = std::nullopt)
    {
        return static_cast<std::int32_t>(whole(field, least, mostSmall, fallback));
    }
    /// Those of the warm-up are below 0.
    std::int32_t iteration() { return small("it", -mostSmall); }
    /// The difference of any two fits 64 bits.
    Ticks time(const char* field) { return whole(field, -(Ticks{1} << 62), (Ticks{1} << 62) - 1); }
    Bytes bytes(const char* field) { return whole(field, 0, highest, 0); }
    double number(const char* field)
    {
        const JsonValue* value = find(field, false);
        if (value == nullptr)
            return 0;
        if (value->IsNumber())
            return value->GetDouble();
        const std::string_view word = value->IsString() ? view(*value) : std::string_view();
        if (word == "nan")
            return std::numeric_limits<double>::quiet_NaN();
        if (word == "inf")
            return std::numeric_limits<double>::infinity();
        if (word == "-inf")
            return -std::numeric_limits<double>::infinity();
        refuse(field, "is not a number");
        return 0;
    }
    std::string_view text(const char* field, bool optional = true)
    {
        const JsonValue* value = find(field, optional);
        if (value == nullptr)
            return {};
        if (!value->IsString()) {
            refuse(field, "is not text");
            return {};
        }
        return view(*value);
    }
    /// A word of a known list; one of a later program is a failure.
    template<typename T, std::size_t n>
    T word(const char* field, const std::array<T, n>& all)
    {
        const std::optional<T> value = named(all, text(field, false));
        if (!value)
            refuse(field, "is none of its words");
        return value.value_or(all[0]);
    }
    /// Null where the list is absent.
    const JsonValue* list(const char* field, bool optional)
    {
        const JsonValue* value = find(field, optional);
        if (value != nullptr && !value->IsArray()) {
            refuse(field, "is not a list");
            return nullptr;
        }
        return value;
    }
    bool has(const char* field) { return find(field, true) != nullptr; }
    void refuse(const char* field, const char* what)
    {
        if (m_failure.empty())
            m_failure = std::string(field) + " " + what;
    }

    static constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
    static constexpr std::int32_t mostSmall = (1 << 30) - 1;

private:
    static std::string_view view(const JsonValue& value)
    {
        return {value.GetString(), value.GetStringLength()};
    }
    const JsonValue* find(const char* field, bool optional)
    {
        // Mostly they stand in the order in which they are asked for.
        auto member = m_next;
        if (member == m_object.MemberEnd() || view(member->name) != field)
            member = m_object.FindMember(field);
        if (member != m_object.MemberEnd()) {
            m_next = member + 1;
            return &member->value;
        }
        if (!optional)
            refuse(field, "is missing");
        return nullptr;
    }

    const JsonValue& m_object;
    std::string& m_failure;
    JsonValue::ConstMemberIterator m_next = m_object.MemberBegin(); ///< behind what was found last
};

} // namespace pw::exec
