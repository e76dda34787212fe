// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/importers/json_mender.h"

#include "core/base/number.h"
#include "core/io/file_problem.h"

#include <algorithm>
#include <charconv>

namespace pw {

namespace {

constexpr std::size_t chunk = 1U << 16;
/// How far the end of a string is looked for behind a quote; more blanks count as the end.
constexpr std::size_t mostBlanks = 256;
constexpr std::size_t longestWord = 400;
constexpr std::size_t longestString = 1U << 20;
/// Guessed brackets after which the text is no JSON at all.
constexpr std::size_t mostDoubts = 1000;

bool isBlank(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Whether a character stands in a string as itself.
bool isPlain(char c)
{
    return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
}

bool endsWord(int c)
{
    return c < 0 || isBlank(c) || c == ',' || c == ':' || c == '{' || c == '}' || c == '[' ||
           c == ']' || c == '"';
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

JsonMender::JsonMender(ByteSource& source, TraceRepairs& repairs, std::int32_t file,
                       std::int64_t shift)
    : m_source(source)
    , m_repairs(repairs)
    , m_file(file)
    , m_shift(shift)
    , m_inBase(shift)
{
}

std::size_t JsonMender::read(char* buffer, std::size_t size)
{
    m_outBase += static_cast<std::int64_t>(m_given);
    m_out.erase(0, m_given);
    m_given = 0;
    while (m_out.size() - m_given < size && m_expect != Expect::Nothing && m_failure.empty())
        advance();
    const std::size_t count = std::min(size, m_out.size() - m_given);
    std::copy_n(m_out.data() + m_given, count, buffer);
    m_given += count;
    return count;
}

bool JsonMender::doubtful(std::int64_t from, std::int64_t to) const
{
    const auto doubt = std::lower_bound(m_doubts.begin(), m_doubts.end(), from);
    return (doubt != m_doubts.end() && *doubt <= to) || (m_cutAt >= 0 && to > m_cutAt);
}

int JsonMender::at(std::size_t ahead)
{
    while (m_next + ahead >= m_in.size() && !m_inputEnded) {
        m_in.erase(0, m_next);
        m_inBase += static_cast<std::int64_t>(m_next);
        m_next = 0;
        const std::size_t had = m_in.size();
        m_in.resize(had + chunk);
        const std::size_t count = m_source.read(m_in.data() + had, chunk);
        m_in.resize(had + count);
        m_inputEnded = count == 0;
    }
    return m_next + ahead < m_in.size() ? static_cast<unsigned char>(m_in[m_next + ahead]) : end;
}

void JsonMender::take(std::size_t count)
{
    m_next = std::min(m_next + count, m_in.size());
}

std::int64_t JsonMender::outputPosition() const
{
    return m_outBase + static_cast<std::int64_t>(m_out.size());
}

/// @param doubt  what was guessed may be wrong, and with it what stands around it
void JsonMender::repaired(std::string text, bool doubt)
{
    std::int64_t position = m_inBase + static_cast<std::int64_t>(m_next);
    if (m_inputEnded)
        position = std::min(position, m_inBase + static_cast<std::int64_t>(m_in.size()) +
                                          std::min<std::int64_t>(m_shift, 0));
    if (doubt && m_doubts.size() >= mostDoubts) {
        m_failure = "byte " + std::to_string(position) +
                    ": too damaged to be read as JSON; a bracket or comma is wrong in more than " +
                    std::to_string(mostDoubts) + " places";
        return;
    }
    if (doubt)
        m_doubts.push_back(outputPosition());
    m_repairs.add({m_file, position, std::move(text)});
}

bool JsonMender::open(char bracket) const
{
    return std::find(m_stack.begin(), m_stack.end(), bracket) != m_stack.end();
}

void JsonMender::skipBlanks()
{
    while (isBlank(at(0)))
        while (m_next < m_in.size() && isBlank(m_in[m_next]))
            ++m_next;
}

/// One token further.
void JsonMender::advance()
{
    skipBlanks();
    const int c = at(0);
    if (c == end) {
        cutOff();
        return;
    }
    m_any = true;
    switch (m_expect) {
    case Expect::Key:
        atKey(c);
        break;
    case Expect::Colon:
        atColon(c);
        break;
    case Expect::Value:
        atValue(c);
        break;
    case Expect::Comma:
        atComma(c);
        break;
    case Expect::Nothing:
        break;
    }
}

void JsonMender::atKey(int c)
{
    if (c == '"') {
        beginValue();
        string(true);
        m_expect = Expect::Colon;
    } else if (c == '}' || c == ']') {
        closing(c);
    } else if (c == ',') {
        repaired("a comma too many, left out", false);
        take();
    } else if (c == '{') {
        // The object before it was not closed.
        repaired("a closing } is missing, put in", true);
        if (m_stack.size() < 2) {
            take(); // the outermost object stays open
            return;
        }
        m_comma = false;
        pop();
        m_comma = true;
        m_expect = insideObject() ? Expect::Key : Expect::Value;
    } else if (endsWord(c)) {
        repaired("a key is missing, something else left out", true);
        take();
    } else {
        bareKey();
    }
}

void JsonMender::atColon(int c)
{
    if (c == ':') {
        put(':');
        take();
    } else if (c == ',' || c == '}' || c == ']') {
        repaired("a key without a value, read as unknown", true);
        m_out += ":null";
        m_expect = Expect::Comma;
        return;
    } else {
        repaired("a colon is missing, put in", true);
        put(':');
    }
    m_expect = Expect::Value;
}

void JsonMender::atValue(int c)
{
    if (c == '{' || c == '[') {
        beginValue();
        take();
        push(static_cast<char>(c));
    } else if (c == '"') {
        beginValue();
        string(false);
        m_expect = m_stack.empty() ? Expect::Nothing : Expect::Comma;
    } else if (c == ',' || c == ':') {
        if (insideObject() && c == ',') {
            repaired("a value is missing, read as unknown", true);
            m_out += "null";
            m_expect = Expect::Comma;
            return;
        }
        repaired("a comma or colon too many, left out", c == ':');
        take();
    } else if (c == '}' || c == ']') {
        if (insideObject()) {
            repaired("a value is missing, read as unknown", true);
            m_out += "null";
            m_expect = Expect::Comma;
        } else if (m_stack.empty()) {
            repaired("a closing bracket too many, left out", true);
            take();
        } else {
            closing(c);
        }
    } else {
        word();
    }
}

void JsonMender::atComma(int c)
{
    if (c == ',') {
        take();
        m_comma = true;
        m_expect = insideObject() ? Expect::Key : Expect::Value;
    } else if (c == '}' || c == ']') {
        closing(c);
    } else if (c == ':') {
        repaired("a colon too many, left out", true);
        take();
    } else {
        repaired("a comma is missing, put in", insideObject());
        m_comma = true;
        m_expect = insideObject() ? Expect::Key : Expect::Value;
    }
}

/// Before a key or an element: the comma that was held back.
void JsonMender::beginValue()
{
    if (m_comma)
        put(',');
    m_comma = false;
}

void JsonMender::push(char bracket)
{
    if (m_stack.size() >= deepestJson) {
        m_failure = "byte " + std::to_string(m_inBase + static_cast<std::int64_t>(m_next)) +
                    ": nested deeper than " + std::to_string(deepestJson) + " levels";
        return;
    }
    put(bracket);
    m_stack.push_back(bracket);
    m_expect = bracket == '{' ? Expect::Key : Expect::Value;
}

/// Closes the innermost bracket.
void JsonMender::pop()
{
    put(m_stack.back() == '{' ? '}' : ']');
    m_stack.pop_back();
    m_expect = m_stack.empty() ? Expect::Nothing : Expect::Comma;
    if (!m_stack.empty() || m_cutAt >= 0)
        return;
    skipBlanks();
    if (at(0) != end)
        repaired("text behind the end, left out", false);
}

void JsonMender::closeUpTo(char bracket)
{
    while (!m_stack.empty() && m_stack.back() != bracket)
        pop();
}

void JsonMender::closing(int c)
{
    const char opening = c == '}' ? '{' : '[';
    if (m_comma) {
        repaired("a comma too many, left out", false);
        m_comma = false;
    }
    if (!open(opening)) {
        repaired(std::string("a ") + static_cast<char>(c) + " too many, left out", true);
        take();
        m_expect = Expect::Comma;
        return;
    }
    if (m_stack.back() != opening) {
        repaired(std::string("a closing ") + (opening == '{' ? ']' : '}') + " is missing, put in",
                 true);
        closeUpTo(opening);
    }
    take();
    pop();
}

/// Whether the quote here ends the string, by what comes behind it.
bool JsonMender::closesString(bool key)
{
    std::size_t ahead = 1;
    const auto skip = [&] {
        while (ahead < mostBlanks && isBlank(at(ahead)))
            ++ahead;
    };
    skip();
    const int next = at(ahead);
    if (next == end || ahead >= mostBlanks)
        return true;
    if (key)
        return next == ':';
    if (!insideObject())
        return next == ',' || next == ']';
    if (next == '}' || next == ']')
        return true;
    if (next != ',')
        return false;
    ++ahead;
    skip();
    const int behind = at(ahead);
    return behind == '"' || behind == '}' || behind == end;
}

void JsonMender::string(bool key)
{
    put('"');
    take();
    const std::size_t begin = m_out.size();
    for (;;) {
        // Most of a string needs nothing.
        std::size_t plain = m_next;
        while (plain < m_in.size() && isPlain(m_in[plain]))
            ++plain;
        m_out.append(m_in, m_next, plain - m_next);
        m_next = plain;
        const int c = at(0);
        if (c == end)
            break;
        if (c == '"') {
            if (closesString(key)) {
                take();
                put('"');
                return;
            }
            repaired("a quote inside a string, escaped", false);
            m_out += "\\\"";
            take();
        } else if (c == '\\') {
            escape();
        } else if (c < 0x20) {
            repaired("a control character inside a string, escaped", false);
            constexpr const char* hex = "0123456789abcdef";
            m_out += std::string("\\u00") + hex[c / 16] + hex[c % 16];
            take();
        } else {
            put(static_cast<char>(c));
            take();
        }
        if (m_out.size() - begin > longestString) {
            repaired("a string longer than 1 MiB, ended here", true);
            put('"');
            return;
        }
    }
    repaired("the end of the file inside a string", false);
    if (m_cutAt < 0)
        m_cutAt = outputPosition();
    put('"');
}

void JsonMender::escape()
{
    const int next = at(1);
    if (next == 'u') {
        unicodeEscape();
        return;
    }
    put('\\');
    take();
    if (next != end &&
        std::string_view("\"\\/bfnrt").find(static_cast<char>(next)) != std::string_view::npos) {
        put(static_cast<char>(next));
        take();
        return;
    }
    repaired("a backslash that escapes nothing, kept as it is", false);
    put('\\');
}

/// Value of four hexadecimal digits, or −1.
int JsonMender::hexNumber(std::size_t ahead)
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

void JsonMender::unicodeEscape()
{
    constexpr std::size_t length = 6;
    const auto copy = [this](std::size_t count) {
        m_out.append(m_in, m_next, count);
        take(count);
    };
    const int first = hexNumber(2);
    if (first < 0) {
        repaired("a backslash that escapes nothing, kept as it is", false);
        m_out += "\\\\";
        take();
    } else if (first < 0xD800 || first > 0xDFFF) {
        copy(length);
    } else {
        const int second = at(length) == '\\' && at(length + 1) == 'u' ? hexNumber(length + 2) : -1;
        if (first < 0xDC00 && second >= 0xDC00 && second <= 0xDFFF) {
            copy(2 * length);
        } else {
            repaired("half a character, replaced", false);
            m_out += "\\ufffd";
            take(length);
        }
    }
}

/// A number, true, false, null, or what stands in place of one.
void JsonMender::word()
{
    std::string text;
    while (!endsWord(at(text.size())) && text.size() < longestWord)
        text += static_cast<char>(at(text.size()));
    beginValue();
    if (text == "true" || text == "false" || text == "null" || isJsonNumber(text)) {
        m_out += text;
    } else {
        repaired(inQuotes(text) + " is no value of JSON, read as unknown",
                 text.size() >= longestWord);
        m_out += "null";
    }
    // A number that the file ends with may go on.
    if (at(text.size()) == end && m_cutAt < 0)
        m_cutAt = outputPosition() - 1;
    take(text.size());
    m_expect = m_stack.empty() ? Expect::Nothing : Expect::Comma;
}

void JsonMender::bareKey()
{
    std::string text;
    while (!endsWord(at(text.size())) && text.size() < longestWord)
        text += static_cast<char>(at(text.size()));
    repaired(inQuotes(text) + " is a key without quotes, put in", true);
    beginValue();
    put('"');
    for (const char c : text)
        put(c == '\\' || static_cast<unsigned char>(c) < 0x20 ? '?' : c);
    put('"');
    take(text.size());
    m_expect = Expect::Colon;
}

/// The end of the input: closes what is open.
void JsonMender::cutOff()
{
    if (m_stack.empty()) {
        m_expect = Expect::Nothing;
        return;
    }
    repaired("the file ends in the middle; what is open is closed here", false);
    if (m_cutAt < 0)
        m_cutAt = outputPosition();
    if (m_expect == Expect::Colon)
        m_out += ":null";
    else if (m_expect == Expect::Value && insideObject())
        m_out += "null";
    m_comma = false;
    while (!m_stack.empty())
        pop();
}

} // namespace pw
