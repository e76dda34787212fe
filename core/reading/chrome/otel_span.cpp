// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/otel_span.h"

#include "core/reading/events/event_file.h"
#include "core/reading/events/event_time.h"
#include "core/reading/events/whole_source.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace pw {

namespace {

/// Days since 1970 of a day of the Gregorian calendar. @source H. Hinnant, "chrono-compatible
/// low-level date algorithms"
std::int64_t daysSinceEpoch(std::int64_t year, std::int64_t month, std::int64_t day)
{
    year -= month <= 2 ? 1 : 0;
    const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
    const std::int64_t ofEra = year - era * 400;
    const std::int64_t ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146'097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719'468;
}

/// "2026-10-01T12:00:00.123456Z" as nanoseconds since 1970.
std::optional<Ticks> ticksOfDate(std::string_view text)
{
    constexpr std::size_t least = 19;
    if (text.size() < least || text[4] != '-' || text[7] != '-' ||
        (text[10] != 'T' && text[10] != ' ') || text[13] != ':' || text[16] != ':')
        return std::nullopt;
    const auto number = [&](std::size_t at, std::size_t length) {
        return std::int64_t{smallNumber(text.substr(at, length))};
    };
    const std::int64_t year = number(0, 4), month = number(5, 2), day = number(8, 2),
                       hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
    if (year < 1970 || year > 2200 || month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 ||
        hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60)
        return std::nullopt;
    std::string_view rest = text.substr(least);
    Ticks nanoseconds = 0;
    if (!rest.empty() && rest.front() == '.') {
        Ticks unit = 100'000'000;
        for (rest.remove_prefix(1); !rest.empty() && rest.front() >= '0' && rest.front() <= '9';
             rest.remove_prefix(1)) {
            nanoseconds += (rest.front() - '0') * unit;
            unit /= 10;
        }
    }
    if (!rest.empty() && rest != "Z" && rest != "+00:00")
        return std::nullopt;
    const std::int64_t seconds =
        daysSinceEpoch(year, month, day) * 86'400 + hour * 3600 + minute * 60 + second;
    return seconds * ticksPerMs * 1000 + nanoseconds;
}

/// A member that is a list, by the first of its names that is there; null: none.
const JsonValue* listByAny(const JsonValue& object, std::span<const std::string_view> names)
{
    for (const std::string_view name : names)
        if (const JsonValue* found = memberOf(object, name))
            return found->IsArray() ? found : nullptr;
    return nullptr;
}

// The names of OTLP in JSON, those of its protobuf messages, those before version 1, and Tempo's.
constexpr std::array<std::string_view, 3> resourceLists = {"resourceSpans", "resource_spans",
                                                           "batches"};
constexpr std::array<std::string_view, 3> scopeLists = {"scopeSpans", "scope_spans",
                                                        "instrumentationLibrarySpans"};

/// Nanoseconds since 1970, or a date.
std::optional<Ticks> timeOf(const JsonValue& span, std::string_view camel, std::string_view snake,
                            std::string_view date)
{
    for (const std::string_view name : {camel, snake})
        if (const std::int64_t whole = wholeMember(span, name); whole >= 0)
            return whole < latestTime / 2 ? std::optional(whole) : std::nullopt;
    return ticksOfDate(textMember(span, date));
}

void visitSpan(const JsonValue& span, OtelVisitor& visitor)
{
    visitor.takeSpan({textMember(span, "name"),
                      timeOf(span, "startTimeUnixNano", "start_time_unix_nano", "start_time"),
                      timeOf(span, "endTimeUnixNano", "end_time_unix_nano", "end_time"),
                      OtelAttributes(memberOf(span, "attributes"))});
}

void visitResource(const JsonValue& resource, OtelVisitor& visitor)
{
    const JsonValue* said = memberOf(resource, "resource");
    visitor.takeResource(OtelAttributes(said == nullptr ? nullptr : memberOf(*said, "attributes")));
    const JsonValue* scopes = listByAny(resource, scopeLists);
    if (scopes == nullptr)
        return;
    for (const JsonValue& scope : scopes->GetArray())
        if (const JsonValue* spans = memberOf(scope, "spans"); spans != nullptr && spans->IsArray())
            for (const JsonValue& span : spans->GetArray())
                visitSpan(span, visitor);
}

/// A trace as Jaeger hands it out: spans in microseconds, and the processes that they name.
void visitJaeger(const JsonValue& trace, OtelVisitor& visitor)
{
    constexpr std::int64_t most = latestTime / 2 / 1000;
    const JsonValue* spans = memberOf(trace, "spans");
    const JsonValue* processes = memberOf(trace, "processes");
    if (spans == nullptr || !spans->IsArray() || processes == nullptr)
        return;
    for (const JsonValue& span : spans->GetArray()) {
        const JsonValue* process = memberOf(*processes, textMember(span, "processID"));
        visitor.takeResource(
            OtelAttributes(process == nullptr ? nullptr : memberOf(*process, "tags")));
        const std::int64_t start = wholeMember(span, "startTime"),
                           length = wholeMember(span, "duration");
        OtelSpan made{
            textMember(span, "operationName"), {}, {}, OtelAttributes(memberOf(span, "tags"))};
        if (start >= 0 && start < most && length >= 0 && length < most) {
            made.start = start * 1000;
            made.end = (start + length) * 1000;
        }
        visitor.takeSpan(made);
    }
}

} // namespace

const JsonValue* OtelAttributes::find(std::string_view name) const
{
    if (m_value == nullptr)
        return nullptr;
    if (m_value->IsObject())
        return memberOf(*m_value, name);
    if (!m_value->IsArray())
        return nullptr;
    for (const JsonValue& one : m_value->GetArray())
        if (textMember(one, "key") == name)
            return memberOf(one, "value");
    return nullptr;
}

std::int64_t OtelAttributes::whole(std::string_view name) const
{
    const JsonValue* found = find(name);
    if (found == nullptr)
        return -1;
    if (found->IsObject()) {
        for (const std::string_view kind : {"intValue", "int_value", "stringValue", "string_value"})
            if (const std::int64_t number = wholeMember(*found, kind); number >= 0)
                return number;
        return -1;
    }
    if (found->IsString())
        return largeNumber({found->GetString(), found->GetStringLength()});
    return found->IsInt64() ? std::max<std::int64_t>(found->GetInt64(), -1) : -1;
}

std::string_view OtelAttributes::text(std::string_view name) const
{
    const JsonValue* found = find(name);
    if (found != nullptr && found->IsObject()) {
        const std::string_view said = textMember(*found, "stringValue");
        return said.empty() ? textMember(*found, "string_value") : said;
    }
    return found != nullptr && found->IsString()
               ? std::string_view(found->GetString(), found->GetStringLength())
               : std::string_view();
}

void visitOtelSpans(const JsonValue& object, OtelVisitor& visitor)
{
    if (const JsonValue* resources = listByAny(object, resourceLists)) {
        for (const JsonValue& resource : resources->GetArray())
            visitResource(resource, visitor);
    } else if (const JsonValue* trace = memberOf(object, "trace");
               trace != nullptr && trace->IsObject()) {
        if (const JsonValue* within = listByAny(*trace, resourceLists))
            for (const JsonValue& resource : within->GetArray())
                visitResource(resource, visitor);
    } else if (const JsonValue* traces = memberOf(object, "data");
               traces != nullptr && traces->IsArray()) {
        for (const JsonValue& one : traces->GetArray())
            visitJaeger(one, visitor);
    } else if (memberOf(object, "processes") != nullptr) {
        visitJaeger(object, visitor);
    } else if (memberOf(object, "start_time") != nullptr) {
        // The console exporter; other lines of a log have no such member.
        const JsonValue* resource = memberOf(object, "resource");
        const JsonValue* said = resource == nullptr ? nullptr : memberOf(*resource, "attributes");
        visitor.takeResource(OtelAttributes(said != nullptr ? said : resource));
        visitSpan(object, visitor);
    }
}

bool looksLikeOtelSpans(std::string_view head)
{
    const auto has = [head](std::string_view word) {
        return head.find(word) != std::string_view::npos;
    };
    const auto any = [&](const auto& names) {
        return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
            return has("\"" + std::string(name) + "\"");
        });
    };
    if (has("\"traceEvents\""))
        return false;
    const bool console = has("\"start_time\"") && has("\"context\"") && has("\"trace_id\"");
    const bool jaeger = has("\"operationName\"") && has("\"processID\"") && has("\"startTime\"");
    return console || jaeger || (any(resourceLists) && (any(scopeLists) || has("\"megatron.")));
}

} // namespace pw
