// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/line_reader.h"

#include "core/base/number.h"

#include <algorithm>

namespace pw::families {

namespace {

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

} // namespace

bool LineReader::isName(std::string_view token)
{
    return !token.empty() && isLetter(token[0]);
}

bool LineReader::isNumber(std::string_view token)
{
    return !token.empty() && isDigit(token[0]);
}

std::optional<PassKind> LineReader::kindAt() const
{
    for (const PassKind kind : {PassKind::F, PassKind::B, PassKind::W, PassKind::BW, PassKind::R})
        if (peek() == name(kind))
            return kind;
    return std::nullopt;
}

std::string LineReader::quotedPiece(std::string_view text)
{
    constexpr std::size_t shown = 40;
    std::string out = "'";
    for (const char c : text.substr(0, shown))
        out += c >= 0x20 && c < 0x7f ? c : '?';
    return out + (text.size() > shown ? "…'" : "'");
}

void LineReader::fail(const Sentence& what, ErrorCode code, std::size_t back)
{
    if (m_failure)
        return;
    if (m_column == 0) {
        m_failure = atLine(m_line, what, code);
        return;
    }
    const std::size_t token = m_next - std::min(back, m_next);
    const std::size_t offset =
        token < m_tokens.size() ? static_cast<std::size_t>(m_tokens[token].data() - m_text.data())
                                : m_text.size();
    m_failure = Error{code, said("line %1, column %2: %3", m_line, m_column + offset, what)};
}

void LineReader::line(int number, std::string_view text, std::size_t column)
{
    m_line = number;
    m_next = 0;
    m_text = text;
    m_column = column;
    m_tokens.clear();
    split(text);
}

void LineReader::split(std::string_view text)
{
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == ' ' || c == '\t' || c == '\r') {
            ++i;
            continue;
        }
        std::size_t length = 1;
        const std::string_view two = text.substr(i, 2);
        if (isLetter(c)) {
            while (i + length < text.size() &&
                   (isLetter(text[i + length]) || isDigit(text[i + length])))
                ++length;
        } else if (isDigit(c)) {
            while (i + length < text.size() && isDigit(text[i + length]))
                ++length;
        } else if (two == "<=" || two == ">=" || two == "==" || two == "!=" || two == "..") {
            length = 2;
        } else if (std::string_view("+-*/%()<>=,:[]").find(c) == std::string_view::npos) {
            m_text = text.substr(0, i); // the place of the failure is behind it
            m_next = m_tokens.size();
            fail(said("%1 means nothing here", quotedPiece(text.substr(i, 1))));
            return;
        }
        m_tokens.push_back(text.substr(i, length));
        i += length;
    }
}

bool LineReader::takes(std::string_view token)
{
    if (peek() != token || atEnd())
        return false;
    ++m_next;
    return true;
}

void LineReader::expect(std::string_view token)
{
    if (!takes(token))
        fail(said("here %1 is expected, not %2", quotedPiece(token),
                  atEnd() ? said("the end of the line") : Sentence(quotedPiece(peek()))));
}

void LineReader::end()
{
    if (!atEnd())
        fail(said("unexpected %1 after a complete expression", quotedPiece(peek())));
}

std::int64_t LineReader::wholeNumber()
{
    const bool negative = takes("-");
    const std::optional<std::int64_t> number = atEnd() ? std::nullopt : pw::wholeNumber(peek());
    if (!number) {
        fail(said("a whole number is expected, not %1",
                  atEnd() ? said("the end of the line") : Sentence(quotedPiece(peek()))));
        return 0;
    }
    ++m_next;
    return negative ? -*number : *number;
}

} // namespace pw::families
