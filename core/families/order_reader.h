// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/order_language.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw::families {

/// Reads expressions and statements into a program, a line at a time. The first failure is kept;
/// after it everything reads as nothing.
class OrderReader
{
public:
    /// @param program  whose names the expressions may use
    explicit OrderReader(OrderProgram& program);

    /// Begins a line. @param text  without a comment
    void line(int number, std::string_view text);
    bool atEnd() const { return m_next >= m_tokens.size(); }
    /// Takes a word or a sign if it comes next.
    bool takes(std::string_view token);
    /// Requires it.
    void expect(std::string_view token);
    std::string_view peek() const { return atEnd() ? std::string_view() : m_tokens[m_next]; }
    /// Requires that the line ends here.
    void end();

    Expression expression();
    std::int64_t wholeNumber();
    /// A name that nothing has yet: its place.
    int newName(const char* what);
    /// The same, or one that a statement before has made.
    int variable();
    /// `define` has been taken.
    void definition();
    /// One line of an order or a block; nothing but `end` and `else` are left to the caller.
    /// @param open  statements that wait for their end, the innermost last; empty list of the top
    void statement(bool block, std::vector<int>& top);
    /// Whether a statement waits for its end.
    bool inside() const { return !m_open.empty(); }

    void fail(const Sentence& what, ErrorCode code = ErrorCode::Syntax);
    const std::optional<Error>& failure() const { return m_failure; }
    int number() const { return m_line; }

private:
    struct Open
    {
        int statement = 0;
        bool otherwise = false;
    };

    static std::string quotedPiece(std::string_view text);
    void split(std::string_view text);
    Expression binary(int level);
    Expression primary();
    Expression named(const std::string& name);
    Expression function(Operation operation, std::size_t least, std::size_t most, int value);
    Expression add(Operation operation, std::vector<int> operands, std::int64_t value = 0);
    PassWords pass(bool block);
    void append(Statement statement, bool opens, std::vector<int>& top);
    std::vector<int>& list(std::vector<int>& top);
    int placeOf(const std::string& name) const;

    OrderProgram& m_program;
    std::vector<std::string_view> m_tokens;
    std::size_t m_next = 0;
    int m_line = 0;
    int m_depth = 0;
    std::vector<int> m_arguments; ///< places that only the definition being read knows
    std::vector<Open> m_open;
    std::optional<Error> m_failure;
};

} // namespace pw::families
