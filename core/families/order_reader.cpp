// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/order_reader.h"

namespace pw::families {

namespace {

constexpr std::size_t mostStatements = 2'000;
constexpr std::size_t mostNesting = 16;

/// Whether an expression asks for a name.
bool asksFor(const OrderProgram& program, Expression expression, int place)
{
    if (!expression.given() || place < 0)
        return false;
    const ExpressionNode& node = program.nodes[static_cast<std::size_t>(expression.node)];
    if (node.operation == Operation::Name && node.value == place)
        return true;
    for (const int operand : node.operands)
        if (asksFor(program, {operand}, place))
            return true;
    return false;
}

} // namespace

OrderReader::OrderReader(OrderProgram& program)
    : ExpressionReader(program)
    , m_program(program)
{
}

PassWords OrderReader::pass(bool block)
{
    PassWords made;
    const std::optional<PassKind> kind = kindAt();
    if (!kind) {
        fail(said("a pass begins with F, B, W, BW or R, not %1", quotedPiece(peek())));
        return made;
    }
    made.kind = *kind;
    skip();
    made.microBatch = expression();
    if (takes("chunk"))
        made.chunk = expression();
    if (takes("segment"))
        made.segment = expression();
    if (block) {
        expect("at");
        made.start = expression();
        if (takes("for"))
            made.duration = expression();
    }
    return made;
}

std::vector<int>& OrderReader::list(std::vector<int>& top)
{
    if (m_open.empty())
        return top;
    Statement& outer = m_program.statements[static_cast<std::size_t>(m_open.back().statement)];
    return m_open.back().otherwise ? outer.otherwise : outer.body;
}

void OrderReader::append(Statement statement, bool opens, std::vector<int>& top)
{
    if (failure())
        return;
    if (m_program.statements.size() >= mostStatements || m_open.size() >= mostNesting) {
        fail(said("more than %1 statements, or more than %2 inside each other", mostStatements,
                  mostNesting),
             ErrorCode::TooLarge);
        return;
    }
    statement.line = number();
    const auto index = static_cast<int>(m_program.statements.size());
    // First the list, which may lie in the vector that grows.
    list(top).push_back(index);
    m_program.statements.push_back(std::move(statement));
    if (opens)
        m_open.push_back({index, false});
}

void OrderReader::statement(bool block, std::vector<int>& top)
{
    Statement made;
    bool opens = false;
    if (takes("end")) {
        end();
        m_open.pop_back();
        return;
    }
    if (takes("else")) {
        end();
        if (m_open.empty() || m_open.back().otherwise ||
            m_program.statements[static_cast<std::size_t>(m_open.back().statement)].kind !=
                StatementKind::If)
            return fail(said("else stands in no if"));
        m_open.back().otherwise = true;
        return;
    }
    if (takes("for")) {
        made.kind = StatementKind::For;
        opens = true;
        made.place = variable();
        expect("in");
        made.first = expression();
        expect("..");
        made.second = expression();
    } else if (takes("while")) {
        made.kind = StatementKind::While;
        opens = true;
        made.first = expression();
    } else if (takes("if")) {
        made.kind = StatementKind::If;
        opens = true;
        made.first = expression();
    } else if (takes("pair")) {
        made.kind = StatementKind::Pair;
        if (block)
            fail(said("a building block has no pairs"));
        made.pass = pass(false);
        expect("with");
        made.partner = pass(false);
    } else if (kindAt()) {
        made.kind = StatementKind::Pass;
        made.pass = pass(block);
    } else {
        valueStatement(made);
    }
    end();
    append(std::move(made), opens, top);
}

/// A line that gives a name or an element its value, or makes an array.
void OrderReader::valueStatement(Statement& made)
{
    if (peek() == "array" && ahead(1) != "=") {
        skip();
        return arrayStatement(made);
    }
    const int array = arrayAt(placeOf(peek()));
    if (array >= 0) {
        skip();
        made.kind = StatementKind::LetElement;
        made.place = array;
        expect("[");
        made.second = expression();
        expect("]");
    } else {
        made.kind = StatementKind::Let;
        made.place = variable();
    }
    expect("=");
    made.first = expression();
}

/// `array` has been taken. The same array may stand in an order and in a block.
void OrderReader::arrayStatement(Statement& made)
{
    made.kind = StatementKind::Array;
    made.place = arrayAt(placeOf(peek()));
    if (made.place >= 0) {
        skip();
    } else {
        const int name = newName("an array");
        if (!failure()) {
            made.place = static_cast<int>(m_program.arrays.size());
            m_program.arrays.push_back(name);
        }
    }
    expect("[");
    made.first = expression();
    expect("]");
}

void OrderReader::beginRules()
{
    m_program.ready.line = number();
    const auto known = [this](const char* name) {
        if (placeOf(name) >= 0)
            fail(said("the name %1 means something already", quotedPiece(name)));
        m_program.names.emplace_back(name);
        return static_cast<int>(m_program.names.size()) - 1;
    };
    m_program.ready.heldPlace = known("held");
    m_program.ready.oldestPlace = known("oldest");
    allowCounts(true);
}

void OrderReader::endRules()
{
    hide({m_program.ready.heldPlace, m_program.ready.oldestPlace}, "when ready");
    allowCounts(false);
    if (m_program.ready.rules.empty())
        fail(said("when ready has no rule"));
}

void OrderReader::rule()
{
    constexpr std::size_t most = 16;
    ReadyRule made;
    made.line = number();
    const std::optional<PassKind> kind = kindAt();
    if (!kind || *kind == PassKind::R)
        return fail(said("a rule begins with F, B, W or BW, not %1", quotedPiece(peek())));
    skip();
    made.kind = *kind;
    const auto hasName = [this] {
        return !atEnd() && peek() != "if" && peek() != "by" && peek() != "for";
    };
    if (hasName() && peek() != "chunk" && peek() != "segment")
        made.microBatch = newName("a micro-batch");
    if (takes("chunk"))
        made.chunk = newName("a chunk");
    if (takes("segment"))
        made.segment = newName("a segment");
    if (takes("if"))
        made.condition = expression();
    if (takes("by"))
        made.key = expression();
    if (takes("for"))
        made.duration = expression();
    end();
    const std::vector<int> names = {made.microBatch, made.chunk, made.segment};
    for (const int place : names)
        made.conditionOfPass = made.conditionOfPass || asksFor(m_program, made.condition, place);
    hide(names, "a rule");
    if (m_program.ready.rules.size() >= most)
        fail(said("more than %1 rules", most), ErrorCode::TooLarge);
    if (!failure())
        m_program.ready.rules.push_back(made);
}

} // namespace pw::families
