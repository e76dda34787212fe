// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/short_name.h"

#include <optional>

namespace pw {

namespace {

bool opens(char c)
{
    return c == '(' || c == '<' || c == '[' || c == '{';
}

bool closes(char c)
{
    return c == ')' || c == '>' || c == ']' || c == '}';
}

/// A function is told by its parameters, which its name ends with, without a space between;
/// `const` may follow them.
/// @return  where they begin; none: it is no function
std::optional<std::size_t> parametersOf(std::string_view name)
{
    constexpr std::string_view qualifier = " const";
    std::size_t end = name.size();
    if (end > qualifier.size() && name.substr(end - qualifier.size()) == qualifier)
        end -= qualifier.size();
    if (end == 0 || name[end - 1] != ')')
        return std::nullopt;
    int depth = 0;
    for (std::size_t at = end; at-- > 0;) {
        // An arrow or a comparison among template arguments is no bracket.
        if (name[at] == '>' && at > 0 && name[at - 1] == '-')
            continue;
        if (closes(name[at]))
            ++depth;
        else if (opens(name[at]) && --depth == 0)
            return name[at] == '(' && at > 0 && name[at - 1] != ' ' ? std::optional(at)
                                                                    : std::nullopt;
    }
    return std::nullopt;
}

struct Heads
{
    std::size_t begin = 0; ///< of the function's own name
    std::size_t end = 0;   ///< behind it, where template arguments begin
};

/// What stands outside of all brackets: what is returned, namespaces, the name.
Heads headsOf(std::string_view function)
{
    Heads heads{0, function.size()};
    int depth = 0;
    bool arguments = false;
    for (std::size_t at = 0; at < function.size(); ++at) {
        const char c = function[at];
        if (opens(c)) {
            if (depth++ == 0 && c == '<' && !arguments) {
                heads.end = at;
                arguments = true;
            }
        } else if (closes(c)) {
            --depth;
        } else if (depth == 0 && (c == ' ' || c == ':')) {
            // What came before was a type or a namespace.
            heads = {at + 1, function.size()};
            arguments = false;
        }
    }
    return heads;
}

} // namespace

std::string shortName(std::string_view name)
{
    constexpr std::string_view nothing = "void ";
    const std::optional<std::size_t> parameters = parametersOf(name);
    const bool returns = name.substr(0, nothing.size()) == nothing;
    if (!parameters && !returns)
        return std::string(name);
    std::string_view function = name.substr(0, parameters.value_or(name.size()));
    while (!function.empty() && function.back() == ' ')
        function.remove_suffix(1);
    const Heads heads = headsOf(function);
    // Operators and lambdas have no name of their own at the end, nor has what returns and is not.
    if (heads.begin >= heads.end || (returns && heads.begin == 0))
        return std::string(name);
    return std::string(function.substr(heads.begin));
}

std::string cutName(std::string_view name, std::size_t longest)
{
    if (name.size() <= longest)
        return std::string(name);
    std::size_t cut = longest;
    while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xC0U) == 0x80U)
        --cut;
    return std::string(name.substr(0, cut)) + "…";
}

} // namespace pw
