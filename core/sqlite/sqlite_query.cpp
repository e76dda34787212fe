// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sqlite/question_memory.h"
#include "core/sqlite/sqlite.h"
#include "core/sqlite/sqlite_functions.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace pw {

namespace {

/// Tables that SQLite makes up, and whose rows walk through pages that nobody has looked at.
bool walksPages(const char* name)
{
    constexpr std::array<std::string_view, 2> walking = {"dbstat", "sqlite_dbpage"};
    return name != nullptr && std::find(walking.begin(), walking.end(), name) != walking.end();
}

int allowReading(void*, int action, const char* first, const char* second, const char*, const char*)
{
    const bool reads = action == SQLITE_SELECT || action == SQLITE_RECURSIVE ||
                       (action == SQLITE_READ && !walksPages(first)) ||
                       (action == SQLITE_FUNCTION && mayBeCalled(second));
    return reads ? SQLITE_OK : SQLITE_DENY;
}

} // namespace

std::string likePattern(const std::string& word)
{
    std::string pattern = "%";
    for (const char c : word) {
        if (c == '%' || c == '_' || c == '\\')
            pattern += '\\';
        pattern += c;
    }
    return pattern + "%";
}

void Database::onlyQueries(int longestText)
{
    sqlite3* const handle = m_handle.get();
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longestText);
    // A pattern is compared at each place of a text.
    constexpr int longestStatement = 100'000, deepest = 100, longestPattern = 500;
    sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, longestStatement);
    sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, deepest);
    sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, longestPattern);
    if (!m_questions)
        m_questions = std::make_unique<QuestionMemory>();
    sqlite3_set_authorizer(handle, &allowReading, nullptr);
}

void Database::interrupt()
{
    m_interrupted = true;
    sqlite3_interrupt(m_handle.get());
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

bool Database::nowKnowsTables()
{
    const std::string_view text = sqlite3_errmsg(m_handle.get());
    if (text.find("malformed database schema") == std::string_view::npos ||
        text.find("unsafe use of") == std::string_view::npos)
        return false;
    // Nothing is computed where tables are only read about; where a statement would compute, the
    // function is refused again.
    sqlite3_db_config(m_handle.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, nullptr);
    const int code = sqlite3_exec(m_handle.get(), "SELECT 1 FROM sqlite_master LIMIT 0", nullptr,
                                  nullptr, nullptr);
    sqlite3_db_config(m_handle.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    return code == SQLITE_OK;
}

} // namespace pw
