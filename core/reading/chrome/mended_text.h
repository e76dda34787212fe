// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/packing/byte_source.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pw {

inline bool isBlank(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// The text of a `JsonMender` as it comes in and as it goes out, and what was changed between.
class MendedText
{
public:
    static constexpr int end = -1;

    /// As of `JsonMender`.
    MendedText(ByteSource& source, TraceRepairs& repairs, std::int32_t file, std::int64_t shift);

    // What comes in.
    /// The character that many places further on; `end` behind the last.
    int at(std::size_t ahead)
    {
        if (m_next + ahead >= m_in.size())
            reach(ahead);
        return m_next + ahead < m_in.size() ? static_cast<unsigned char>(m_in[m_next + ahead])
                                            : end;
    }
    void take(std::size_t count = 1) { m_next = std::min(m_next + count, m_in.size()); }
    void skipBlanks();
    /// Takes characters as they are while a condition holds, as far as they are in memory.
    template<typename Condition>
    void passWhile(Condition holds)
    {
        std::size_t next = m_next;
        while (next < m_in.size() && holds(m_in[next]))
            ++next;
        m_out.append(m_in, m_next, next - m_next);
        m_next = next;
    }
    /// @pre so many are there
    void pass(std::size_t count);

    // What goes out.
    void put(char c) { m_out += c; }
    void put(const std::string& text) { m_out += text; }
    /// Bytes that are put and not yet given.
    std::size_t ready() const { return m_out.size() - m_given; }
    /// Forgets what was given before. @return  of `give`
    void forgetGiven();
    std::size_t give(char* buffer, std::size_t size);
    /// In all that goes out.
    std::int64_t position() const;

    // What was changed.
    /// @param doubt  what was guessed may be wrong, and with it what stands around it
    void repaired(std::string text, bool doubt);
    /// Gives up at the place that is read.
    void fail(const std::string& why);
    /// From `back` bytes before here on nothing is the file's; once.
    void cutHere(std::int64_t back = 0);
    bool cut() const { return m_cutAt >= 0; }
    bool guessed() const { return !m_doubts.empty(); }
    bool doubtful(std::int64_t from, std::int64_t to) const;
    const std::string& failure() const { return m_failure; }

private:
    void reach(std::size_t ahead);

    ByteSource& m_source;
    TraceRepairs& m_repairs;
    std::int32_t m_file = 0;
    std::int64_t m_shift = 0;

    std::string m_in; // with the next character at m_next
    std::size_t m_next = 0;
    std::int64_t m_inBase = 0; // place of m_in's front in the file
    bool m_inputEnded = false;

    std::string m_out; // not yet read from m_given on
    std::size_t m_given = 0;
    std::int64_t m_outBase = 0;

    std::vector<std::int64_t> m_doubts; // places of the output, ascending
    std::int64_t m_cutAt = -1;          // place of the output behind which nothing is the file's
    std::string m_failure;
};

} // namespace pw
