// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/packing/byte_source.h"

#include <cstddef>
#include <functional>
#include <memory>

namespace pw {

/// A source as RapidJSON reads it: a character at a time, from a buffer of fixed size.
class ChunkStream
{
public:
    using Ch = char;

    /// @param goOn  asked before every refill; false ends the stream; may be empty
    ChunkStream(ByteSource& source, std::function<bool()> goOn)
        : m_source(source)
        , m_goOn(std::move(goOn))
        , m_buffer(new char[size + 1])
    {
        refill();
        // A byte order mark says nothing here.
        constexpr unsigned char mark[] = {0xEF, 0xBB, 0xBF};
        if (m_end - m_at >= 3 && static_cast<unsigned char>(m_at[0]) == mark[0] &&
            static_cast<unsigned char>(m_at[1]) == mark[1] &&
            static_cast<unsigned char>(m_at[2]) == mark[2])
            m_at += 3;
    }

    Ch Peek() const { return *m_at; }
    Ch Take()
    {
        const char c = *m_at;
        if (m_at != m_end && ++m_at == m_end)
            refill();
        return c;
    }
    std::size_t Tell() const { return m_base + static_cast<std::size_t>(m_at - m_buffer.get()); }
    bool stopped() const { return m_stopped; }
    /// Whether every byte has been taken.
    bool ended() const { return m_at == m_end; }

    // For writing in place, which is not done here; RapidJSON asks for the names.
    Ch* PutBegin() { return nullptr; }
    void Put(Ch) {}
    void Flush() {}
    std::size_t PutEnd(Ch*) { return 0; }

private:
    static constexpr std::size_t size = 1U << 18;

    void refill()
    {
        m_base += static_cast<std::size_t>(m_end - m_buffer.get());
        std::size_t count = 0;
        m_stopped = m_stopped || (m_goOn && !m_goOn());
        if (!m_stopped)
            count = m_source.read(m_buffer.get(), size);
        m_at = m_buffer.get();
        m_end = m_at + count;
        m_buffer[count] = '\0';
    }

    ByteSource& m_source;
    std::function<bool()> m_goOn;
    std::unique_ptr<char[]> m_buffer; // what is not read is not set
    const char* m_at = m_buffer.get();
    const char* m_end = m_buffer.get();
    std::size_t m_base = 0;
    bool m_stopped = false;
};

} // namespace pw
