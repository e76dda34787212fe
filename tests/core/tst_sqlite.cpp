// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sqlite/sqlite.h"
#include "core/store/schema.h"
#include "tests/support/test_program.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

using namespace pw;

class TestSqlite : public QObject
{
    Q_OBJECT

private slots:
    void init() { QVERIFY(m_folder.isValid()); }

    void valuesComeBack()
    {
        const auto database = open("values", Database::Mode::Create);
        QVERIFY(database->run("CREATE TABLE t (i INTEGER, d REAL, s TEXT)", "cannot be made"));
        Statement insert = *database->prepare("INSERT INTO t VALUES (?,?,?)");
        constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
        insert.bindAll(least, 0.1, std::string_view("a\0ü", 4));
        QVERIFY(insert.run());
        QCOMPARE(database->lastRow(), 1);
        insert.bindAll(7, std::numeric_limits<double>::quiet_NaN(), "");
        QVERIFY(insert.run());
        Statement query = *database->prepare("SELECT i, d, s FROM t ORDER BY rowid");
        QVERIFY(*query.next());
        QCOMPARE(query.whole(0), least);
        QVERIFY(query.number(1) == 0.1);
        QCOMPARE(query.text(2), std::string("a\0ü", 4));
        QVERIFY(*query.next());
        QCOMPARE(query.small(0), 7);
        QVERIFY(std::isnan(query.number(1)));
        QCOMPARE(query.text(2), std::string());
        QVERIFY(!*query.next());
        int rows = 0;
        QVERIFY(query.each([&](const Statement&) { ++rows; }));
        QCOMPARE(rows, 2);
    }

    /// Rows that are handed over have what rows that are asked for have, in the order of the file,
    /// also where an index has all of their columns.
    void rowsAreHandedOver()
    {
        const auto database = open("rows", Database::Mode::Create);
        QVERIFY(database->run("CREATE TABLE t (i INTEGER, d, s); CREATE INDEX x ON t (i, d, s); "
                              "INSERT INTO t VALUES (9, 2.5, 'nine'), (-4, NULL, '12ü'), "
                              "(9223372036854775807, x'00ff', '')",
                              "cannot be made"));
        std::vector<std::int64_t> wholes;
        std::vector<std::string> texts;
        const Result<std::int64_t> read =
            database->eachRow("t", "i, d, s, NULL", [&](const RowValues& row) {
                wholes.insert(wholes.end(), {row.whole(0), row.whole(1), row.whole(2)});
                texts.emplace_back(row.view(2));
                const bool behind = row.isNull(4) && row.whole(4) == 0 && row.view(4).empty();
                return row.isWhole(0) && !row.isWhole(1) && !row.isWhole(2) && row.isNull(3) &&
                       !row.isNull(2) && behind;
            });
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(*read, 3);
        QCOMPARE(wholes, (std::vector<std::int64_t>{
                             9, 2, 0, -4, 0, 12, std::numeric_limits<std::int64_t>::max(), 0, 0}));
        QCOMPARE(texts, (std::vector<std::string>{"nine", "12ü", ""}));
    }

    /// Who takes rows may end it, ask the database meanwhile, or fail.
    void whoTakesRowsDecides()
    {
        const auto database = open("taken", Database::Mode::Create);
        QVERIFY(database->run("CREATE TABLE t (i INTEGER); INSERT INTO t VALUES (1), (2), (3), (4)",
                              "cannot be made"));
        std::int64_t sum = 0, inner = 0;
        const auto rows = [&](const TakeRow& take) { return database->eachRow("t", "i", take); };
        QCOMPARE(rows([&](const RowValues& row) {
                     sum += row.whole(0);
                     return row.whole(0) < 2;
                 }).value(),
                 2);
        QCOMPARE(sum, 3);
        QCOMPARE(rows([&](const RowValues&) {
                     inner += rows([](const RowValues&) { return true; }).value();
                     inner += database->number("SELECT count(*) FROM t").value();
                     return true;
                 }).value(),
                 4);
        QCOMPARE(inner, 4 * 8);
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, (void)rows([](const RowValues&) -> bool {
                                     throw std::runtime_error("no");
                                 }));
        QVERIFY(!database->eachRow("t", "nothing", [](const RowValues&) { return true; }));
        QVERIFY(!database->eachRow("none", "i", [](const RowValues&) { return true; }));
        // The function is for nobody else.
        QVERIFY(!database->number("SELECT pw_take(1)"));
    }

    /// The limit of time is for a row, however long all of them take, and the end is for all.
    void timeIsLimitedByTheRow()
    {
        const auto database = open("slow", Database::Mode::Create);
        QVERIFY(
            database->run("CREATE TABLE t (i INTEGER); WITH RECURSIVE n(i) AS (SELECT 1 UNION "
                          "ALL SELECT i + 1 FROM n WHERE i < 200000) INSERT INTO t SELECT i FROM n",
                          "cannot be made"));
        database->limitTime(std::chrono::milliseconds(30));
        QElapsedTimer timer;
        timer.start();
        const auto slowly = [&] {
            return database->eachRow("t", "i", [&](const RowValues& row) {
                const QDeadlineTimer until(row.whole(0) % 1000 == 0 ? 1 : 0);
                while (!until.hasExpired()) {
                }
                return true;
            });
        };
        QCOMPARE(slowly().value(), 200'000);
        QVERIFY(timer.elapsed() > 60);
        database->endBy(std::chrono::steady_clock::now() + std::chrono::milliseconds(20));
        QVERIFY(!slowly());
        QVERIFY(database->metItsEnd());
    }

    /// Reading a schema of very many tables goes on for longer than SQLite goes without asking
    /// whether to end.
    void whatEndsWhileItIsMadeReadyIsNoMistakeOfTheText()
    {
        {
            const auto database = open("tables", Database::Mode::Create);
            std::string sql = "BEGIN;";
            for (int i = 0; i < 6000; ++i)
                sql += "CREATE TABLE t" + std::to_string(i) + " (a);";
            QVERIFY(database->run((sql + "COMMIT").c_str(), "cannot be made"));
        }
        const auto database = open("tables", Database::Mode::Read);
        database->endBy(std::chrono::steady_clock::now());
        const Result<Statement> ended = database->prepareOne("SELECT a FROM t1", "the question");
        QVERIFY(!ended);
        QVERIFY2(ended.error().code == ErrorCode::Io, ended.error().message.english().c_str());
        QVERIFY(database->metItsEnd());
        QVERIFY(!database->prepare("SELECT a FROM t1"));
        QVERIFY(database->metItsEnd());
        // The next failure is its own.
        database->endBy(std::chrono::steady_clock::time_point::max());
        const Result<Statement> wrong = database->prepareOne("SELECT b FROM t1", "the question");
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().code, ErrorCode::Syntax);
        QVERIFY(!database->metItsEnd());
        QVERIFY(database->prepareOne("SELECT a FROM t1", "the question"));
    }

    void aLockThatIsWaitedForToTheEndIsNoMistakeOfTheText()
    {
        const auto writer = open("held", Database::Mode::Create);
        QVERIFY(writer->run("CREATE TABLE t (a)", "cannot be made"));
        const auto database = open("held", Database::Mode::Read);
        QVERIFY(writer->run("BEGIN EXCLUSIVE", "cannot be held"));
        database->endBy(std::chrono::steady_clock::now());
        const Result<Statement> ended = database->prepareOne("SELECT a FROM t", "the question");
        QVERIFY(!ended);
        QVERIFY2(ended.error().code == ErrorCode::Io, ended.error().message.english().c_str());
        QVERIFY(database->metItsEnd());
    }

    void aTransactionIsAllOrNothing()
    {
        const auto database = open("transaction", Database::Mode::Create);
        QVERIFY(database->run("CREATE TABLE t (i INTEGER)", "cannot be made"));
        {
            const Result<Transaction> begun = Transaction::begin(*database);
            QVERIFY(begun);
            QVERIFY(database->run("INSERT INTO t VALUES (1)", "cannot be written"));
        }
        QCOMPARE(*database->number("SELECT count(*) FROM t"), 0);
        Result<Transaction> begun = Transaction::begin(*database);
        QVERIFY(database->run("INSERT INTO t VALUES (1)", "cannot be written"));
        QVERIFY(begun->commit());
        QCOMPARE(*database->number("SELECT count(*) FROM t"), 1);
    }

    void aConflictIsNoFailure()
    {
        const auto database = open("conflict", Database::Mode::Create);
        QVERIFY(database->run("CREATE TABLE t (i INTEGER PRIMARY KEY)", "cannot be made"));
        Statement insert = *database->prepare("INSERT INTO t VALUES (?)");
        insert.bindAll(1);
        QVERIFY(*insert.runUnlessConflict());
        QVERIFY(!*insert.runUnlessConflict());
        insert.bindAll(2);
        QVERIFY(*insert.runUnlessConflict());
    }

    void errorsSayFileAndReasonAndRemedy_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("end");
        QTest::newRow("not there") << "nothing.sqlite"
                                   << "nothing.sqlite cannot be opened: unable to open database "
                                      "file (No such file or directory); see that its folder is "
                                      "there and that you may use it";
        QTest::newRow("a folder") << "."
                                  << "; see that its folder is there and that you may use it";
    }
    void errorsSayFileAndReasonAndRemedy()
    {
        QFETCH(QString, file);
        QFETCH(QString, end);
        const auto opened =
            Database::open(m_folder.filePath(file).toStdString(), Database::Mode::Write);
        QVERIFY(!opened);
        QCOMPARE(opened.error().code, ErrorCode::Io);
        QVERIFY2(QString::fromStdString(opened.error().message).endsWith(end),
                 opened.error().message.c_str());
    }

    void aLockedFileSaysWhoMustAct()
    {
        const auto first = open("locked", Database::Mode::Create);
        QVERIFY(first->run("CREATE TABLE t (i INTEGER)", "cannot be made"));
        const Result<Transaction> held = Transaction::begin(*first);
        const auto second = open("locked", Database::Mode::Write);
        const Result<Transaction> refused = Transaction::begin(*second);
        QVERIFY(!refused);
        QCOMPARE(QString::fromStdString(refused.error().message),
                 m_folder.filePath("locked") +
                     " cannot be written: database is locked; another program holds the file: wait "
                     "until it is done, or end it");
    }

    void aNewFileGetsTheSchema()
    {
        const auto database = open("new", Database::Mode::Create);
        QCOMPARE(*schemaVersion(*database), 0);
        QVERIFY(migrate(*database));
        QCOMPARE(*schemaVersion(*database), storeVersion);
        QVERIFY(migrate(*database));
        QCOMPARE(*database->number("PRAGMA application_id"), storeApplicationId);
    }

    void aMigrationThatFailsChangesNothing()
    {
        const auto database = open("half", Database::Mode::Create);
        QVERIFY(migrate(*database, 1));
        // A table in the way of the second version's view.
        QVERIFY(database->run("CREATE TABLE timeline (i INTEGER)", "cannot be made"));
        QVERIFY(!migrate(*database));
        QCOMPARE(*schemaVersion(*database), 1);
        QCOMPARE(
            *database->number("SELECT count(*) FROM pragma_table_info('run') WHERE name = 'notes'"),
            0);
        QVERIFY(database->run("DROP TABLE timeline", "cannot be made"));
        QVERIFY(migrate(*database));
        QCOMPARE(*schemaVersion(*database), storeVersion);
    }

private:
    std::unique_ptr<Database> open(const char* file, Database::Mode mode)
    {
        return std::move(*Database::open(m_folder.filePath(file).toStdString(), mode, 10));
    }

    QTemporaryDir m_folder;
};

PW_TEST(TestSqlite)
#include "tst_sqlite.moc"
