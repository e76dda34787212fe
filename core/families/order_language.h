// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/pass.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The language that families in files are written in: whole numbers, loops with an end, passes. It
// opens nothing, keeps nothing, and is stopped after a number of steps. resources/manual/adding.md
// describes it; this is what a text becomes.
namespace pw::families {

/// What a node of an expression does. `Number` has a value, `Name` and `Call` a place.
enum class Operation : std::uint8_t
{
    Number,
    Name,
    Call, ///< of a definition
    Add,
    Subtract,
    Multiply,
    Divide, ///< towards −∞
    Modulo, ///< of the sign of the divisor
    Negate,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Not,
    Minimum,
    Maximum,
    Choose ///< the second where the first is not 0, else the third
};

/// An expression as nodes of a common list.
struct ExpressionNode
{
    Operation operation = Operation::Number;
    std::int64_t value = 0;      ///< number, or place of a name or a definition
    std::vector<int> operands{}; ///< nodes
    int line = 0;
};

/// A node of the list, or none.
struct Expression
{
    int node = -1;

    bool given() const { return node >= 0; }
};

/// `define name(a, b) = expression`; its arguments have places from `firstPlace` on.
struct Definition
{
    std::string name;
    int firstPlace = 0;
    int arguments = 0;
    Expression body;
};

/// A pass in an order or a block.
struct PassWords
{
    PassKind kind = PassKind::F;
    Expression microBatch, chunk, segment;
    Expression start, duration; ///< of a block
};

enum class StatementKind : std::uint8_t
{
    Let, ///< name = expression
    For, ///< of a name, from the first up to and without the second
    While,
    If,
    Pass,
    Pair,
    Refuse ///< a sentence, where the expression is 0
};

struct Statement
{
    StatementKind kind = StatementKind::Pass;
    int line = 0;
    int place = 0; ///< of a name
    Expression first, second;
    PassWords pass, partner;
    std::string text;
    std::vector<int> body, otherwise; ///< statements
};

/// Names that every program has, at these places.
enum KnownPlace : int
{
    devicesPlace,
    microBatchesPlace,
    devicePlace,
    chunksPlace,
    segmentsPlace,
    stagePlace,
    knownPlaces
};

/// Everything that the text of one family says in expressions and statements.
struct OrderProgram
{
    std::vector<ExpressionNode> nodes;
    std::vector<Statement> statements;
    std::vector<Definition> definitions;
    std::vector<std::string> names;              ///< by place: the known ones, parameters, others
    std::vector<int> order, block, requirements; ///< statements at their top
};

/// What a run of a program may take.
struct RunBudget
{
    std::int64_t steps = 0; ///< nodes and statements
    std::int64_t passes = 0;
};

/// A failure with the line that it is of: "line 12: …".
Error atLine(int line, const Sentence& what, ErrorCode code = ErrorCode::BadValue);

/// Runs expressions and statements of a program over values of its names. For one thread.
class OrderRun
{
public:
    struct PlacedPass
    {
        Pass pass;
        std::int64_t start = 0;
        std::int64_t duration = 1;
    };
    /// Takes a pass, or a pair; says why not.
    struct Sink
    {
        virtual ~Sink() = default;
        virtual Result<void> take(const PassWords& words, OrderRun& run, int line) = 0;
        virtual Result<void> pair(const PassWords& first, const PassWords& second, OrderRun& run,
                                  int line) = 0;
    };

    OrderRun(const OrderProgram& program, RunBudget budget);

    void set(int place, std::int64_t value) { m_values[static_cast<std::size_t>(place)] = value; }
    std::int64_t get(int place) const { return m_values[static_cast<std::size_t>(place)]; }

    /// @error BadValue   with the line: a division by 0, or a number beyond 64 bits
    /// @error TooLarge   more steps than the budget has
    /// @error Cancelled  `stopAsked`
    Result<std::int64_t> value(Expression expression);
    /// The value of an expression inside a range; the message names what it is of.
    Result<int> within(Expression expression, std::int64_t least, std::int64_t most,
                       const char* what, int line);
    /// @error  as `value`, or of the sink, or the sentence of a requirement that is not met
    Result<void> run(const std::vector<int>& statements, Sink& sink);

private:
    Result<void> step(int line);
    Result<std::int64_t> node(int index);
    Result<std::int64_t> call(const ExpressionNode& node);
    Result<std::int64_t> lazy(const ExpressionNode& at);
    Result<void> one(const Statement& statement, Sink& sink);
    Result<void> loop(const Statement& statement, Sink& sink);

    const OrderProgram& m_program;
    RunBudget m_budget;
    std::int64_t m_steps = 0;
    std::vector<std::int64_t> m_values;
};

} // namespace pw::families
