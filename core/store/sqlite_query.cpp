// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/sqlite.h"

#include <sqlite3.h>

namespace pw {

void Database::onlyQueries(int longestText)
{
    sqlite3_limit(m_handle.get(), SQLITE_LIMIT_LENGTH, longestText);
    constexpr int longestStatement = 100'000, deepest = 100;
    sqlite3_limit(m_handle.get(), SQLITE_LIMIT_SQL_LENGTH, longestStatement);
    sqlite3_limit(m_handle.get(), SQLITE_LIMIT_EXPR_DEPTH, deepest);
    sqlite3_set_authorizer(
        m_handle.get(),
        [](void*, int action, const char*, const char*, const char*, const char*) {
            const bool reads = action == SQLITE_SELECT || action == SQLITE_READ ||
                               action == SQLITE_FUNCTION || action == SQLITE_RECURSIVE;
            return reads ? SQLITE_OK : SQLITE_DENY;
        },
        nullptr);
}

bool Database::statementIsWrong() const
{
    switch (sqlite3_extended_errcode(m_handle.get()) & 0xff) {
    case SQLITE_ERROR:
    case SQLITE_AUTH:
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH:
    case SQLITE_RANGE:
        return true;
    default:
        return false;
    }
}

Result<Statement> Database::prepareOne(std::string_view sql, std::string_view words)
{
    sqlite3_stmt* made = nullptr;
    const char* rest = nullptr;
    beginStep();
    const int code = sqlite3_prepare_v3(m_handle.get(), sql.data(), static_cast<int>(sql.size()), 0,
                                        &made, &rest);
    if (code != SQLITE_OK && !statementIsWrong())
        return fail(error("cannot be asked"));
    if (code != SQLITE_OK)
        return fail(
            ErrorCode::Syntax, "%1: %2", words,
            code == SQLITE_AUTH
                ? said("only SELECT and WITH are answered; nothing is changed, attached or set")
                : Sentence(sqlite3_errmsg(m_handle.get())));
    if (made == nullptr)
        return fail(ErrorCode::Syntax, "%1 is empty", words);
    Statement statement(*this, made);
    sqlite3_stmt* next = nullptr;
    const auto left = static_cast<int>(sql.data() + sql.size() - rest);
    const int more =
        left > 0 ? sqlite3_prepare_v3(m_handle.get(), rest, left, 0, &next, nullptr) : SQLITE_OK;
    sqlite3_finalize(next);
    if (more != SQLITE_OK && !statementIsWrong())
        return fail(error("cannot be asked"));
    if (more != SQLITE_OK || next != nullptr)
        return fail(ErrorCode::Syntax, "%1 has more than one statement", words);
    return statement;
}

} // namespace pw
