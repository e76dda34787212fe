// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/packing/byte_source.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace pw {

/// A stretch of a source that goes on as it is read. A text or a number lies in it as a whole, at
/// most `longest` bytes of it.
class ScanWindow
{
public:
    static constexpr std::size_t longest = std::size_t{32} << 20;

    /// @param goOn  asked before every piece; false ends the source; may be empty
    ScanWindow(ByteSource& source, std::function<bool()> goOn);

    bool stopped() const { return m_stopped; }
    /// Whether every byte has been passed.
    bool ended() const { return m_at == m_end && m_sourceEnded; }

    /// A byte order mark at the very beginning says nothing.
    void skipMark();

    /// The next byte that is no space of JSON's, not passed; 0 at the end, and for a zero byte.
    char peekBehindSpace()
    {
        if (*m_at > ' ')
            return *m_at;
        // Mostly one space, between a key and its value.
        if (*m_at == ' ' && m_at[1] > ' ')
            return *++m_at;
        return behindSpace();
    }
    /// @pre there are so many bytes
    void pass(std::size_t bytes = 1) { m_at += bytes; }
    /// The bytes that are next; behind the end zero bytes, `room` of them. Valid until the next
    /// call.
    static constexpr std::size_t room = 64;
    const char* next() const { return m_at; }
    /// Pieces that were read: what is in the window moves with each.
    std::uint64_t pieces() const { return m_pieces; }

    /// A text between quotation marks, the first of which is next. Valid until the next call.
    /// @param escaped  set where it has a backslash
    /// @return  false: it does not end, has a control character, or is too long
    bool text(const char*& begin, std::size_t& length, bool& escaped)
    {
        // Most are short, and end in the window.
        if (const std::size_t plain = shortText(m_at + 1); plain < shortest) {
            begin = m_at + 1;
            length = plain;
            escaped = false;
            m_at += plain + 2;
            return true;
        }
        return longText(begin, length, escaped);
    }
    /// A number as JSON writes them, of a length that anything writes. Valid until the next call.
    /// @return  false: it is none
    bool number(const char*& begin, std::size_t& length)
    {
        const char* at = m_at;
        const auto more = [&at] {
            const char* const first = at;
            while (*at >= '0' && *at <= '9')
                ++at;
            return at != first;
        };
        // Whole or with a point; the rest is for the other one, and so is what the window ends in.
        const bool zero = *at == '0' && at[1] >= '0' && at[1] <= '9';
        if (!zero && more() && (*at != '.' || (++at, more())) && at < m_end && *at != 'e' &&
            *at != 'E' && at - m_at < longestNumber) {
            begin = m_at;
            length = static_cast<std::size_t>(at - m_at);
            m_at = at;
            return true;
        }
        return anyNumber(begin, length);
    }
    /// @return  whether the next bytes are these, which are passed
    bool word(std::string_view word);

private:
    static constexpr std::size_t shortest = 16;
    static constexpr std::ptrdiff_t longestNumber = 64;

    /// How long a text without anything that is escaped is; `shortest` where it is not so short.
    /// Looks at that many bytes, which are there behind the end too.
    static std::size_t shortText(const char* at)
    {
#ifdef __SSE2__
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        const __m128i control = _mm_set1_epi8(0x1F);
        const __m128i found = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
                                                        _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))),
                                           _mm_cmpeq_epi8(_mm_max_epu8(bytes, control), control));
        const auto mask = static_cast<unsigned>(_mm_movemask_epi8(found));
        if (mask == 0)
            return shortest;
        const auto place = static_cast<std::size_t>(std::countr_zero(mask));
        return at[place] == '"' ? place : shortest;
#else
        static_cast<void>(at);
        return shortest;
#endif
    }

    bool longText(const char*& begin, std::size_t& length, bool& escaped);
    bool anyNumber(const char*& begin, std::size_t& length);
    char behindSpace();
    /// Reads on; what lies behind `keep` stays, and `keep` is where it then is.
    /// @return  false: there is no more, or too much is to stay
    bool more(const char*& keep);
    bool digits(const char*& begin, const char*& at);

    ByteSource& m_source;
    std::function<bool()> m_goOn;
    std::unique_ptr<char[]> m_buffer; // as large as it grew; what is not read is not set
    std::size_t m_room;
    const char* m_at = nullptr;
    const char* m_end = nullptr; ///< a zero byte stands there
    std::uint64_t m_pieces = 0;
    bool m_stopped = false;
    bool m_sourceEnded = false;
};

/// Replaces what is escaped in a text.
/// @param out  the text without escapes
/// @return     false: an escape that JSON does not have
bool unescaped(const char* begin, std::size_t length, std::string& out);

} // namespace pw
