// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/json_mender.h"

#include "core/io/file_problem.h"
#include "core/reading/chrome/json_mender_parts.h"

#include <algorithm>
#include <charconv>

namespace pw {

namespace {

constexpr std::size_t chunk = 1U << 16;
/// Guessed brackets after which the text is not JSON at all.
constexpr std::size_t mostDoubts = 1000;

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
    if (begunAnew())
        return;
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
    m_rootEmpty = m_rootEmpty && m_stack.size() != 1;
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

/// Whether behind the list at the root another one follows, as of a program that was started again
/// and appended to its file. It is read on as the same, since a list says nothing beside its
/// events.
bool JsonMender::joinedNext()
{
    if (m_stack.size() != 1 || m_stack.back() != '[' || m_cutAt >= 0)
        return false;
    skipBlanks();
    std::size_t ahead = 0;
    if (at(0) == ',')
        for (ahead = 1; isBlank(at(ahead));)
            ++ahead;
    if (at(ahead) != '[')
        return false;
    repaired("another list begins, read on as the same", false);
    take(ahead + 1);
    m_comma = !m_rootEmpty;
    m_expect = Expect::Value;
    return true;
}

/// The same where the list before was not closed.
bool JsonMender::begunAnew()
{
    if (m_stack.size() != 1 || m_stack.back() != '[' || m_rootEmpty || at(0) != '[')
        return false;
    std::size_t ahead = 1;
    while (isBlank(at(ahead)))
        ++ahead;
    if (at(ahead) != '{')
        return false;
    repaired("another list begins, read on as the same", false);
    take(ahead);
    return true;
}

/// Closes the innermost bracket.
void JsonMender::pop()
{
    if (joinedNext())
        return;
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
