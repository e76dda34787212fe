// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/order_reader.h"

namespace pw::families {

namespace {

constexpr std::size_t mostStatements = 2'000;
constexpr std::size_t mostNesting = 16;

std::optional<PassKind> kindOf(std::string_view word)
{
    for (const PassKind kind : {PassKind::F, PassKind::B, PassKind::W, PassKind::BW, PassKind::R})
        if (word == name(kind))
            return kind;
    return std::nullopt;
}

} // namespace

PassWords OrderReader::pass(bool block)
{
    PassWords made;
    const std::optional<PassKind> kind = kindOf(peek());
    if (!kind) {
        fail(said("a pass begins with F, B, W, BW or R, not %1", quotedPiece(peek())));
        return made;
    }
    made.kind = *kind;
    ++m_next;
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
    if (m_failure)
        return;
    if (m_program.statements.size() >= mostStatements || m_open.size() >= mostNesting) {
        fail(said("more than %1 statements, or more than %2 inside each other", mostStatements,
                  mostNesting),
             ErrorCode::TooLarge);
        return;
    }
    statement.line = m_line;
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
    } else if (kindOf(peek())) {
        made.kind = StatementKind::Pass;
        made.pass = pass(block);
    } else {
        made.kind = StatementKind::Let;
        made.place = variable();
        expect("=");
        made.first = expression();
    }
    end();
    append(std::move(made), opens, top);
}

} // namespace pw::families
