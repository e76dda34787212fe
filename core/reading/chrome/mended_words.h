// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/chrome/mended_text.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace pw {

inline bool endsWord(int c)
{
    return c < 0 || isBlank(c) || c == ',' || c == ':' || c == '{' || c == '}' || c == '[' ||
           c == ']' || c == '"';
}

/// Strings, escapes, numbers and words of a damaged text: reads one and puts what JSON has for it.
class MendedWords
{
public:
    explicit MendedWords(MendedText& text) ///< outlives this
        : m_text(text)
    {
    }

    /// @pre a quote is next
    /// @param key           of an object, so that a colon comes behind it
    /// @param insideObject  what holds the string is an object, not a list
    void string(bool key, bool insideObject);
    /// A number, true, false, null, or what stands in place of one.
    void word();
    /// A key without quotes, which `putKey` then puts.
    std::string takeBareKey();
    void putKey(const std::string& key);

private:
    int at(std::size_t ahead) { return m_text.at(ahead); }
    void take(std::size_t count = 1) { m_text.take(count); }
    void put(char c) { m_text.put(c); }
    void put(const std::string& text) { m_text.put(text); }
    std::int64_t position() const { return m_text.position(); }
    void repaired(std::string text, bool doubt) { m_text.repaired(std::move(text), doubt); }

    std::string next();
    bool closesString(bool key, bool insideObject);
    void escape();
    void unicodeEscape();
    int hexNumber(std::size_t ahead);

    MendedText& m_text;
};

} // namespace pw
