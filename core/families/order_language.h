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
    Choose,  ///< the second where the first is not 0, else the third
    Element, ///< of an array, whose number is the value
    Done     ///< passes that a device has done; see `CountOf`
};

/// Which passes of a kind are counted: all of a device, those of a micro-batch, or of a chunk.
enum class CountOf : std::uint8_t
{
    Device,
    MicroBatch,
    Chunk
};

/// An expression as nodes of a common list.
struct ExpressionNode
{
    Operation operation = Operation::Number;
    std::int64_t value = 0;      ///< number, or place of a name, a definition or an array
    std::vector<int> operands{}; ///< nodes
    int line = 0;
    PassKind kind = PassKind::F; ///< of `Done`
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
    Let,        ///< name = expression
    LetElement, ///< array[second] = first
    Array,      ///< of as many zeros as the first says
    For,        ///< of a name, from the first up to and without the second
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
    int place = 0; ///< of a name, or number of an array
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

/// A line of `when ready`: the passes of a kind that a device may take, under a condition, the one
/// of the smallest key first.
struct ReadyRule
{
    PassKind kind = PassKind::F;
    int line = 0;
    int microBatch = -1, chunk = -1, segment = -1; ///< places of names; −1: it has none
    Expression condition, key, duration;
    bool conditionOfPass = false; ///< the condition asks for a name of the rule
};

/// What `when ready` says, and the names that it has.
struct ReadyRules
{
    std::vector<ReadyRule> rules;
    int line = 0;
    int heldPlace = 0, oldestPlace = 0;

    bool given() const { return line > 0; }
};

/// Everything that the text of one family says in expressions and statements.
struct OrderProgram
{
    std::vector<ExpressionNode> nodes;
    std::vector<Statement> statements;
    std::vector<Definition> definitions;
    std::vector<std::string> names;              ///< by place: the known ones, parameters, others
    std::vector<int> arrays;                     ///< places of their names
    std::vector<int> order, block, requirements; ///< statements at their top
    ReadyRules ready;
};

/// The most numbers that all arrays of a run may have together.
constexpr std::int64_t mostElements = 1 << 18;

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

    /// Knows how many passes a device has done.
    struct Counts
    {
        virtual ~Counts() = default;
        virtual std::int64_t done(PassKind kind, CountOf of, std::int64_t which) const = 0;
    };

    OrderRun(const OrderProgram& program, RunBudget budget);

    void set(int place, std::int64_t value) { m_values[static_cast<std::size_t>(place)] = value; }
    std::int64_t get(int place) const { return m_values[static_cast<std::size_t>(place)]; }

    /// Forgets the names from a place on, and all arrays.
    void forget(int firstPlace);
    /// From where `Done` has its numbers. @param counts  outlives what is asked with it
    void countFrom(const Counts& counts) { m_counts = &counts; }
    /// The value of a definition of one argument.
    Result<std::int64_t> valueOf(const Definition& definition, std::int64_t argument);

    /// @error BadValue   with the line: a division by 0, a number beyond 64 bits, or an element
    /// that
    ///                   an array does not have
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
    Result<std::int64_t*> element(std::int64_t array, int index, int line);
    Result<void> makeArray(const Statement& statement);
    Result<std::int64_t> counted(const ExpressionNode& at);
    Result<void> one(const Statement& statement, Sink& sink);
    Result<void> loop(const Statement& statement, Sink& sink);

    const OrderProgram& m_program;
    RunBudget m_budget;
    std::int64_t m_steps = 0;
    std::vector<std::int64_t> m_values;
    std::vector<std::vector<std::int64_t>> m_arrays;
    std::int64_t m_elements = 0;
    const Counts* m_counts = nullptr;
};

} // namespace pw::families
