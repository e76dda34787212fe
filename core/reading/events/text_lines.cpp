// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/text_lines.h"

#include <algorithm>

namespace pw {

bool TextLines::refill()
{
    constexpr std::size_t lineChunk = 1U << 16;
    m_stopped = m_stopped || (m_goOn && !m_goOn());
    m_chunk.resize(m_stopped ? 0 : lineChunk);
    m_chunk.resize(m_stopped ? 0 : m_source.read(m_chunk.data(), m_chunk.size()));
    m_at = 0;
    return !m_chunk.empty();
}

bool TextLines::next()
{
    m_line.clear();
    m_position = m_read;
    bool any = false;
    m_ended = false;
    while (m_at < m_chunk.size() || refill()) {
        any = true;
        const std::size_t end = std::min(m_chunk.find('\n', m_at), m_chunk.size());
        const std::size_t room = longestLine - m_line.size();
        m_line.append(m_chunk, m_at, std::min(end - m_at, room));
        m_ended = end < m_chunk.size();
        m_read += static_cast<std::int64_t>(end - m_at + (m_ended ? 1 : 0));
        m_at = end + (m_ended ? 1 : 0);
        if (m_ended)
            break;
    }
    if (!m_line.empty() && m_line.back() == '\r')
        m_line.pop_back();
    return any && !m_stopped;
}

} // namespace pw
