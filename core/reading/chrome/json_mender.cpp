// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/json_mender.h"

#include "core/base/json.h"

#include <algorithm>
#include <string>

namespace pw {

JsonMender::JsonMender(ByteSource& source, TraceRepairs& repairs, std::int32_t file,
                       std::int64_t shift)
    : m_text(source, repairs, file, shift)
    , m_words(m_text)
{
}

std::size_t JsonMender::read(char* buffer, std::size_t size)
{
    m_text.forgetGiven();
    while (m_text.ready() < size && m_expect != Expect::Nothing && m_text.failure().empty())
        advance();
    return m_text.give(buffer, size);
}

bool JsonMender::open(char bracket) const
{
    return std::find(m_stack.begin(), m_stack.end(), bracket) != m_stack.end();
}

/// One token further.
void JsonMender::advance()
{
    m_text.skipBlanks();
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
        m_text.put(":null");
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
            m_text.put("null");
            m_expect = Expect::Comma;
            return;
        }
        repaired("a comma or colon too many, left out", c == ':');
        take();
    } else if (c == '}' || c == ']') {
        if (insideObject()) {
            repaired("a value is missing, read as unknown", true);
            m_text.put("null");
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
        m_text.fail("nested deeper than " + std::to_string(deepestJson) + " levels");
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
    if (m_stack.size() != 1 || m_stack.back() != '[' || m_text.cut())
        return false;
    m_text.skipBlanks();
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
    if (!m_stack.empty() || m_text.cut())
        return;
    m_text.skipBlanks();
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
        m_text.repaired(std::string("a ") + static_cast<char>(c) + " too many, left out", true);
        take();
        m_expect = Expect::Comma;
        return;
    }
    if (m_stack.back() != opening) {
        m_text.repaired(
            std::string("a closing ") + (opening == '{' ? ']' : '}') + " is missing, put in", true);
        closeUpTo(opening);
    }
    take();
    pop();
}

void JsonMender::word()
{
    beginValue();
    m_words.word();
    m_expect = m_stack.empty() ? Expect::Nothing : Expect::Comma;
}

void JsonMender::bareKey()
{
    const std::string key = m_words.takeBareKey();
    beginValue();
    m_words.putKey(key);
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
    m_text.cutHere();
    if (m_expect == Expect::Colon)
        m_text.put(":null");
    else if (m_expect == Expect::Value && insideObject())
        m_text.put("null");
    m_comma = false;
    while (!m_stack.empty())
        pop();
}

} // namespace pw
