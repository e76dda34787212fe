// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/line_reader.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw::families {

/// Reads expressions, names and definitions into a program.
class ExpressionReader : public LineReader
{
public:
    /// @param program  whose names the expressions may use
    explicit ExpressionReader(OrderProgram& program);

    Expression expression();
    /// A name that nothing has yet: its place.
    int newName(const char* what);
    /// The same, or one that a statement before has made.
    int variable();
    /// `define` has been taken, or what is read is `route(j) = …`.
    void definition();
    int placeOf(std::string_view name) const;
    /// The number of the array whose name has a place; −1: it is none.
    int arrayAt(int place) const;
    /// Nobody else may say the names of places; those below 0 are none.
    void hide(const std::vector<int>& places, const std::string& owner);
    /// Whether `done(…)` may be asked.
    void allowCounts(bool allowed) { m_counts = allowed; }

private:
    Expression binary(int level);
    Expression primary();
    Expression named(const std::string& name);
    Expression function(Operation operation, std::size_t least, std::size_t most, int value);
    Expression element(int array);
    Expression counted();
    Expression add(Operation operation, std::vector<int> operands, std::int64_t value = 0);

    OrderProgram& m_program;
    int m_depth = 0;
    std::vector<int> m_arguments; ///< places that only the definition being read knows
    bool m_counts = false;
};

} // namespace pw::families
