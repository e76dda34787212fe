// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/json_objects.h"

namespace pw {

int JsonObjects::take()
{
    constexpr std::size_t chunkSize = 1U << 18;
    if (m_at == m_chunk.size()) {
        m_stopped = m_stopped || (m_goOn && !m_goOn());
        m_chunk.resize(m_stopped ? 0 : chunkSize);
        m_chunk.resize(m_stopped ? 0 : m_source.read(m_chunk.data(), m_chunk.size()));
        m_at = 0;
        if (m_chunk.empty())
            return -1;
    }
    ++m_read;
    return static_cast<unsigned char>(m_chunk[m_at++]);
}

bool JsonObjects::next()
{
    m_text.clear();
    m_cut = false;
    // A brace in the middle of a line of another program begins nothing.
    int c = take();
    for (bool lineBegins = m_lineBegins; c >= 0 && !(c == '{' && lineBegins); c = take())
        lineBegins = c == '\n' ||
                     (lineBegins && (c == ' ' || c == '\t' || c == '\r' || c == ',' || c == '['));
    m_lineBegins = true;
    m_position = m_read - 1;
    int depth = 0;
    bool inText = false, escaped = false;
    for (; c >= 0; c = take()) {
        m_text.push_back(static_cast<char>(c));
        if (m_text.size() > longest) {
            m_tooLong = true;
            return false;
        }
        if (inText) {
            inText = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else if (c == '"') {
            inText = true;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}' && --depth == 0) {
            return true;
        }
    }
    m_cut = !m_text.empty() && !m_stopped;
    return false;
}

} // namespace pw
