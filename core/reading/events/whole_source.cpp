// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/whole_source.h"

#include "core/base/text.h"
#include "core/reading/events/event_time.h"

#include <algorithm>
#include <cmath>

namespace pw {

Result<std::string> wholeSource(ByteSource& source, const KeepReading& goOn,
                                const std::string& file)
{
    constexpr std::size_t chunk = 1U << 18;
    std::string text;
    for (;;) {
        if (goOn && !goOn())
            return fail(ErrorCode::Cancelled, "%1: reading was stopped", file);
        const std::size_t before = text.size();
        text.resize(before + chunk);
        const std::size_t count = source.read(text.data() + before, chunk);
        text.resize(before + count);
        if (count == 0)
            return text;
        if (static_cast<std::int64_t>(text.size()) > mostWholeSource)
            return fail(ErrorCode::TooLarge, "%1: more than %2, the most that is read of this form",
                        file, byteText(mostWholeSource));
    }
}

const JsonValue* memberOf(const JsonValue& object, std::string_view name)
{
    if (!object.IsObject())
        return nullptr;
    for (auto member = object.MemberBegin(); member != object.MemberEnd(); ++member)
        if (std::string_view(member->name.GetString(), member->name.GetStringLength()) == name)
            return &member->value;
    return nullptr;
}

std::string_view textMember(const JsonValue& object, std::string_view name)
{
    const JsonValue* value = memberOf(object, name);
    return value != nullptr && value->IsString()
               ? std::string_view(value->GetString(), value->GetStringLength())
               : std::string_view();
}

std::int64_t wholeMember(const JsonValue& object, std::string_view name)
{
    const JsonValue* value = memberOf(object, name);
    if (value == nullptr)
        return -1;
    if (value->IsString())
        return largeNumber({value->GetString(), value->GetStringLength()});
    if (value->IsInt64())
        return std::max<std::int64_t>(value->GetInt64(), -1);
    constexpr double most = 9e15;
    if (!value->IsNumber() || value->GetDouble() < 0 || value->GetDouble() > most ||
        value->GetDouble() != std::floor(value->GetDouble()))
        return -1;
    return static_cast<std::int64_t>(value->GetDouble());
}

} // namespace pw
