// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/store/schema.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

namespace {

/// A column as SQLite understands it, in words that are compared.
struct TableColumn
{
    std::string name;
    std::string definition;
};

using TableColumns = std::vector<TableColumn>;

/// What SQLite made of the text of a table, not the text: that may be written to look like another.
Result<TableColumns> columnsOf(Database& database, const std::string& shape)
{
    PW_TRY(Statement query,
           database.prepare("SELECT name, upper(type) || ' ' || \"notnull\" || ' ' || pk || ' ' || "
                            "coalesce(dflt_value, 'none'), hidden FROM pragma_table_xinfo(?)"));
    query.bindAll(shape);
    TableColumns columns;
    PW_DO(query.each([&](const Statement& row) {
        columns.push_back({row.text(0), row.text(1) + (row.whole(2) == 0 ? "" : " computed")});
    }));
    return columns;
}

struct KnownTable
{
    std::string kind; ///< "table" and whether its rows have numbers
    TableColumns columns;
};

using KnownTables = std::map<std::string, KnownTable, std::less<>>;

Result<KnownTables> storeTablesOf(Database& database)
{
    PW_TRY(Statement query,
           database.prepare("SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' "
                            "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"));
    KnownTables tables;
    PW_DO(query.each([&](const Statement& row) {
        tables[row.text(0)].kind = row.text(1) + (row.whole(2) == 0 ? "" : " without numbers");
    }));
    for (auto& [name, shape] : tables) {
        if (shape.kind.substr(0, 5) != "table")
            continue;
        PW_TRY(shape.columns, columnsOf(database, name));
    }
    return tables;
}

/// The tables that a store of some version has: those of one that is made here.
Result<const KnownTables*> tablesOfStores(int version)
{
    static std::mutex mutex;
    static std::map<int, KnownTables> known;
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(version); found != known.end())
        return &found->second;
    PW_TRY(const std::unique_ptr<Database> memory,
           Database::open(":memory:", Database::Mode::Create));
    PW_DO(migrate(*memory, version));
    PW_TRY(KnownTables made, storeTablesOf(*memory));
    return &known.emplace(version, std::move(made)).first->second;
}

tl::unexpected<Error> noStore(const Database& database, const Sentence& what)
{
    return fail(ErrorCode::Io,
                "%1 is damaged: %2; `pipewright runs --check` lists the damage, --repair keeps the "
                "rest",
                database.path(), what);
}

Result<void> compareColumns(const Database& database, const std::string& shape,
                            const TableColumns& found, const TableColumns& known)
{
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (i >= found.size() || found[i].name != known[i].name)
            return noStore(
                database,
                said("its table %1 has %2 where a store has the column %3", shape,
                     i >= found.size() ? said("nothing") : said("the column %1", found[i].name),
                     known[i].name));
        if (found[i].definition != known[i].definition)
            return noStore(database, said("the column %1 of its table %2 is not that of a store",
                                          found[i].name, shape));
    }
    if (found.size() > known.size())
        return noStore(database, said("its table %1 has a column %2, which a store has not", shape,
                                      found[known.size()].name));
    return {};
}

} // namespace

Result<void> refuseComputing(Database& database)
{
    // The list of tables asks each view for its columns, which can be views of views of views, and
    // each virtual table's module for its.
    database.refuseViews();
    PW_TRY(Statement modules,
           database.prepare("SELECT name FROM sqlite_master WHERE sql LIKE '%virtual%using%' AND "
                            "type <> 'view' LIMIT 1"));
    PW_TRY(const bool hasModule, modules.next());
    if (hasModule)
        return fail(ErrorCode::Syntax,
                    "%1 is not read: its table %2 is a program's (a virtual table); tables of a "
                    "store only hold values",
                    database.path(), modules.text(0));
    PW_TRY(Statement computed,
           database.prepare("SELECT t.name, x.name FROM pragma_table_list t, "
                            "pragma_table_xinfo(t.name) x WHERE t.schema = 'main' AND t.type = "
                            "'table' AND x.hidden <> 0 LIMIT 1"));
    PW_TRY(const bool isComputed, computed.next());
    if (isComputed)
        return fail(ErrorCode::Syntax,
                    "%1 is not read: the column %2 of its table %3 is computed by an expression in "
                    "the file; columns of a store only hold values",
                    database.path(), computed.text(1), computed.text(0));
    PW_TRY(Statement indexed,
           database.prepare(
               "SELECT t.name, i.name FROM pragma_table_list t, pragma_index_list(t.name) i WHERE "
               "t.schema = 'main' AND t.type = 'table' AND (i.partial <> 0 OR EXISTS (SELECT 1 "
               "FROM pragma_index_xinfo(i.name) x WHERE x.cid = -2)) LIMIT 1"));
    PW_TRY(const bool isIndexed, indexed.next());
    if (isIndexed)
        return fail(ErrorCode::Syntax,
                    "%1 is not read: the index %2 of its table %3 computes by an expression in the "
                    "file; indexes of a store only have columns",
                    database.path(), indexed.text(1), indexed.text(0));
    return {};
}

Result<void> checkTables(Database& database, int version)
{
    PW_TRY(const KnownTables* const known, tablesOfStores(version));
    // People may add tables and views of their own, but none that compute.
    PW_DO(refuseComputing(database));
    PW_TRY(const KnownTables found, storeTablesOf(database));
    for (const auto& [name, shape] : *known) {
        if (shape.kind.substr(0, 5) != "table")
            continue; // a view that people look at
        const auto there = found.find(name);
        if (there == found.end())
            return fail(ErrorCode::Io, "%1 is damaged: it has no table %2; name another file",
                        database.path(), name);
        const std::string kind = there->second.kind.substr(0, there->second.kind.find(' '));
        if (kind != "table")
            return noStore(database, said("its %1 is a %2, where a store has a table", name, kind));
    }
    for (const auto& [name, shape] : *known) {
        if (shape.kind.substr(0, 5) != "table")
            continue;
        const KnownTable& there = found.find(name)->second;
        PW_DO(compareColumns(database, name, there.columns, shape.columns));
        if (there.kind != shape.kind)
            return noStore(database,
                           said("its table %1 does not number its rows as a store does", name));
    }
    return {};
}

} // namespace pw
