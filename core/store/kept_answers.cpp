// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/kept_answers.h"

#include "core/base/number.h"
#include "core/base/try.h"
#include "core/sqlite/sqlite.h"

#include <chrono>
#include <sstream>
#include <utility>

namespace pw {

namespace {

constexpr std::int64_t latestAnswerMs = std::int64_t{1} << 52;

StoredAnswer readAnswer(const Statement& row)
{
    StoredAnswer answer;
    answer.number = row.whole(0);
    const std::string_view kind = row.view(1);
    if (kind == name(AnswerKind::Comparison))
        answer.kind = AnswerKind::Comparison;
    else if (kind != name(AnswerKind::Plan))
        row.refuse(said("answer %1 is of no known kind", answer.number));
    answer.title = row.text(2);
    answer.notes = row.text(3);
    answer.madeMs = row.within(4, 0, latestAnswerMs, "the time of an answer");
    answer.question = row.text(5);
    return answer;
}

} // namespace

std::string_view name(AnswerKind kind)
{
    return kind == AnswerKind::Plan ? "plan" : "comparison";
}

std::optional<std::int64_t> answerNumber(std::string_view word)
{
    if (word.size() < 2 || (word[0] != 'a' && word[0] != 'A'))
        return std::nullopt;
    const std::optional<std::int64_t> number = wholeNumber(word.substr(1));
    return number && *number > 0 ? number : std::nullopt;
}

AnswerStore::AnswerStore(std::unique_ptr<Database> database)
    : m_database(std::move(database))
{
}

AnswerStore::~AnswerStore() = default;
AnswerStore::AnswerStore(AnswerStore&&) noexcept = default;
AnswerStore& AnswerStore::operator=(AnswerStore&&) noexcept = default;

Result<AnswerStore> AnswerStore::open(const std::string& path, const StoreOptions& options)
{
    // Made, checked and brought up to date as any store.
    PW_DO(RunStore::open(path, options));
    PW_TRY(std::unique_ptr<Database> database,
           Database::open(path, Database::Mode::Write, options.patience));
    if (options.end != nullptr)
        database->endWith(*options.end);
    database->refuseViews();
    return AnswerStore(std::move(database));
}

Result<AnswerStore> AnswerStore::openToRead(const std::string& path, const StoreOptions& options)
{
    PW_DO(RunStore::openToRead(path, options));
    Result<std::unique_ptr<Database>> database =
        Database::open(path, Database::Mode::Read, options.patience);
    // In a place that cannot be written, as `RunStore` does it.
    if (!database || !(*database)->number("SELECT count(*) FROM answer"))
        database = Database::open(path, Database::Mode::ReadUnchanging);
    if (!database)
        return fail(database.error());
    if (options.end != nullptr)
        (*database)->endWith(*options.end);
    (*database)->refuseViews();
    return AnswerStore(std::move(*database));
}

Result<std::int64_t> AnswerStore::keep(const NewAnswer& answer)
{
    using namespace std::chrono;
    const std::int64_t now =
        duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
    PW_TRY(Statement* const statement,
           m_database->kept("INSERT INTO answer (kind, title, made_ms, question, text, data) "
                            "VALUES (?, ?, ?, ?, ?, ?)"));
    statement->bindAll(std::string(name(answer.kind)), answer.title, now, answer.question,
                       answer.text, answer.data);
    PW_DO(statement->run());
    return m_database->number("SELECT last_insert_rowid()");
}

Result<std::vector<StoredAnswer>> AnswerStore::answers(std::string_view search)
{
    std::string sql = "SELECT number, kind, title, notes, made_ms, question FROM answer";
    std::vector<std::string> patterns;
    std::istringstream words{std::string(search)};
    for (std::string word; words >> word;) {
        sql += patterns.empty() ? " WHERE " : " AND ";
        sql += "(title || '\n' || notes || '\n' || question || '\n' || kind) LIKE ? ESCAPE '\\'";
        patterns.push_back(likePattern(word));
    }
    PW_TRY(Statement query, m_database->prepare(sql + " ORDER BY number DESC"));
    for (std::size_t i = 0; i < patterns.size(); ++i)
        query.bind(static_cast<int>(i) + 1, patterns[i]);
    std::vector<StoredAnswer> all;
    PW_DO(query.each([&all](const Statement& row) { all.push_back(readAnswer(row)); }));
    return all;
}

Result<StoredAnswer> AnswerStore::answer(std::int64_t number)
{
    PW_TRY(Statement query,
           m_database->prepare("SELECT number, kind, title, notes, made_ms, question, text, data "
                               "FROM answer WHERE number = ?"));
    query.bindAll(number);
    PW_TRY(const bool row, query.next());
    if (!row)
        return fail(ErrorCode::BadValue, "%1 has no plan or comparison a%2", m_database->path(),
                    number);
    StoredAnswer answer = readAnswer(query);
    answer.text = query.text(6);
    answer.data = query.text(7);
    PW_DO(query.sound());
    return answer;
}

Result<void> AnswerStore::change(std::int64_t number, const char* sql, const std::string& text)
{
    PW_DO(answer(number));
    PW_TRY(Statement* const statement, m_database->kept(sql));
    statement->bindAll(text, number);
    return statement->run();
}

Result<void> AnswerStore::rename(std::int64_t number, const std::string& title)
{
    return change(number, "UPDATE answer SET title = ? WHERE number = ?", title);
}

Result<void> AnswerStore::annotate(std::int64_t number, const std::string& notes)
{
    return change(number, "UPDATE answer SET notes = ? WHERE number = ?", notes);
}

Result<void> AnswerStore::remove(std::int64_t number)
{
    PW_DO(answer(number));
    PW_TRY(Statement* const statement, m_database->kept("DELETE FROM answer WHERE number = ?"));
    statement->bindAll(number);
    return statement->run();
}

} // namespace pw
