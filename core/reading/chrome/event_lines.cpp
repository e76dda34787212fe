// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/event_lines.h"

namespace pw {

namespace {

constexpr std::size_t chunkSize = 1U << 16;

} // namespace

bool looksLikeEventLines(std::string_view head)
{
    const std::size_t first = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first == std::string_view::npos || head[first] != '{')
        return false;
    head.remove_prefix(first);
    constexpr std::string_view hello = "{\"t\":\"hello\"";
    if (head.substr(0, hello.size()) == hello)
        return true;
    std::string_view line = head.substr(0, head.find('\n'));
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    return line.back() == '}' && line.find("\"ph\"") != std::string_view::npos &&
           line.find("\"traceEvents\"") == std::string_view::npos;
}

int EventLines::peek()
{
    if (m_at == m_chunk.size()) {
        m_chunk.resize(chunkSize);
        m_chunk.resize(m_source->read(m_chunk.data(), m_chunk.size()));
        m_at = 0;
    }
    return m_at < m_chunk.size() ? static_cast<unsigned char>(m_chunk[m_at]) : -1;
}

std::size_t EventLines::read(char* buffer, std::size_t size)
{
    std::size_t filled = 0;
    if (!m_begun && size > 0) {
        m_begun = true;
        buffer[filled++] = '[';
    }
    while (filled < size && !m_ended) {
        const int c = peek();
        m_ended = c < 0;
        if (m_ended) {
            buffer[filled++] = ']';
            break;
        }
        ++m_at;
        const bool between = c == '\n' && m_last != ',' && peek() == '{';
        buffer[filled++] = between ? ',' : static_cast<char>(c);
        if (c != '\n' && c != '\r' && c != ' ')
            m_last = static_cast<char>(c);
    }
    return filled;
}

} // namespace pw
