// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/repair.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/sqlite/sqlite.h"
#include "core/store/schema.h"
#include "core/store/store_file.h"
#include "core/store/table_rules.h"
#include "core/system/files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

namespace pw {

namespace {

constexpr int mostProblems = 20;

std::string countedRows(std::int64_t count)
{
    return countText(count, "row has ", "rows have ");
}

/// Opens a file that is, or was, a store.
Result<std::unique_ptr<Database>> openDamaged(const std::string& path, Database::Mode mode)
{
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        return fail(ErrorCode::Io, "%1 is not there: no run has been kept in it", path);
    PW_DO(checkStorePlace(path));
    Result<std::unique_ptr<Database>> database = Database::open(path, mode);
    if (!database)
        return database;
    (*database)->limitTime(std::chrono::milliseconds(0));
    PW_TRY(const int version, schemaVersion(**database));
    if (version == 0)
        return fail(ErrorCode::Io, "%1 is empty, and so no store of runs", path);
    (*database)->refuseViews();
    return database;
}

void checkPages(Database& database, StoreCheck& check)
{
    Result<Statement> look =
        database.prepare("PRAGMA integrity_check(" + std::to_string(mostProblems) + ")");
    if (!look) {
        check.problems.push_back(look.error().message);
        return;
    }
    const Result<void> read = look->each([&](const Statement& row) {
        if (row.view(0) != "ok")
            check.problems.push_back(row.text(0));
    });
    if (!read)
        check.problems.push_back(read.error().message);
}

void checkRows(Database& database, const TableRule& rule, StoreCheck& check)
{
    const std::string table = rule.table;
    const auto ask = [&](const std::string& sql, std::string_view of) {
        Result<Statement> query = database.prepare(sql);
        if (!query) {
            check.problems.push_back(query.error().message);
            return;
        }
        const Result<void> read = query->each([&](const Statement& row) {
            check.problems.push_back("run " + std::to_string(row.whole(0)) + ": " +
                                     countedRows(row.whole(1)) + std::string(of) + " (table " +
                                     table + ")");
        });
        if (!read)
            check.problems.push_back(read.error().message);
    };
    ask("SELECT " + std::string(rule.run) + ", count(*) FROM " + table + " WHERE " + rule.wrong +
            " GROUP BY 1 LIMIT 5",
        rule.what);
    if (table != "run")
        ask("SELECT run, count(*) FROM " + table +
                " WHERE run NOT IN (SELECT number FROM run) GROUP BY 1 LIMIT 5",
            "no run that they belong to");
}

/// Copies what can be read of the damaged store into the new one.
class Rescue
{
public:
    Rescue(Database& from, Database& to, StoreRepair& repair)
        : m_from(from)
        , m_to(to)
        , m_repair(repair)
    {
    }

    Result<void> all()
    {
        PW_TRY(Transaction transaction, Transaction::begin(m_to));
        for (const TableRule& rule : tableRules) {
            if (std::string_view(rule.table) == "run") {
                PW_DO(copy(rule, 0));
                PW_DO(readRuns());
                continue;
            }
            for (const std::int64_t run : m_runs) {
                PW_DO(copy(rule, run));
            }
        }
        PW_DO(copyAnswers());
        PW_DO(m_to.run(summaries, "cannot be written"));
        for (const std::int64_t run : m_hurt) {
            PW_DO(markHurt(run));
        }
        m_repair.runs = static_cast<std::int64_t>(m_runs.size());
        return transaction.commit();
    }

private:
    // What can be counted again is not taken from the damaged file.
    static constexpr const char* summaries =
        "DELETE FROM lane; DELETE FROM span;"
        "INSERT INTO lane SELECT run, rank, count(*), max(duration), 0 FROM pass GROUP BY 1, 2;"
        "INSERT INTO lane SELECT run, from_rank, 0, 0, max(ended - posted) FROM message WHERE 1 "
        "GROUP BY 1, 2 ON CONFLICT DO UPDATE SET longest_message = excluded.longest_message;"
        "INSERT INTO span (run, iteration, rank, first, last, passes, order_first, order_last) "
        "SELECT run, iteration, rank, min(start), max(start + duration), count(*), "
        "min(CASE WHEN entry >= 0 THEN start END), "
        "max(CASE WHEN entry >= 0 THEN start + duration END) "
        "FROM pass GROUP BY 1, 2, 3;";

    Result<void> readRuns()
    {
        PW_TRY(Statement query, m_to.prepare("SELECT number FROM run ORDER BY 1"));
        return query.each([this](const Statement& row) { m_runs.push_back(row.whole(0)); });
    }

    /// Plans and comparisons, which belong to no run.
    Result<void> copyAnswers()
    {
        const char* columns = "number, kind, title, notes, made_ms, question, text, data";
        Result<Statement> query =
            m_from.prepare(std::string("SELECT ") + columns +
                           ", coalesce(kind NOT IN ('plan', 'comparison') OR number < 1 OR "
                           "typeof(made_ms) <> 'integer' OR made_ms NOT BETWEEN 0 AND "
                           "4503599627370496, 1) FROM answer ORDER BY number");
        if (!query)
            return {}; // a store of an earlier version has none
        bool whole = false;
        PW_DO(copyInto("answer", columns, *query, 0, whole));
        if (!whole)
            m_repair.unreadable.emplace_back("table answer");
        return {};
    }

    /// Columns that the table has in both stores: an older one has fewer.
    Result<std::string> sharedColumns(const std::string& table)
    {
        std::string columns;
        PW_TRY(Statement known,
               m_to.prepare("SELECT name FROM pragma_table_info('" + table + "')"));
        Result<void> asked;
        const Result<void> read = known.each([&](const Statement& row) {
            const Result<std::int64_t> there =
                m_from.number(("SELECT count(*) FROM pragma_table_info('" + table +
                               "') WHERE name = '" + row.text(0) + "'")
                                  .c_str());
            if (there && *there > 0)
                columns += (columns.empty() ? "" : ", ") + row.text(0);
        });
        if (!read)
            return fail(read.error());
        return columns;
    }

    /// From the front and, where that ends at a damaged page, from the back.
    Result<void> copy(const TableRule& rule, std::int64_t run)
    {
        const std::string table = rule.table;
        PW_TRY(const std::string columns, sharedColumns(table));
        if (columns.empty())
            return {}; // a table of later versions
        const std::string order = rowOrderOf(table);
        const std::string select = "SELECT " + columns + ", (" + ruleOf(rule) + ") FROM " + table +
                                   (table == "run" ? "" : " WHERE run = ?") + " ORDER BY ";
        for (const bool forward : {true, false}) {
            const std::string direction = forward ? "" : " DESC";
            std::string sorted;
            for (std::string_view rest = order; !rest.empty();) {
                const std::size_t end = std::min(rest.find(','), rest.size());
                sorted +=
                    (sorted.empty() ? "" : ", ") + std::string(rest.substr(0, end)) + direction;
                rest.remove_prefix(std::min(end + 1, rest.size()));
            }
            bool whole = false;
            PW_DO(copyRows(table, columns, select + sorted, run, whole));
            if (whole)
                return {};
            if (forward) {
                m_repair.unreadable.push_back(
                    table == "run" ? "table run" : table + " of run " + std::to_string(run));
                if (table != "run")
                    m_hurt.insert(run);
            }
        }
        return {};
    }

    /// @param whole  set where the last row was reached
    Result<void> copyRows(const std::string& table, const std::string& columns,
                          const std::string& select, std::int64_t run, bool& whole)
    {
        Result<Statement> query = m_from.prepare(select);
        if (!query)
            return {}; // not even its schema can be read
        if (table != "run")
            query->bindAll(run);
        return copyInto(table, columns, *query, run, whole);
    }

    /// @param query  the columns, and behind them whether a row is wrong
    Result<void> copyInto(const std::string& table, const std::string& columns, Statement& query,
                          std::int64_t run, bool& whole)
    {
        const auto count = static_cast<int>(std::count(columns.begin(), columns.end(), ',')) + 1;
        std::string marks;
        for (int i = 0; i < count; ++i)
            marks += i == 0 ? "?" : ",?";
        PW_TRY(Statement insert, m_to.prepare("INSERT OR IGNORE INTO " + table + " (" + columns +
                                              ") VALUES (" + marks + ")"));
        for (;;) {
            const Result<bool> row = query.next();
            if (!row)
                return {};
            if (!*row)
                break;
            if (query.isNull(count) || query.whole(count) != 0) {
                ++m_repair.refused;
                if (run > 0)
                    m_hurt.insert(run);
                continue;
            }
            for (int i = 0; i < count; ++i)
                insert.bindColumn(i + 1, query, i);
            PW_DO(insert.runUnlessConflict());
            ++m_repair.rows;
        }
        whole = true;
        return {};
    }

    /// Old versions lack a column that the rule asks for.
    /// The rule without what asks for columns of later versions than that of the damaged store.
    std::string ruleOf(const TableRule& rule)
    {
        struct Later
        {
            const char* table;
            const char* column;
            std::string_view part;
        };
        constexpr std::array<Later, 2> later = {
            {{"pass", "trust", "trust NOT BETWEEN 0 AND 4 OR "},
             {"activity", "queued", " OR coalesce(queued, 0) < 0 OR coalesce(label, 0) < 0"}}};
        std::string wrong = rule.wrong;
        for (const Later& one : later) {
            const std::size_t at = wrong.find(one.part);
            if (at == std::string::npos || std::string_view(rule.table) != one.table)
                continue;
            const Result<std::int64_t> there =
                m_from.number(("SELECT count(*) FROM pragma_table_info('" + std::string(one.table) +
                               "') WHERE name = '" + one.column + "'")
                                  .c_str());
            if (!there || *there == 0)
                wrong.erase(at, one.part.size());
        }
        return wrong;
    }

    Result<void> markHurt(std::int64_t run)
    {
        const std::string number = std::to_string(run);
        const std::string sql =
            "UPDATE run SET status = 'incomplete' WHERE number = " + number +
            "; INSERT INTO log (run, seq, time, rank, level, text) VALUES (" + number +
            ", (SELECT coalesce(max(seq) + 1, 0) FROM log WHERE run = " + number +
            "), 0, -1, 1, 'The store was damaged: a part of this run could not be kept.')";
        return m_to.run(sql.c_str(), "cannot be written");
    }

    Database& m_from;
    Database& m_to;
    StoreRepair& m_repair;
    std::vector<std::int64_t> m_runs;
    std::set<std::int64_t> m_hurt;
};

/// A name beside a file that nothing has.
std::string freeName(const std::string& wanted)
{
    std::error_code ignored;
    std::string name = wanted;
    for (int i = 2; std::filesystem::exists(name, ignored); ++i)
        name = wanted + "-" + std::to_string(i);
    return name;
}

/// Puts the new store in the place of the old one, which gets another name with its log.
Result<void> changePlaces(const std::string& path, const std::string& made,
                          const std::string& damaged)
{
    std::error_code problem, ignored;
    const auto failed = [&] {
        return fail(ErrorCode::Io, "%1 cannot be put aside: %2; what could be kept is in %3", path,
                    systemSentence(sys::reasonOf(problem)), made);
    };
    for (const char* part : {"-wal", "-shm"}) {
        if (!std::filesystem::exists(path + part, ignored))
            continue;
        std::filesystem::rename(path + part, damaged + part, problem);
        if (problem)
            return failed();
    }
    std::filesystem::rename(path, damaged, problem);
    if (problem)
        return failed();
    std::filesystem::rename(made, path, problem);
    return problem ? failed() : Result<void>();
}

} // namespace

Result<StoreCheck> checkStore(const std::string& path)
{
    PW_TRY(const std::unique_ptr<Database> database, openDamaged(path, Database::Mode::Read));
    // No damage that a repair could mend: it does not read such a file either.
    if (const Result<void> holds = refuseComputing(*database);
        !holds && holds.error().code == ErrorCode::Syntax)
        return fail(holds.error());
    StoreCheck check;
    const Result<int> version = schemaVersion(*database);
    if (const Result<void> tables = checkTables(*database, version ? *version : storeVersion);
        !tables) {
        check.problems.push_back(tables.error().message);
        return check;
    }
    checkPages(*database, check);
    // A rule asks for columns of the present version; an older store is brought up to it when runs
    // are listed.
    if (version && *version == storeVersion) {
        for (const TableRule& rule : tableRules)
            checkRows(*database, rule, check);
    }
    // Counted row by row: a count of all is one step to SQLite, also where pages lead in circles.
    const Result<std::int64_t> runs =
        database->number("SELECT count(*) FROM run WHERE number > -1");
    check.runs = runs ? *runs : 0;
    return check;
}

Result<StoreRepair> repairStore(const std::string& path)
{
    StoreRepair repair;
    const std::string made = freeName(path + ".repaired");
    {
        PW_TRY(const std::unique_ptr<Database> from, openDamaged(path, Database::Mode::Write));
        PW_DO(refuseComputing(*from));
        // Alone from here on: a run that is being written would go on in the file put aside.
        PW_DO(from->run("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT",
                        "cannot be repaired while it is used"));
        PW_DO(makeStoreFile(made));
        PW_TRY(const std::unique_ptr<Database> to, Database::open(made, Database::Mode::Write));
        if (const Result<void> saved = Rescue(*from, *to, repair).all(); !saved) {
            std::error_code ignored;
            std::filesystem::remove(made, ignored);
            return fail(saved.error());
        }
    }
    repair.damaged = freeName(path + ".damaged");
    PW_DO(changePlaces(path, made, repair.damaged));
    return repair;
}

} // namespace pw
