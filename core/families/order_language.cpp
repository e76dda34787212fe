// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/order_language.h"

#include "core/base/stop.h"
#include "core/base/try.h"

#include <algorithm>
#include <limits>

namespace pw::families {

namespace {

/// Towards −∞, as authors of schedules know it from Python. @pre b is not 0, nor a/b beyond 64 bits
std::int64_t floorDivided(std::int64_t a, std::int64_t b)
{
    const std::int64_t quotient = a / b;
    return a % b != 0 && (a % b < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// The value of two operands, or nothing where it is beyond 64 bits.
std::optional<std::int64_t> computed(Operation operation, std::int64_t a, std::int64_t b)
{
    std::int64_t out = 0;
    switch (operation) {
    case Operation::Add:
        return __builtin_add_overflow(a, b, &out) ? std::nullopt : std::optional(out);
    case Operation::Subtract:
        return __builtin_sub_overflow(a, b, &out) ? std::nullopt : std::optional(out);
    case Operation::Multiply:
        return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional(out);
    case Operation::Divide:
    case Operation::Modulo: {
        if (b == -1 && a == std::numeric_limits<std::int64_t>::min())
            return std::nullopt;
        const std::int64_t quotient = floorDivided(a, b);
        return operation == Operation::Divide ? quotient : a - quotient * b;
    }
    case Operation::Less:
        return a < b ? 1 : 0;
    case Operation::LessEqual:
        return a <= b ? 1 : 0;
    case Operation::Equal:
        return a == b ? 1 : 0;
    case Operation::NotEqual:
        return a != b ? 1 : 0;
    case Operation::Minimum:
        return std::min(a, b);
    case Operation::Maximum:
        return std::max(a, b);
    default:
        return std::nullopt;
    }
}

} // namespace

Error atLine(int line, const Sentence& what, ErrorCode code)
{
    return {code, said("line %1: %2", line, what)};
}

OrderRun::OrderRun(const OrderProgram& program, RunBudget budget)
    : m_program(program)
    , m_budget(budget)
    , m_values(std::max<std::size_t>(program.names.size(), knownPlaces))
    , m_arrays(program.arrays.size())
{
}

void OrderRun::forget(int firstPlace)
{
    std::fill(m_values.begin() + firstPlace, m_values.end(), 0);
    for (std::vector<std::int64_t>& array : m_arrays)
        array.clear();
    m_elements = 0;
}

Result<std::int64_t> OrderRun::valueOf(const Definition& definition, std::int64_t argument)
{
    set(definition.firstPlace, argument);
    return value(definition.body);
}

Result<std::int64_t*> OrderRun::element(std::int64_t array, int index, int line)
{
    const std::string& name =
        m_program
            .names[static_cast<std::size_t>(m_program.arrays[static_cast<std::size_t>(array)])];
    std::vector<std::int64_t>& numbers = m_arrays[static_cast<std::size_t>(array)];
    PW_TRY(const std::int64_t at, node(index));
    if (numbers.empty())
        return fail(atLine(line, said("the array %1 has no element yet", name)));
    if (at < 0 || at >= static_cast<std::int64_t>(numbers.size()))
        return fail(atLine(
            line, said("the place in the array %1 is %2; 0 to %3", name, at, numbers.size() - 1)));
    return &numbers[static_cast<std::size_t>(at)];
}

Result<void> OrderRun::makeArray(const Statement& statement)
{
    PW_TRY(const std::int64_t size, value(statement.first));
    std::vector<std::int64_t>& numbers = m_arrays[static_cast<std::size_t>(statement.place)];
    const std::int64_t others = m_elements - static_cast<std::int64_t>(numbers.size());
    if (size < 0 || size > mostElements - others)
        return fail(atLine(
            statement.line,
            said("the size of an array is %1; 0 to %2 for all arrays together", size, mostElements),
            ErrorCode::TooLarge));
    constexpr std::int64_t ofAStep = 64; // zeros are quicker than expressions
    m_steps += size / ofAStep;
    numbers.assign(static_cast<std::size_t>(size), 0);
    m_elements = others + size;
    return {};
}

Result<std::int64_t> OrderRun::counted(const ExpressionNode& at)
{
    std::int64_t which = 0;
    if (!at.operands.empty()) {
        PW_TRY(which, node(at.operands[0]));
    }
    return m_counts == nullptr ? 0 : m_counts->done(at.kind, static_cast<CountOf>(at.value), which);
}

Result<void> OrderRun::step(int line)
{
    constexpr std::int64_t interval = 4096;
    ++m_steps;
    if (m_steps > m_budget.steps)
        return fail(
            atLine(line,
                   said("more than %1 steps, which is more than an order of this size needs",
                        m_budget.steps),
                   ErrorCode::TooLarge));
    if (m_steps % interval == 0 && stopAsked())
        return fail(atLine(line, said("stopped on request"), ErrorCode::Cancelled));
    return {};
}

Result<std::int64_t> OrderRun::value(Expression expression)
{
    return node(expression.node);
}

Result<int> OrderRun::within(Expression expression, std::int64_t least, std::int64_t most,
                             const char* what, int line)
{
    PW_TRY(const std::int64_t found, value(expression));
    if (found < least || found > most)
        return fail(atLine(line, said("%1 is %2; %3 to %4", what, found, least, most)));
    return static_cast<int>(found);
}

Result<std::int64_t> OrderRun::call(const ExpressionNode& node)
{
    const Definition& definition = m_program.definitions[static_cast<std::size_t>(node.value)];
    std::vector<std::int64_t> arguments;
    for (const int operand : node.operands) {
        const Result<std::int64_t> argument = this->node(operand);
        if (!argument)
            return argument;
        arguments.push_back(*argument);
    }
    // A definition knows only those before it, so that no call is inside its own.
    for (std::size_t i = 0; i < arguments.size(); ++i)
        set(definition.firstPlace + static_cast<int>(i), arguments[i]);
    return value(definition.body);
}

/// Operations that leave an operand alone where they can.
Result<std::int64_t> OrderRun::lazy(const ExpressionNode& at)
{
    const Result<std::int64_t> first = node(at.operands[0]);
    if (!first)
        return first;
    const bool yes = *first != 0;
    if (at.operation == Operation::Choose)
        return node(at.operands[yes ? 1 : 2]);
    if (yes == (at.operation == Operation::Or))
        return yes ? 1 : 0;
    const Result<std::int64_t> second = node(at.operands[1]);
    if (!second)
        return second;
    return *second != 0 ? 1 : 0;
}

Result<std::int64_t> OrderRun::node(int index)
{
    const ExpressionNode& at = m_program.nodes[static_cast<std::size_t>(index)];
    PW_DO(step(at.line));
    switch (at.operation) {
    case Operation::Number:
        return at.value;
    case Operation::Name:
        return m_values[static_cast<std::size_t>(at.value)];
    case Operation::Call:
        return call(at);
    case Operation::Done:
        return counted(at);
    case Operation::Element: {
        PW_TRY(const std::int64_t* const number, element(at.value, at.operands[0], at.line));
        return *number;
    }
    case Operation::And:
    case Operation::Or:
    case Operation::Choose:
        return lazy(at);
    default:
        break;
    }
    const Result<std::int64_t> first = node(at.operands[0]);
    if (!first)
        return first;
    if (at.operation == Operation::Not)
        return *first == 0 ? 1 : 0;
    std::optional<std::int64_t> all = *first;
    if (at.operation == Operation::Negate)
        all = computed(Operation::Subtract, 0, *first);
    for (std::size_t i = 1; all && i < at.operands.size(); ++i) {
        const Result<std::int64_t> next = node(at.operands[i]);
        if (!next)
            return next;
        if (*next == 0 && (at.operation == Operation::Divide || at.operation == Operation::Modulo))
            return fail(atLine(at.line, said("a division by 0")));
        all = computed(at.operation, *all, *next);
    }
    if (!all)
        return fail(atLine(at.line, said("a number beyond 64 bits")));
    return *all;
}

Result<void> OrderRun::run(const std::vector<int>& statements, Sink& sink)
{
    for (const int index : statements) {
        const Statement& statement = m_program.statements[static_cast<std::size_t>(index)];
        PW_DO(step(statement.line));
        PW_DO(one(statement, sink));
    }
    return {};
}

Result<void> OrderRun::one(const Statement& statement, Sink& sink)
{
    switch (statement.kind) {
    case StatementKind::Pass:
        return sink.take(statement.pass, *this, statement.line);
    case StatementKind::Pair:
        return sink.pair(statement.pass, statement.partner, *this, statement.line);
    case StatementKind::For:
    case StatementKind::While:
        return loop(statement, sink);
    default:
        break;
    }
    if (statement.kind == StatementKind::Array)
        return makeArray(statement);
    PW_TRY(const std::int64_t found, value(statement.first));
    if (statement.kind == StatementKind::LetElement) {
        PW_TRY(std::int64_t* const number,
               element(statement.place, statement.second.node, statement.line));
        *number = found;
    } else if (statement.kind == StatementKind::Let)
        set(statement.place, found);
    else if (statement.kind == StatementKind::If)
        return run(found != 0 ? statement.body : statement.otherwise, sink);
    else if (found == 0)
        return fail(ErrorCode::BadValue, statement.text);
    return {};
}

Result<void> OrderRun::loop(const Statement& statement, Sink& sink)
{
    if (statement.kind == StatementKind::While) {
        for (;;) {
            PW_TRY(const std::int64_t goOn, value(statement.first));
            if (goOn == 0)
                return {};
            PW_DO(run(statement.body, sink));
        }
    }
    PW_TRY(const std::int64_t first, value(statement.first));
    PW_TRY(const std::int64_t last, value(statement.second));
    for (std::int64_t i = first; i < last; ++i) {
        PW_DO(step(statement.line));
        set(statement.place, i);
        PW_DO(run(statement.body, sink));
    }
    return {};
}

} // namespace pw::families
