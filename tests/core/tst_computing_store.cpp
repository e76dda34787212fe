// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "core/sqlite/sqlite.h"
#include "core/store/repair.h"
#include "core/store/run_store.h"
#include "core/store/schema.h"
#include "core/store/store_query.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sqlite3.h>

#include <ctime>
#include <memory>

using namespace pw;

namespace {

/// One call of this is busy for a quarter of a minute, and no time limit of SQLite's sees it.
QString dear()
{
    return QStringLiteral("printf('%.*c', 2147483647, 'x')");
}

struct CloseSqlite
{
    void operator()(sqlite3* handle) const { sqlite3_close(handle); }
};

} // namespace

/// Files of SQLite whose tables compute what they hold, and questions that are dear to answer:
/// whoever made them, they take moments.
class TestComputingStore : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QVERIFY(m_folder.isValid());
        m_path = m_folder.filePath(QStringLiteral("%1.sqlite").arg(++m_count)).toStdString();
        m_began = std::clock();
    }
    /// Of the processor: others may keep the machine busy.
    void cleanup()
    {
        const double seconds = static_cast<double>(std::clock() - m_began) / CLOCKS_PER_SEC;
        QVERIFY2(seconds < 8, qPrintable(QString::number(seconds)));
    }

    void aStoreThatComputesIsRefused_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("word");
        const auto row = [](const char* name, const QString& sql, const char* word) {
            QTest::newRow(name) << sql << QString::fromLatin1(word);
        };
        row("virtual column", computedTitle(dear()), "column title of its table run");
        row("column of another function", computedTitle("hex(zeroblob(100000000))"),
            "column title of its table run");
        row("column of a chain",
            "CREATE TABLE x (a, b AS (replace(a, 'a', hex(zeroblob(9999999)))), c AS (b || b))",
            "table x");
        row("stored column of somebody's table", "CREATE TABLE mine (a, b AS (a || 'x') STORED)",
            "column b of its table mine");
        row("column of a function that SQLite keeps from files",
            "CREATE TABLE mine (a, b AS (json(a)))", "column b of its table mine");
        row("column of an operator that it keeps from files",
            "CREATE TABLE mine (a, c AS (a ->> 'x') STORED)", "column c of its table mine");
        row("title that is JSON", computedTitle("json_quote(number)"),
            "column title of its table run");
        row("partial index of such a function",
            "CREATE INDEX part ON run (title) WHERE json_valid(title)",
            "index part of its table run");
        row("index of an expression", "CREATE INDEX slow ON pass (abs(start)); ",
            "index slow of its table pass");
        row("partial index", "CREATE INDEX part ON run (title) WHERE length(title) > 3",
            "index part of its table run");
        row("virtual table", "CREATE VIRTUAL TABLE words USING fts5(a)", "table words");
        row("virtual table of another spelling", "create /*a*/ virtual /*b*/ table w using fts5(a)",
            "table w");
    }
    void aStoreThatComputesIsRefused()
    {
        QFETCH(QString, sql);
        QFETCH(QString, word);
        makeStore();
        change(sql);
        QStringList errors;
        const auto note = [&](const auto& result) {
            QVERIFY(!result);
            errors << said(result.error());
        };
        note(RunStore::open(m_path));
        note(RunStore::openToRead(m_path));
        note(queryStore(m_path, "SELECT title FROM runs"));
        note(checkStore(m_path));
        note(repairStore(m_path)); // nor does anything advise it
        for (const QString& error : errors) {
            QVERIFY2(error.contains(word), qPrintable(error));
            QVERIFY2(!error.contains("repair"), qPrintable(error));
        }
    }

    void aStoreOfOtherShapeIsRefusedAndMended_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("word");
        const auto row = [](const char* name, const char* sql, const char* word) {
            QTest::newRow(name) << QString::fromLatin1(sql) << QString::fromLatin1(word);
        };
        row("one column more", "ALTER TABLE loss ADD COLUMN more", "a column more");
        row("one column less", "ALTER TABLE run DROP COLUMN last_loss", "last_loss");
        row("another type",
            "DROP TABLE loss; CREATE TABLE loss (run INTEGER, step INTEGER, loss "
            "TEXT, PRIMARY KEY (run, step)) WITHOUT ROWID",
            "column loss of its table loss");
        row("numbered rows",
            "DROP TABLE loss; CREATE TABLE loss (run INTEGER, step INTEGER, loss "
            "REAL, PRIMARY KEY (run, step))",
            "its table loss");
    }
    void aStoreOfOtherShapeIsRefusedAndMended()
    {
        QFETCH(QString, sql);
        QFETCH(QString, word);
        makeStore();
        change(sql);
        const Result<RunStore> store = RunStore::open(m_path);
        QVERIFY(!store);
        QVERIFY2(said(store.error()).contains(word), qPrintable(said(store.error())));
        QVERIFY(said(store.error()).contains("--repair"));
        QVERIFY(!RunStore::openToRead(m_path) && !queryStore(m_path, "SELECT title FROM runs"));
        const Result<StoreCheck> check = checkStore(m_path);
        QVERIFY2(check, check ? "" : check.error().message.c_str());
        QVERIFY(!check->problems.empty());
        const QString problem = QString::fromStdString(check->problems.front());
        QVERIFY2(problem.contains(word), qPrintable(problem));
        const Result<StoreRepair> repaired = repairStore(m_path);
        QVERIFY2(repaired, repaired ? "" : repaired.error().message.c_str());
        QVERIFY(RunStore::openToRead(m_path));
        QVERIFY(checkStore(m_path)->sound());
    }

    void rulesAndTriggersOfAFileAreNotRun()
    {
        makeStore();
        change("CREATE TABLE mine (a CHECK (length(" + dear() +
               ") > 3 OR 1)); "
               "PRAGMA ignore_check_constraints = ON; INSERT INTO mine VALUES (1), (2); "
               "CREATE TRIGGER slow AFTER INSERT ON run BEGIN SELECT " +
               dear() + "; END");
        Result<RunStore> store = RunStore::open(m_path);
        QVERIFY2(store, store ? "" : store.error().message.c_str());
        QVERIFY(store->begin(NewRun{})->finish(RunStatus::Finished, {}));
        const StoreCheck check = *checkStore(m_path);
        QVERIFY2(check.sound(), check.sound() ? "" : check.problems.front().c_str());
    }

    void viewsOfAFileAreNotAsked()
    {
        makeStore();
        QString views = "CREATE VIEW v0 AS SELECT 1 AS x;";
        for (int i = 1; i < 40; ++i)
            views += QStringLiteral("CREATE VIEW v%1 AS SELECT a.x FROM v%2 a, v%2 b;")
                         .arg(i)
                         .arg(i - 1);
        change(views);
        QVERIFY(RunStore::open(m_path));
        QVERIFY(checkStore(m_path)->sound());
        QVERIFY(!queryStore(m_path, "SELECT * FROM v39"));
        QVERIFY(queryStore(m_path, "SELECT * FROM timeline"));
    }

    void aDearQuestionEnds_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<bool>("answered");
        const auto row = [](const QString& sql, bool answered) {
            QTest::newRow(qPrintable(sql)) << sql << answered;
        };
        const QString much = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) ";
        row("SELECT " + dear(), false);
        row("SELECT format('%2147483647d', 1)", false);
        row("SELECT printf('%*d', 2147483647, 1)", false);
        row("SELECT printf('%.2147483647f', 1)", false);
        row("SELECT length(hex(randomblob(1000000000)))", false);
        row(much + "SELECT sum(length(hex(randomblob(500000)))) FROM n", false);
        row(much +
                "SELECT count(instr(hex(zeroblob(400000)), hex(zeroblob(200000)) || 'x')) FROM n",
            false);
        row("SELECT instr(hex(zeroblob(500000)), hex(zeroblob(250000)) || 'x')", true);
        row("SELECT length(replace(hex(zeroblob(500000)), hex(zeroblob(200000)) || 'x', ''))",
            true);
        row("SELECT length(replace(hex(zeroblob(500000)), '0', '0000000000'))", false);
        row("SELECT length(trim(hex(zeroblob(500000)), hex(randomblob(200000))))", true);
        row("SELECT hex(zeroblob(500000)) LIKE '%" + QString(30'000, '0') + "x'", false);
        row("SELECT json_patch('{}', '{}')", false);
        row("SELECT count(*) FROM dbstat", false);
        row(bomb(), false);
    }
    void aDearQuestionEnds()
    {
        QFETCH(QString, sql);
        QFETCH(bool, answered);
        makeStore();
        QueryLimits limits;
        // What is answered may take its time where others keep the machine busy.
        limits.time = std::chrono::milliseconds(answered ? 20'000 : 500);
        const Result<QueryAnswer> answer = queryStore(m_path, sql.toStdString(), limits);
        QVERIFY2(answer.has_value() == answered,
                 answer ? "answered" : qPrintable(said(answer.error())));
    }

    /// A table whose pages lead in circles has rows without end, and counting them is one step.
    void countingInCirclesEnds()
    {
        makeStore();
        change("CREATE TABLE mine (a TEXT); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + "
               "1 FROM n LIMIT 20000) INSERT INTO mine SELECT hex(zeroblob(100)) FROM n");
        leadInCircles("mine");
        QueryLimits limits;
        limits.time = std::chrono::milliseconds(500);
        QVERIFY(!queryStore(m_path, "SELECT count(*) FROM mine", limits));
    }

    void functionsAnswerAsTheirs_data()
    {
        QTest::addColumn<QString>("sql");
        for (const char* sql : {"printf('%d %5d|%-5d|%05d|%+d', 1, 2, 3, 4, 5)",
                                "printf('%,d', 1234567)",
                                "printf('%.3f %8.2f %e %g %G', 1.5, 2.25, 3.0, 1e10, 0.5)",
                                "printf('%s', NULL)",
                                "printf('%Q %Q %q %w', 'it''s', NULL, 'a''b', 'c\"d')",
                                "printf('%10s|%-10s|%.2s', 'a', 'b', 'cde')",
                                "printf('%c%c', 'xyz', 'ä')",
                                "printf('%.3c|', 'ab')",
                                "printf('%*d|%-*d|%.*f', 6, 1, 6, 2, 2, 3.14159)",
                                "printf('%x %X %o %u', 255, 255, 8, 7)",
                                "printf('%%')",
                                "printf('%5c|', 'a')",
                                "printf('a%zb', 1, 2)",
                                "printf('')",
                                "printf(NULL)",
                                "printf('%d')",
                                "printf('%lld', 12)",
                                "printf('%!.4s', 'äöüß!')",
                                "format('%s-%s', 1, 2.5)",
                                "printf('abc%')",
                                "printf('%d', 'x')",
                                "printf('%s', 12.0)",
                                "printf('%i', -9223372036854775807)",
                                "printf('%.10d', 5)",
                                "printf('%#x', 5)",
                                "printf('%s', x'4142')",
                                "printf('%n%d', 4)",
                                "replace('aaa', 'a', 'bb')",
                                "replace('abc', '', 'x')",
                                "replace(NULL, 'a', 'b')",
                                "replace('abab', 'ab', '')",
                                "replace(123, 2, 'x')",
                                "replace('aabaab', 'aab', 'c')",
                                "instr('hello', 'l')",
                                "instr('äöü', 'ü')",
                                "instr('abc', '')",
                                "instr('', '')",
                                "instr('', 'a')",
                                "instr(NULL, 'a')",
                                "instr(x'010203', x'03')",
                                "instr(x'e4', 'a')",
                                "instr('ababac', 'abac')",
                                "instr(12345, 34)",
                                "trim('  a ')",
                                "ltrim('xxay', 'x')",
                                "rtrim('axyx', 'yx')",
                                "trim('äaä', 'ä')",
                                "trim('abc', '')",
                                "trim(NULL)",
                                "trim('aaa', 'a')",
                                "trim(' ', NULL)",
                                "typeof(trim(5))",
                                "trim('')"})
            QTest::newRow(sql) << QString::fromUtf8(sql);
    }
    void functionsAnswerAsTheirs()
    {
        QFETCH(QString, sql);
        const QByteArray asked = ("SELECT quote(" + sql + ")").toUtf8();
        sqlite3* opened = nullptr;
        QCOMPARE(sqlite3_open(":memory:", &opened), SQLITE_OK);
        const std::unique_ptr<sqlite3, CloseSqlite> plain(opened);
        QString expected;
        QCOMPARE(sqlite3_exec(
                     opened, asked,
                     [](void* to, int, char** values, char**) {
                         *static_cast<QString*>(to) = QString::fromUtf8(values[0]);
                         return 0;
                     },
                     &expected, nullptr),
                 SQLITE_OK);
        const auto ours = *Database::open(":memory:", Database::Mode::Create);
        Result<Statement> statement = ours->prepare(asked.toStdString());
        QVERIFY(statement && statement->next());
        QCOMPARE(QString::fromStdString(statement->text(0)), expected);
    }

    void anExportThatComputesIsRefused_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::newRow("column") << "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, "
                                   "globalTid INTEGER, eventType INTEGER, text TEXT AS (" +
                                       dear() + "))";
        QTest::newRow("view that is called a table")
            << "CREATE VIEW NVTX_EVENTS AS SELECT 1 AS start, 2 AS end, 3 AS globalTid, 59 AS "
               "eventType, " +
                   dear() +
                   " AS text; PRAGMA writable_schema = ON; UPDATE sqlite_master SET type = "
                   "'table', rootpage = 2 WHERE name = 'NVTX_EVENTS'; CREATE TABLE other (a)";
    }
    void anExportThatComputesIsRefused()
    {
        QFETCH(QString, sql);
        change(sql);
        QVERIFY(!importTrace({m_path}));
    }

private:
    static QString said(const Error& error) { return QString::fromStdString(error.message); }

    void makeStore()
    {
        RunStore store = *RunStore::open(m_path);
        for (int i = 0; i < 3; ++i)
            QVERIFY(store.begin(NewRun{})->finish(RunStatus::Finished, {}));
    }

    /// The table of runs once more, with a title that is computed: at first by something cheap,
    /// since SQLite computes it for each row that is put in.
    static QString computedTitle(const QString& expression)
    {
        return "PRAGMA legacy_alter_table = ON; ALTER TABLE run RENAME TO old; CREATE TABLE run "
               "(number INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT GENERATED ALWAYS AS (lower("
               "'q')) VIRTUAL, family TEXT, status TEXT, ranks INTEGER); INSERT INTO run (number, "
               "family, status, ranks) SELECT number, family, status, ranks FROM old; PRAGMA "
               "writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'lower(''q'')', "
               "'" +
               QString(expression).replace("'", "''") + "') WHERE name = 'run'";
    }

    /// Twenty names, each of which stands for the one before twice.
    static QString bomb()
    {
        QString sql = "WITH a0 AS (SELECT 1 x)";
        for (int i = 1; i < 40; ++i)
            sql += QStringLiteral(", a%1 AS (SELECT p.x FROM a%2 p, a%2 q)").arg(i).arg(i - 1);
        return sql + " SELECT * FROM a39";
    }

    /// What a stranger's program can write: SQLite without any limit.
    void change(const QString& sql)
    {
        sqlite3* opened = nullptr;
        QCOMPARE(sqlite3_open(m_path.c_str(), &opened), SQLITE_OK);
        const std::unique_ptr<sqlite3, CloseSqlite> plain(opened);
        char* problem = nullptr;
        QVERIFY2(sqlite3_exec(opened, sql.toUtf8(), nullptr, nullptr, &problem) == SQLITE_OK,
                 problem);
        (void)sqlite3_exec(opened, "PRAGMA wal_checkpoint(TRUNCATE)", nullptr, nullptr, nullptr);
    }

    /// Makes every page below the root of a table a copy of the root.
    void leadInCircles(const char* table)
    {
        std::int64_t root = 0;
        qint64 page = 0;
        {
            const auto database = *Database::open(m_path, Database::Mode::Read);
            page = *database->number("PRAGMA page_size");
            root = *database->number(
                ("SELECT rootpage FROM sqlite_master WHERE name = '" + std::string(table) + "'")
                    .c_str());
        }
        QFile file(QString::fromStdString(m_path));
        QVERIFY(file.open(QIODevice::ReadWrite));
        const auto at = [&](qint64 number) { return (number - 1) * page; };
        file.seek(at(root));
        QByteArray top = file.read(page);
        QCOMPARE(top[0], '\x05'); // an interior page
        const auto number = [](const QByteArray& bytes, qsizetype from, int size) {
            qint64 value = 0;
            for (int i = 0; i < size; ++i)
                value = value << 8 | static_cast<unsigned char>(bytes[from + i]);
            return value;
        };
        // The first child leads to itself, by all its own cells: depth after depth of it.
        const qint64 child = number(top, number(top, 12, 2), 4);
        file.seek(at(child));
        QByteArray below = top;
        const qint64 cells = number(below, 3, 2);
        QVERIFY(cells > 3);
        const auto point = [&](qsizetype from, qint64 to) {
            for (int i = 0; i < 4; ++i)
                below[from + i] = static_cast<char>(to >> (24 - 8 * i) & 0xff);
        };
        for (qint64 i = 0; i < cells; ++i)
            point(number(below, 12 + 2 * i, 2), child);
        point(8, child);
        file.seek(at(child));
        file.write(below);
    }

    QTemporaryDir m_folder;
    std::string m_path;
    int m_count = 0;
    std::clock_t m_began = 0; // of each test
};

PW_TEST(TestComputingStore)
#include "tst_computing_store.moc"
