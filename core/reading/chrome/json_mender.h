// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/chrome/mended_text.h"
#include "core/reading/chrome/mended_words.h"
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
    bool doubtful(std::int64_t from, std::int64_t to) const { return m_text.doubtful(from, to); }

    /// Whether the text is cut off, and whether a bracket or a comma was guessed anywhere.
    bool cut() const { return m_text.cut(); }
    bool guessed() const { return m_text.guessed(); }

    /// Why mending was given up, with its place; empty where it was not.
    const std::string& failure() const { return m_text.failure(); }
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

    static constexpr int end = MendedText::end;

    int at(std::size_t ahead) { return m_text.at(ahead); }
    void take(std::size_t count = 1) { m_text.take(count); }
    void put(char c) { m_text.put(c); }
    void repaired(const char* text, bool doubt) { m_text.repaired(text, doubt); }
    bool insideObject() const { return !m_stack.empty() && m_stack.back() == '{'; }
    bool open(char bracket) const;

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
    void string(bool key) { m_words.string(key, insideObject()); }
    void word();
    void bareKey();
    void cutOff();

    MendedText m_text;
    MendedWords m_words;
    std::vector<char> m_stack;
    Expect m_expect = Expect::Value;
    bool m_comma = false; // held back until something follows it
    bool m_any = false;
    bool m_rootEmpty = true; // nothing stands directly in the outermost bracket
};

} // namespace pw
