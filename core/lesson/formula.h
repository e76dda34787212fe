// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// The value of a name in a formula; none: there is no such name.
using FormulaNames = std::function<std::optional<double>(const std::string&)>;

enum class Relation : std::uint8_t
{
    Equal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual
};

/// One side of a relation.
struct FormulaTerm
{
    double value = 0;
    /// Half a unit of the last digit, where the term is one written number; else 0.
    double rounding = 0;
};

/// What a formula comes to: "(3 + 3 − 1) · 3 ms = 15 ms" are two terms and the relation between
/// them.
struct FormulaChain
{
    std::vector<FormulaTerm> terms;  ///< at least one
    std::vector<Relation> relations; ///< one fewer
};

/// Computes a formula as people write it: + − · ⁄, ⌊x⌋, ⌈x⌉, min(a, b), max(a, b), brackets, names,
/// products without a sign ("2pv"), numbers as digits or as words of the language ("two thirds",
/// "drei Viertel"). ms and mb are units of 1, % is a hundredth.
///
/// @param language  "de": 2,75 is a number, and 2.75 none
/// @error Syntax    what cannot be read, or is divided by 0; with the text from there on
Result<FormulaChain> computeFormula(std::string_view text, std::string_view language,
                                    const FormulaNames& names);

/// Whether two terms stand in a relation.
/// @param rounded  a written number may be off by half a unit of its last digit
bool holds(const FormulaTerm& left, Relation relation, const FormulaTerm& right, bool rounded);

/// The number that a word of a language is: "two", "Viertel"; none: it is no such word.
std::optional<double> numberWord(std::string_view word, std::string_view language);

/// Whether a language writes a comma in front of decimals.
bool writesDecimalComma(std::string_view language);

} // namespace pw
