// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/json.h"
#include "core/reading/packing/byte_source.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pw {

/// Passes damaged JSON on as JSON that can be parsed, and says what it changed.
///
/// Mends bare infinity, NaN and other words (null in their place), numbers that are none, control
/// characters and bad escapes in strings, quotes that are not escaped, missing and needless commas,
/// missing and foreign brackets, keys without quotes, and an end in the middle. Sound JSON comes
/// out with the same values. Memory does not depend on the length.
class JsonMender : public ByteSource
{
public:
    /// @param source   of the damaged text; outlives this
    /// @param repairs  gets what is mended; outlives this
    /// @param file     number of the file in `repairs`
    /// @param shift    of places in the source against those in the file; below 0 the source has as
    ///                 many bytes more than the file in front, and as many behind
    JsonMender(ByteSource& source, TraceRepairs& repairs, std::int32_t file,
               std::int64_t shift = 0);

    std::size_t read(char* buffer, std::size_t size) override;

    /// Whether what stands between two places of the text that comes out may say something else
    /// than its writer meant: a bracket was guessed there, or the text is cut off.
    bool doubtful(std::int64_t from, std::int64_t to) const;

    /// Whether the text is cut off, and whether a bracket or a comma was guessed anywhere.
    bool cut() const { return m_cutAt >= 0; }
    bool guessed() const { return !m_doubts.empty(); }

    /// Why mending was given up, with its place; empty where it was not.
    const std::string& failure() const { return m_failure; }
    /// Whether the input has anything but blanks.
    bool any() const { return m_any; }

private:
    enum class Expect
    {
        Key, ///< or the end of the object
        Colon,
        Value, ///< or the end of an array
        Comma, ///< or the end of what holds the value
        Nothing
    };

    static constexpr int end = -1;

    int at(std::size_t ahead);
    void take(std::size_t count = 1);
    void put(char c) { m_out += c; }
    std::int64_t outputPosition() const;
    void repaired(std::string text, bool doubt);
    bool insideObject() const { return !m_stack.empty() && m_stack.back() == '{'; }
    bool open(char bracket) const;

    void skipBlanks();
    void advance();
    void atKey(int c);
    void atColon(int c);
    void atValue(int c);
    void atComma(int c);
    void beginValue();
    void push(char bracket);
    bool joinedNext();
    bool begunAnew();
    void pop();
    void closeUpTo(char bracket);
    void closing(int c);
    void string(bool key);
    bool closesString(bool key);
    void escape();
    void unicodeEscape();
    int hexNumber(std::size_t ahead);
    void word();
    void bareKey();
    void cutOff();

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

    std::vector<char> m_stack;
    Expect m_expect = Expect::Value;
    bool m_comma = false; // held back until something follows it
    bool m_any = false;
    bool m_rootEmpty = true;            // nothing stands directly in the outermost bracket
    std::vector<std::int64_t> m_doubts; // places of the output, ascending
    std::int64_t m_cutAt = -1;          // place of the output behind which nothing is the file's
    std::string m_failure;
};

} // namespace pw
