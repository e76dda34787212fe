// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/json_text.h"

#include "core/base/float_chars.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>

namespace pw {

void JsonText::key(std::string_view name)
{
    separate();
    quote(name);
    m_text += ": ";
    m_afterKey = true;
}

void JsonText::value(double number)
{
    separate();
    // JSON has no infinity.
    if (!std::isfinite(number)) {
        m_text += "null";
        return;
    }
    m_text += shortestDouble(number);
}

void JsonText::value(std::int64_t number)
{
    separate();
    m_text += std::to_string(number);
}

void JsonText::value(std::string_view text)
{
    separate();
    quote(text);
}

void JsonText::value(bool truth)
{
    separate();
    m_text += truth ? "true" : "false";
}

void JsonText::null()
{
    separate();
    m_text += "null";
}

void JsonText::begin(char bracket, Layout layout)
{
    separate();
    m_text += bracket;
    const bool inside = !m_levels.empty() && m_levels.back().layout == Layout::OneLine;
    m_levels.push_back({inside ? Layout::OneLine : layout, true});
}

void JsonText::end(char bracket)
{
    const Level level = m_levels.back();
    m_levels.pop_back();
    if (!level.empty && level.layout == Layout::Lines)
        m_text += "\n" + std::string(2 * m_levels.size(), ' ');
    m_text += bracket;
}

void JsonText::separate()
{
    if (m_afterKey || m_levels.empty()) {
        m_afterKey = false;
        return;
    }
    Level& level = m_levels.back();
    if (level.layout == Layout::Lines)
        m_text += (level.empty ? "\n" : ",\n") + std::string(2 * m_levels.size(), ' ');
    else if (!level.empty)
        m_text += ", ";
    level.empty = false;
}

void JsonText::quote(std::string_view text)
{
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
    m_text.append(buffer.GetString(), buffer.GetSize());
}

} // namespace pw
