// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/order_language.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw::families {

/// Words and signs of a file, a line at a time. The first failure is kept; after it everything
/// reads as nothing.
class LineReader
{
public:
    /// Begins a line.
    /// @param text    without a comment; outlives the reading of the line
    /// @param column  of the text's first byte in the file's line, from 1; 0: the line as a whole
    void line(int number, std::string_view text, std::size_t column);
    bool atEnd() const { return m_next >= m_tokens.size(); }
    /// The word or sign that comes next; empty at the end.
    std::string_view peek() const { return ahead(0); }
    /// The one that comes so many later.
    std::string_view ahead(std::size_t count) const
    {
        return m_next + count < m_tokens.size() ? m_tokens[m_next + count] : std::string_view();
    }
    void skip() { ++m_next; }
    /// Takes a word or a sign if it comes next.
    bool takes(std::string_view token);
    /// Requires it.
    void expect(std::string_view token);
    /// Requires that the line ends here.
    void end();
    std::int64_t wholeNumber();
    /// The kind of pass whose name comes next.
    std::optional<PassKind> kindAt() const;

    /// @param back  how many tokens before the next one the failure is of
    void fail(const Sentence& what, ErrorCode code = ErrorCode::Syntax, std::size_t back = 0);
    const std::optional<Error>& failure() const { return m_failure; }
    int number() const { return m_line; }

    /// A piece of a file in quotes, at most 40 bytes, what cannot be printed replaced.
    static std::string quotedPiece(std::string_view text);
    static bool isName(std::string_view token);
    static bool isNumber(std::string_view token);

private:
    void split(std::string_view text);

    std::vector<std::string_view> m_tokens;
    std::size_t m_next = 0;
    std::string_view m_text;  ///< of the line, which the tokens point into
    std::size_t m_column = 0; ///< of its begin in the file
    int m_line = 0;
    std::optional<Error> m_failure;
};

} // namespace pw::families
