// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/pass_events.h"

namespace pw {

namespace {

/// Ticks divided by 10^digits, written out exactly; without trailing zeros unless `fixed`.
std::string decimal(Ticks ticks, int digits, bool fixed)
{
    std::string text = std::to_string(ticks < 0 ? -ticks : ticks);
    const auto places = static_cast<std::size_t>(digits);
    if (text.size() <= places)
        text.insert(0, places + 1 - text.size(), '0');
    text.insert(text.size() - places, 1, '.');
    if (!fixed) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.')
            text.pop_back();
    }
    return (ticks < 0 ? "-" : "") + text;
}

} // namespace

PassEvents::PassEvents()
    : m_text("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n")
{
}

void PassEvents::begin(char phase, std::int32_t process, std::int32_t thread)
{
    m_text += m_first ? "" : ",\n";
    m_first = false;
    m_text += "{\"ph\": \"";
    m_text += phase;
    m_text += "\", \"pid\": " + std::to_string(process) + ", \"tid\": " + std::to_string(thread);
}

void PassEvents::text(std::string_view name, std::string_view value)
{
    m_text.append(", \"").append(name).append("\": \"").append(value).append("\"");
}

void PassEvents::number(std::string_view name, std::int64_t value)
{
    json(name, std::to_string(value));
}

void PassEvents::json(std::string_view name, std::string_view value)
{
    m_text.append(", \"").append(name).append("\": ").append(value);
}

void PassEvents::time(std::string_view name, Ticks ticks)
{
    json(name, decimal(ticks, 3, true));
}

void PassEvents::end()
{
    m_text += '}';
}

void PassEvents::nameOf(std::string_view what, std::int32_t process, std::string_view name,
                        std::int32_t thread)
{
    begin('M', process, thread);
    text("name", what);
    json("args", "{\"name\": \"" + std::string(name) + "\"}");
    end();
}

void PassEvents::placeOf(std::string_view what, std::int32_t process, std::int32_t place,
                         std::int32_t thread)
{
    begin('M', process, thread);
    text("name", what);
    json("args", "{\"sort_index\": " + std::to_string(place) + "}");
    end();
}

std::string PassEvents::take()
{
    m_text += "\n]}\n";
    return std::move(m_text);
}

std::string passFields(const Pass& pass, std::string_view prefix, std::optional<std::int32_t> chunk)
{
    std::string fields;
    const auto begin = [&](std::string_view name) {
        fields.append(", \"").append(prefix).append(name).append("\": ");
    };
    const auto number = [&](std::string_view name, std::int32_t value) {
        begin(name);
        fields += std::to_string(value);
    };
    begin("kind");
    fields.append("\"").append(name(pass.kind)).append("\"");
    number("route", pass.route);
    number("stage", pass.stage);
    if (chunk)
        number("chunk", *chunk);
    number(pass.kind == PassKind::U ? "update" : "micro_batch", pass.microBatch);
    number("segment", pass.segment);
    return fields;
}

void appendPassRow(std::string& table, DeviceId device, const Pass& pass, Ticks start, Ticks end)
{
    table += std::to_string(device) + ',' + std::string(name(pass.kind));
    for (const std::int32_t number :
         {std::int32_t{pass.route}, pass.stage.value, pass.microBatch, pass.segment})
        table += ',' + std::to_string(number);
    table += ',' + decimal(start, 6, false) + ',' + decimal(end, 6, false);
}

} // namespace pw
