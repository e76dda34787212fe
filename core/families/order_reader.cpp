// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/order_reader.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <span>

namespace pw::families {

namespace {

constexpr std::size_t mostNodes = 20'000;
constexpr std::size_t mostNames = 200;
constexpr int deepestExpression = 32;

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

struct Sign
{
    std::string_view token;
    Operation operation;
    bool swapped = false; ///< operands the other way round
};

constexpr std::array<std::array<Sign, 6>, 4> levels = {
    {{{{"or", Operation::Or}}},
     {{{"and", Operation::And}}},
     {{{"<", Operation::Less},
       {"<=", Operation::LessEqual},
       {">", Operation::Less, true},
       {">=", Operation::LessEqual, true},
       {"==", Operation::Equal},
       {"!=", Operation::NotEqual}}},
     {{{"+", Operation::Add}, {"-", Operation::Subtract}}}}};
constexpr std::array<Sign, 3> products = {
    {{"*", Operation::Multiply}, {"/", Operation::Divide}, {"%", Operation::Modulo}}};
constexpr int comparisons = 2;
constexpr int sums = 3;

constexpr std::array<std::string_view, 20> reserved = {
    "F",   "B",  "W",     "BW", "R",    "pair", "with", "chunk", "segment", "at",
    "for", "in", "while", "if", "else", "end",  "and",  "or",    "not",     "min"};

bool isReserved(std::string_view name)
{
    return std::find(reserved.begin(), reserved.end(), name) != reserved.end() || name == "max" ||
           name == "choose";
}

} // namespace

/// A piece of a file in quotes, at most 40 bytes, what cannot be printed replaced.
std::string OrderReader::quotedPiece(std::string_view text)
{
    constexpr std::size_t shown = 40;
    std::string out = "'";
    for (const char c : text.substr(0, shown))
        out += c >= 0x20 && c < 0x7f ? c : '?';
    return out + (text.size() > shown ? "…'" : "'");
}

OrderReader::OrderReader(OrderProgram& program)
    : m_program(program)
{
    m_program.names = {"p", "m", "d", "v", "k", "s"};
}

void OrderReader::fail(const Sentence& what, ErrorCode code)
{
    if (!m_failure)
        m_failure = atLine(m_line, what, code);
}

void OrderReader::line(int number, std::string_view text)
{
    m_line = number;
    m_next = 0;
    m_tokens.clear();
    split(text);
}

void OrderReader::split(std::string_view text)
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
        } else if (std::string_view("+-*/%()<>=,:").find(c) == std::string_view::npos) {
            fail(said("%1 means nothing here", quotedPiece(text.substr(i, 1))));
            return;
        }
        m_tokens.push_back(text.substr(i, length));
        i += length;
    }
}

bool OrderReader::takes(std::string_view token)
{
    if (peek() != token || atEnd())
        return false;
    ++m_next;
    return true;
}

void OrderReader::expect(std::string_view token)
{
    if (!takes(token))
        fail(said("here %1 is expected, not %2", quotedPiece(token),
                  atEnd() ? said("the end of the line") : Sentence(quotedPiece(peek()))));
}

void OrderReader::end()
{
    if (!atEnd())
        fail(said("%1 stands behind what is complete", quotedPiece(peek())));
}

Expression OrderReader::add(Operation operation, std::vector<int> operands, std::int64_t value)
{
    if (m_failure)
        return {};
    if (m_program.nodes.size() >= mostNodes) {
        fail(said("more than %1 operations in a file", mostNodes), ErrorCode::TooLarge);
        return {};
    }
    m_program.nodes.push_back({operation, value, std::move(operands), m_line});
    return {static_cast<int>(m_program.nodes.size()) - 1};
}

Expression OrderReader::expression()
{
    if (m_depth >= deepestExpression)
        fail(said("an expression that is nested deeper than %1", deepestExpression),
             ErrorCode::TooLarge);
    if (m_failure)
        return {};
    ++m_depth;
    const Expression made = binary(0);
    --m_depth;
    return made;
}

Expression OrderReader::binary(int level)
{
    if (m_failure)
        return {};
    if (level == comparisons && takes("not")) {
        const Expression operand = binary(comparisons);
        return add(Operation::Not, {operand.node});
    }
    const auto below = [&] { return level == sums + 1 ? primary() : binary(level + 1); };
    Expression left = below();
    for (bool found = true; found && !m_failure;) {
        found = false;
        const std::span<const Sign> signs =
            level == sums + 1 ? std::span<const Sign>(products)
                              : std::span<const Sign>(levels[static_cast<std::size_t>(level)]);
        for (const Sign& sign : signs) {
            if (sign.token.empty() || !takes(sign.token))
                continue;
            const Expression right = below();
            left = sign.swapped ? add(sign.operation, {right.node, left.node})
                                : add(sign.operation, {left.node, right.node});
            // Of comparisons only one stands beside another with brackets.
            found = level != comparisons;
            break;
        }
    }
    return left;
}

Expression OrderReader::primary()
{
    if (atEnd()) {
        fail(said("a number or a name is missing at the end of the line"));
        return {};
    }
    if (takes("-")) {
        if (++m_depth > deepestExpression)
            fail(said("an expression that is nested deeper than %1", deepestExpression),
                 ErrorCode::TooLarge);
        const Expression operand = m_failure ? Expression{} : primary();
        --m_depth;
        return add(Operation::Negate, {operand.node});
    }
    if (takes("(")) {
        const Expression inner = expression();
        expect(")");
        return inner;
    }
    if (isDigit(peek()[0]))
        return add(Operation::Number, {}, wholeNumber());
    if (takes("min"))
        return function(Operation::Minimum, 2, 8, 0);
    if (takes("max"))
        return function(Operation::Maximum, 2, 8, 0);
    if (takes("choose"))
        return function(Operation::Choose, 3, 3, 0);
    if (isLetter(peek()[0])) {
        const std::string name(peek());
        ++m_next;
        return named(name);
    }
    fail(said("a number or a name is expected, not %1", quotedPiece(peek())));
    return {};
}

std::int64_t OrderReader::wholeNumber()
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

Expression OrderReader::function(Operation operation, std::size_t least, std::size_t most,
                                 int value)
{
    std::vector<int> operands;
    expect("(");
    if (most > 0) {
        do
            operands.push_back(expression().node);
        while (!m_failure && takes(","));
    }
    expect(")");
    if (operands.size() < least || operands.size() > most)
        fail(said("here are %1 values; %2%3 are expected", operands.size(), least,
                  most > least ? said(" to %1", most) : Sentence()));
    return add(operation, std::move(operands), value);
}

int OrderReader::placeOf(const std::string& name) const
{
    for (const int place : m_arguments)
        if (m_program.names[static_cast<std::size_t>(place)] == name)
            return place;
    for (std::size_t i = 0; i < m_program.names.size(); ++i)
        if (m_program.names[i] == name)
            return static_cast<int>(i);
    return -1;
}

Expression OrderReader::named(const std::string& name)
{
    for (std::size_t i = 0; i < m_program.definitions.size(); ++i) {
        const Definition& definition = m_program.definitions[i];
        if (definition.name != name)
            continue;
        const auto count = static_cast<std::size_t>(definition.arguments);
        return function(Operation::Call, count, count, static_cast<int>(i));
    }
    const int place = placeOf(name);
    if (place >= 0)
        return add(Operation::Name, {}, place);
    std::vector<std::string> known = m_program.names;
    for (const Definition& definition : m_program.definitions)
        known.push_back(definition.name);
    const std::string near = nearest(name, known);
    fail(said("there is no name %1%2", quotedPiece(name),
              near.empty() ? Sentence() : said("; did you mean %1?", near)));
    return {};
}

int OrderReader::newName(const char* what)
{
    if (atEnd() || !isLetter(peek()[0])) {
        fail(said("%1 needs a name of letters, digits and _", what));
        return 0;
    }
    const std::string name(peek());
    const bool defined =
        std::any_of(m_program.definitions.begin(), m_program.definitions.end(),
                    [&name](const Definition& definition) { return definition.name == name; });
    if (isReserved(name) || placeOf(name) >= 0 || defined) {
        fail(said("the name %1 means something already", quotedPiece(name)));
        return 0;
    }
    if (m_program.names.size() >= mostNames) {
        fail(said("more than %1 names in a file", mostNames), ErrorCode::TooLarge);
        return 0;
    }
    ++m_next;
    m_program.names.push_back(name);
    return static_cast<int>(m_program.names.size()) - 1;
}

int OrderReader::variable()
{
    const int place = atEnd() ? -1 : placeOf(std::string(peek()));
    if (place < knownPlaces)
        return newName("what is given a value");
    ++m_next;
    return place;
}

void OrderReader::definition()
{
    Definition made;
    // The name is of the definition alone.
    newName("define");
    if (m_failure)
        return;
    made.name = m_program.names.back();
    m_program.names.pop_back();
    made.firstPlace = static_cast<int>(m_program.names.size());
    expect("(");
    while (!m_failure && !takes(")")) {
        m_arguments.push_back(newName("an argument"));
        ++made.arguments;
        if (peek() != ")")
            expect(",");
    }
    expect("=");
    made.body = expression();
    end();
    // Nobody else may say them.
    for (const int place : m_arguments)
        if (!m_failure)
            m_program.names[static_cast<std::size_t>(place)] += " of " + made.name;
    m_arguments.clear();
    if (!m_failure)
        m_program.definitions.push_back(std::move(made));
}

} // namespace pw::families
