// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/mended_words.h"

#include "core/base/display_text.h"
#include "core/base/number.h"

#include <string_view>
#include <utility>

namespace pw {

namespace {

/// How far the end of a string is looked for behind a quote; more blanks count as the end.
constexpr std::size_t mostBlanks = 256;
constexpr std::size_t longestWord = 400;
constexpr std::int64_t longestString = 1U << 20;

/// Whether a character stands in a string as itself.
bool isPlain(char c)
{
    return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
}

/// Whether a text is a number as JSON writes it, and one that a double can hold.
bool isJsonNumber(const std::string& text)
{
    std::size_t at = 0;
    const auto digits = [&] {
        const std::size_t from = at;
        while (at < text.size() && text[at] >= '0' && text[at] <= '9')
            ++at;
        return at - from;
    };
    if (at < text.size() && text[at] == '-')
        ++at;
    const bool zero = at < text.size() && text[at] == '0';
    const std::size_t whole = digits();
    if (whole == 0 || (zero && whole > 1))
        return false;
    if (at < text.size() && text[at] == '.') {
        ++at;
        if (digits() == 0)
            return false;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        if (at < text.size() && (text[at] == '-' || text[at] == '+'))
            ++at;
        if (digits() == 0)
            return false;
    }
    return at == text.size() && decimalNumber(text).has_value();
}

} // namespace

/// Whether the quote here ends the string, by what comes behind it.
bool MendedWords::closesString(bool key, bool insideObject)
{
    std::size_t ahead = 1;
    const auto skip = [&] {
        while (ahead < mostBlanks && isBlank(at(ahead)))
            ++ahead;
    };
    skip();
    const int next = at(ahead);
    if (next == MendedText::end || ahead >= mostBlanks)
        return true;
    if (key)
        return next == ':';
    if (!insideObject)
        return next == ',' || next == ']';
    if (next == '}' || next == ']')
        return true;
    if (next != ',')
        return false;
    ++ahead;
    skip();
    const int behind = at(ahead);
    return behind == '"' || behind == '}' || behind == MendedText::end;
}

void MendedWords::string(bool key, bool insideObject)
{
    put('"');
    take();
    const std::int64_t begin = position();
    for (;;) {
        m_text.passWhile(isPlain); // most of a string needs nothing
        const int c = at(0);
        if (c == MendedText::end)
            break;
        if (c == '"') {
            if (closesString(key, insideObject)) {
                take();
                put('"');
                return;
            }
            repaired("a quote inside a string, escaped", false);
            put("\\\"");
            take();
        } else if (c == '\\') {
            escape();
        } else if (c < 0x20) {
            repaired("a control character inside a string, escaped", false);
            constexpr const char* hex = "0123456789abcdef";
            put(std::string("\\u00") + hex[c / 16] + hex[c % 16]);
            take();
        } else {
            put(static_cast<char>(c));
            take();
        }
        if (position() - begin > longestString) {
            repaired("a string longer than 1 MiB, ended here", true);
            put('"');
            return;
        }
    }
    repaired("the end of the file inside a string", false);
    m_text.cutHere();
    put('"');
}

void MendedWords::escape()
{
    const int next = at(1);
    if (next == 'u') {
        unicodeEscape();
        return;
    }
    put('\\');
    take();
    if (next != MendedText::end &&
        std::string_view("\"\\/bfnrt").find(static_cast<char>(next)) != std::string_view::npos) {
        put(static_cast<char>(next));
        take();
        return;
    }
    repaired("a backslash that escapes nothing, kept as it is", false);
    put('\\');
}

/// Value of four hexadecimal digits, or −1.
int MendedWords::hexNumber(std::size_t ahead)
{
    int value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const int c = at(ahead + i);
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

void MendedWords::unicodeEscape()
{
    constexpr std::size_t length = 6;
    const int first = hexNumber(2);
    if (first < 0) {
        repaired("a backslash that escapes nothing, kept as it is", false);
        put("\\\\");
        take();
    } else if (first < 0xD800 || first > 0xDFFF) {
        m_text.pass(length);
    } else {
        const int second = at(length) == '\\' && at(length + 1) == 'u' ? hexNumber(length + 2) : -1;
        if (first < 0xDC00 && second >= 0xDC00 && second <= 0xDFFF) {
            m_text.pass(2 * length);
        } else {
            repaired("half a character, replaced", false);
            put("\\ufffd");
            take(length);
        }
    }
}

/// All up to the end of a word, or the most of it.
std::string MendedWords::next()
{
    std::string text;
    while (!endsWord(at(text.size())) && text.size() < longestWord)
        text += static_cast<char>(at(text.size()));
    return text;
}

void MendedWords::word()
{
    const std::string text = next();
    if (text == "true" || text == "false" || text == "null" || isJsonNumber(text)) {
        put(text);
    } else {
        repaired(inQuotes(text) + " is not a value of JSON, read as unknown",
                 text.size() >= longestWord);
        put("null");
    }
    // A number that the file ends with may go on.
    if (at(text.size()) == MendedText::end)
        m_text.cutHere(1);
    take(text.size());
}

std::string MendedWords::takeBareKey()
{
    std::string text = next();
    repaired(inQuotes(text) + " is a key without quotes, put in", true);
    take(text.size());
    return text;
}

void MendedWords::putKey(const std::string& key)
{
    put('"');
    for (const char c : key)
        put(c == '\\' || static_cast<unsigned char>(c) < 0x20 ? '?' : c);
    put('"');
}

} // namespace pw
