// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/packing/scan_window.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace pw {

namespace {

/// Small enough that its memory is given again and not asked of the system anew for every file.
constexpr std::size_t scanPiece = 1U << 16;
/// Bytes behind the end that may be looked at.
constexpr std::size_t scanRoom = ScanWindow::room;

/// The first byte from `at` on that ends a stretch of plain text: a quotation mark, a backslash or
/// a control character; behind `end` where there is none before.
const char* plainEnd(const char* at, const char* end)
{
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'),
                  control = _mm_set1_epi8(0x1F);
    for (; at < end; at += sizeof(__m128i)) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        const __m128i found =
            _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, slash)),
                         _mm_cmpeq_epi8(_mm_max_epu8(bytes, control), control));
        if (const auto mask = static_cast<unsigned>(_mm_movemask_epi8(found)); mask != 0)
            return at + std::countr_zero(mask);
    }
    return at;
#else
    while (at < end && *at != '"' && *at != '\\' && static_cast<unsigned char>(*at) > 0x1F)
        ++at;
    return at;
#endif
}

bool isScanDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Four hexadecimal digits; −1: they are none.
std::int32_t hexFour(const char* at, const char* end)
{
    if (end - at < 4)
        return -1;
    std::int32_t value = 0;
    for (int i = 0; i < 4; ++i) {
        const char c = at[i];
        const int digit = isScanDigit(c)         ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

void appendUtf8(std::string& out, std::uint32_t code)
{
    const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (code < 0x80U) {
        put(code);
    } else if (code < 0x800U) {
        put(0xC0U | (code >> 6U));
        put(0x80U | (code & 0x3FU));
    } else if (code < 0x10000U) {
        put(0xE0U | (code >> 12U));
        put(0x80U | ((code >> 6U) & 0x3FU));
        put(0x80U | (code & 0x3FU));
    } else {
        put(0xF0U | (code >> 18U));
        put(0x80U | ((code >> 12U) & 0x3FU));
        put(0x80U | ((code >> 6U) & 0x3FU));
        put(0x80U | (code & 0x3FU));
    }
}

/// A code point behind "\u", both halves where it has two. @return  whether it is one
bool escapedCode(const char*& at, const char* end, std::string& out)
{
    const std::int32_t first = hexFour(at, end);
    if (first < 0)
        return false;
    at += 4;
    constexpr std::int32_t high = 0xD800, low = 0xDC00, behind = 0xE000;
    if (first < high || first >= behind) {
        appendUtf8(out, static_cast<std::uint32_t>(first));
        return true;
    }
    if (first >= low || end - at < 2 || at[0] != '\\' || at[1] != 'u')
        return false;
    const std::int32_t second = hexFour(at + 2, end);
    if (second < low || second >= behind)
        return false;
    at += 6;
    appendUtf8(out, 0x10000U + (static_cast<std::uint32_t>(first - high) << 10U) +
                        static_cast<std::uint32_t>(second - low));
    return true;
}

} // namespace

bool unescaped(const char* begin, std::size_t length, std::string& out)
{
    out.clear();
    const char* const end = begin + length;
    for (const char* at = begin; at < end;) {
        const auto* slash =
            static_cast<const char*>(std::memchr(at, '\\', static_cast<std::size_t>(end - at)));
        if (slash == nullptr) {
            out.append(at, end);
            return true;
        }
        out.append(at, slash);
        if (slash + 1 >= end)
            return false;
        at = slash + 2;
        constexpr std::string_view marks = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
        if (const std::size_t place = marks.find(slash[1]); place != std::string_view::npos)
            out += meant[place];
        else if (slash[1] != 'u' || !escapedCode(at, end, out))
            return false;
    }
    return true;
}

ScanWindow::ScanWindow(ByteSource& source, std::function<bool()> goOn)
    : m_source(source)
    , m_goOn(std::move(goOn))
    , m_buffer(new char[scanPiece + scanRoom])
    , m_room(scanPiece + scanRoom)
    , m_at(m_buffer.get())
    , m_end(m_at)
{
    const char* keep = m_at;
    more(keep);
    m_at = keep;
}

bool ScanWindow::more(const char*& keep)
{
    if (m_sourceEnded)
        return false;
    ++m_pieces;
    const auto kept = static_cast<std::size_t>(m_end - keep);
    if (kept > longest)
        return false;
    if (kept + scanPiece + scanRoom > m_room) {
        m_room = 2 * (kept + scanPiece) + scanRoom;
        std::unique_ptr<char[]> larger(new char[m_room]);
        std::memcpy(larger.get(), keep, kept);
        m_buffer = std::move(larger);
    } else {
        std::memmove(m_buffer.get(), keep, kept);
    }
    m_stopped = m_stopped || (m_goOn && !m_goOn());
    const std::size_t count = m_stopped ? 0 : m_source.read(m_buffer.get() + kept, scanPiece);
    m_sourceEnded = count == 0;
    keep = m_buffer.get();
    m_end = m_buffer.get() + kept + count;
    std::memset(m_buffer.get() + kept + count, 0, scanRoom);
    return count > 0;
}

void ScanWindow::skipMark()
{
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (std::string_view(m_at, static_cast<std::size_t>(m_end - m_at)).substr(0, mark.size()) ==
        mark)
        m_at += mark.size();
}

char ScanWindow::behindSpace()
{
    for (;;) {
        while (*m_at == ' ' || *m_at == '\n' || *m_at == '\r' || *m_at == '\t')
            ++m_at;
        if (m_at < m_end)
            return *m_at;
        if (!more(m_at))
            return '\0';
    }
}

bool ScanWindow::longText(const char*& begin, std::size_t& length, bool& escaped)
{
    escaped = false;
    const char* keep = m_at;
    for (const char* at = m_at + 1;;) {
        at = plainEnd(at, m_end);
        if (at >= m_end) {
            // Stepped over the end by whole stretches: the look goes on at the end itself.
            const auto passed = static_cast<std::size_t>(m_end - keep);
            if (!more(keep))
                return false;
            at = keep + passed;
            continue;
        }
        if (*at == '"') {
            begin = keep + 1;
            length = static_cast<std::size_t>(at - begin);
            m_at = at + 1;
            return true;
        }
        if (*at != '\\')
            return false; // a control character
        escaped = true;
        if (at + 1 >= m_end) {
            const auto passed = static_cast<std::size_t>(at - keep);
            if (!more(keep))
                return false;
            at = keep + passed;
        }
        at += 2;
    }
}

/// At least one digit. @param begin  of the number, which stays in the window
bool ScanWindow::digits(const char*& begin, const char*& at)
{
    bool any = false;
    for (;;) {
        while (isScanDigit(*at)) {
            ++at;
            any = true;
        }
        if (at < m_end)
            return any;
        const auto passed = static_cast<std::size_t>(at - begin);
        const bool read = more(begin);
        at = begin + passed;
        if (!read)
            return any;
    }
}

bool ScanWindow::anyNumber(const char*& begin, std::size_t& length)
{
    begin = m_at;
    const char* at = begin;
    if (*at == '-')
        ++at;
    const auto whole = static_cast<std::size_t>(at - begin);
    if (!digits(begin, at))
        return false;
    // No digit behind a leading zero.
    if (begin[whole] == '0' && static_cast<std::size_t>(at - begin) > whole + 1)
        return false;
    if (*at == '.' && (++at, !digits(begin, at)))
        return false;
    if (*at == 'e' || *at == 'E') {
        ++at;
        if (at >= m_end) {
            const auto passed = static_cast<std::size_t>(at - begin);
            more(begin);
            at = begin + passed;
        }
        if (*at == '+' || *at == '-')
            ++at;
        const auto exponent = static_cast<std::size_t>(at - begin);
        if (!digits(begin, at))
            return false;
        // With three digits it may be beyond what a number can be.
        constexpr std::size_t usual = 2;
        if (static_cast<std::size_t>(at - begin) > exponent + usual)
            return false;
    }
    length = static_cast<std::size_t>(at - begin);
    m_at = at;
    return at - begin < longestNumber;
}

bool ScanWindow::word(std::string_view word)
{
    while (static_cast<std::size_t>(m_end - m_at) < word.size())
        if (!more(m_at))
            return false;
    if (std::string_view(m_at, word.size()) != word)
        return false;
    m_at += word.size();
    return true;
}

} // namespace pw
