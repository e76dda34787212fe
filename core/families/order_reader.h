// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/expression_reader.h"

#include <vector>

namespace pw::families {

/// Reads the statements of orders and blocks, and the rules of `when ready`, into a program.
class OrderReader : public ExpressionReader
{
public:
    /// @param program  whose names the statements may use
    explicit OrderReader(OrderProgram& program);

    /// One line of an order or a block; nothing but `end` and `else` are left to the caller.
    /// @param top  statements that stand in no other one
    void statement(bool block, std::vector<int>& top);
    /// Whether a statement waits for its end.
    bool inside() const { return !m_open.empty(); }
    /// `when ready` has been taken; from here on up to `endRules` lines are rules.
    void beginRules();
    void rule();
    void endRules();

private:
    struct Open
    {
        int statement = 0;
        bool otherwise = false;
    };

    PassWords pass(bool block);
    void append(Statement statement, bool opens, std::vector<int>& top);
    std::vector<int>& list(std::vector<int>& top);
    void arrayStatement(Statement& made);
    void valueStatement(Statement& made);

    OrderProgram& m_program;
    std::vector<Open> m_open; ///< statements that wait for their end, the innermost last
};

} // namespace pw::families
