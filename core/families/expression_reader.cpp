// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/expression_reader.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <span>

namespace pw::families {

namespace {

constexpr std::size_t mostNodes = 20'000;
constexpr std::size_t mostNames = 200;
constexpr int deepestExpression = 32;

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

ExpressionReader::ExpressionReader(OrderProgram& program)
    : m_program(program)
{
    m_program.names = {"p", "m", "d", "v", "k", "s"};
}

Expression ExpressionReader::add(Operation operation, std::vector<int> operands, std::int64_t value)
{
    if (failure())
        return {};
    if (m_program.nodes.size() >= mostNodes) {
        fail(said("more than %1 operations in a file", mostNodes), ErrorCode::TooLarge);
        return {};
    }
    m_program.nodes.push_back({operation, value, std::move(operands), number(), PassKind::F});
    return {static_cast<int>(m_program.nodes.size()) - 1};
}

Expression ExpressionReader::expression()
{
    if (m_depth >= deepestExpression)
        fail(said("an expression that is nested deeper than %1", deepestExpression),
             ErrorCode::TooLarge);
    if (failure())
        return {};
    ++m_depth;
    const Expression made = binary(0);
    --m_depth;
    return made;
}

Expression ExpressionReader::binary(int level)
{
    if (failure())
        return {};
    if (level == comparisons && takes("not")) {
        const Expression operand = binary(comparisons);
        return add(Operation::Not, {operand.node});
    }
    const auto below = [&] { return level == sums + 1 ? primary() : binary(level + 1); };
    Expression left = below();
    for (bool found = true; found && !failure();) {
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

Expression ExpressionReader::primary()
{
    if (atEnd()) {
        fail(said("a number or a name is missing at the end of the line"));
        return {};
    }
    if (takes("-")) {
        if (++m_depth > deepestExpression)
            fail(said("an expression that is nested deeper than %1", deepestExpression),
                 ErrorCode::TooLarge);
        const Expression operand = failure() ? Expression{} : primary();
        --m_depth;
        return add(Operation::Negate, {operand.node});
    }
    if (takes("(")) {
        const Expression inner = expression();
        expect(")");
        return inner;
    }
    if (isNumber(peek()))
        return add(Operation::Number, {}, wholeNumber());
    if (takes("min"))
        return function(Operation::Minimum, 2, 8, 0);
    if (takes("max"))
        return function(Operation::Maximum, 2, 8, 0);
    if (takes("choose"))
        return function(Operation::Choose, 3, 3, 0);
    if (isName(peek())) {
        const std::string name(peek());
        skip();
        return named(name);
    }
    fail(said("a number or a name is expected, not %1", quotedPiece(peek())));
    return {};
}

Expression ExpressionReader::function(Operation operation, std::size_t least, std::size_t most,
                                      int value)
{
    std::vector<int> operands;
    expect("(");
    if (most > 0) {
        do
            operands.push_back(expression().node);
        while (!failure() && takes(","));
    }
    expect(")");
    if (operands.size() < least || operands.size() > most)
        fail(said("here are %1 values; %2%3 are expected", operands.size(), least,
                  most > least ? said(" to %1", most) : Sentence()));
    return add(operation, std::move(operands), value);
}

int ExpressionReader::placeOf(std::string_view name) const
{
    for (const int place : m_arguments)
        if (m_program.names[static_cast<std::size_t>(place)] == name)
            return place;
    for (std::size_t i = 0; i < m_program.names.size(); ++i)
        if (m_program.names[i] == name)
            return static_cast<int>(i);
    return -1;
}

Expression ExpressionReader::named(const std::string& name)
{
    for (std::size_t i = 0; i < m_program.definitions.size(); ++i) {
        const Definition& definition = m_program.definitions[i];
        if (definition.name != name)
            continue;
        const auto count = static_cast<std::size_t>(definition.arguments);
        return function(Operation::Call, count, count, static_cast<int>(i));
    }
    const int place = placeOf(name);
    if (const int array = arrayAt(place); array >= 0)
        return element(array);
    if (place >= 0)
        return add(Operation::Name, {}, place);
    if (m_counts && name == "done")
        return counted();
    std::vector<std::string> known = m_program.names;
    for (const Definition& definition : m_program.definitions)
        known.push_back(definition.name);
    const std::string near = nearest(name, known);
    fail(said("there is no name %1%2", quotedPiece(name),
              near.empty() ? Sentence() : said("; did you mean %1?", near)),
         ErrorCode::Syntax, 1);
    return {};
}

int ExpressionReader::newName(const char* what)
{
    if (atEnd() || !isName(peek())) {
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
    skip();
    m_program.names.push_back(name);
    return static_cast<int>(m_program.names.size()) - 1;
}

int ExpressionReader::variable()
{
    const int place = atEnd() ? -1 : placeOf(std::string(peek()));
    if (arrayAt(place) >= 0) {
        fail(said("%1 is an array; its elements are given values one by one", quotedPiece(peek())));
        return 0;
    }
    if (place < knownPlaces)
        return newName("what is given a value");
    skip();
    return place;
}

void ExpressionReader::hide(const std::vector<int>& places, const std::string& owner)
{
    for (const int place : places)
        if (!failure() && place >= 0)
            m_program.names[static_cast<std::size_t>(place)] += " of " + owner;
}

int ExpressionReader::arrayAt(int place) const
{
    const auto at = std::find(m_program.arrays.begin(), m_program.arrays.end(), place);
    return at == m_program.arrays.end() ? -1 : static_cast<int>(at - m_program.arrays.begin());
}

Expression ExpressionReader::element(int array)
{
    expect("[");
    const Expression index = expression();
    expect("]");
    return add(Operation::Element, {index.node}, array);
}

void ExpressionReader::definition()
{
    Definition made;
    // The name is of the definition alone.
    newName("define");
    if (failure())
        return;
    made.name = m_program.names.back();
    m_program.names.pop_back();
    made.firstPlace = static_cast<int>(m_program.names.size());
    expect("(");
    while (!failure() && !takes(")")) {
        m_arguments.push_back(newName("an argument"));
        ++made.arguments;
        if (peek() != ")")
            expect(",");
    }
    expect("=");
    made.body = expression();
    end();
    hide(m_arguments, made.name);
    m_arguments.clear();
    if (!failure())
        m_program.definitions.push_back(std::move(made));
}

/// `done` has been taken: `done(F)`, `done(F of j)`, `done(F chunk c)`.
Expression ExpressionReader::counted()
{
    expect("(");
    const std::optional<PassKind> kind = kindAt();
    if (!kind || *kind == PassKind::R)
        fail(said("done counts F, B, W or BW, not %1", quotedPiece(peek())));
    if (failure())
        return {};
    skip();
    CountOf of = CountOf::Device;
    std::vector<int> operands;
    if (takes("of")) {
        of = CountOf::MicroBatch;
        operands.push_back(expression().node);
    } else if (takes("chunk")) {
        of = CountOf::Chunk;
        operands.push_back(expression().node);
    }
    expect(")");
    const Expression made =
        add(Operation::Done, std::move(operands), static_cast<std::int64_t>(of));
    if (made.given())
        m_program.nodes.back().kind = *kind;
    return made;
}

} // namespace pw::families
