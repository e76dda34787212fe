// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "core/sqlite/sqlite.h"
#include "core/store/activity_store.h"
#include "core/store/store_query.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sqlite3.h>

using namespace pw;

namespace {

std::string kernelEvent(const char* name, int start, int length)
{
    return std::string(R"({"ph":"X","cat":"kernel","name":")") + name +
           R"(","pid":0,"tid":7,"ts":)" + std::to_string(start) +
           ",\"dur\":" + std::to_string(length) + R"(,"args":{"stream":7}})";
}

} // namespace

/// Questions are answered from a store, which nothing that is asked can change.
class TestStoreQuery : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        Result<Trace> trace = importTraceText(
            "[" + kernelEvent("gemm", 100, 300) + "," + kernelEvent("gemm", 500, 100) + "," +
                kernelEvent("ncclDevKernel_AllReduce", 700, 50) + "]",
            "rank0.json");
        QVERIFY(trace);
        m_store = m_folder.path().toStdString() + "/runs.sqlite";
        QVERIFY(keepTraceActivity(*trace, m_store, "a trace"));
    }

    void kernelsAreSummedUp()
    {
        const Result<QueryAnswer> answer =
            queryStore(m_store, "SELECT name, count(*) AS n, sum(duration_ms) AS ms FROM kernels "
                                "GROUP BY name ORDER BY ms DESC");
        QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
        QCOMPARE(answer->columns, (std::vector<std::string>{"name", "n", "ms"}));
        QCOMPARE(answer->rows.size(), std::size_t{2});
        QCOMPARE(answer->rows[0][0].text, std::string("gemm"));
        QCOMPARE(answer->rows[0][1].text, std::string("2"));
        QVERIFY(answer->rows[0][2].number);
        QCOMPARE(QString::fromStdString(answer->rows[0][2].text).toDouble(), 0.4);
        QVERIFY(!answer->cut);
    }

    void everyExampleIsAnswered_data()
    {
        QTest::addColumn<int>("number");
        QCOMPARE(exampleQueries().size(), std::size_t{10});
        for (int i = 0; i < 10; ++i)
            QTest::newRow(qPrintable(QString::number(i + 1))) << i;
    }

    void everyExampleIsAnswered()
    {
        QFETCH(const int, number);
        const Result<QueryAnswer> answer =
            queryStore(m_store, exampleQueries()[static_cast<std::size_t>(number)].sql);
        QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
    }

    void everyViewIsAnswered()
    {
        for (const StoreView& view : storeViews()) {
            const Result<QueryAnswer> answer =
                queryStore(m_store, "SELECT * FROM " + std::string(view.name));
            QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
            QVERIFY(!answer->columns.empty());
        }
    }

    void nothingIsChanged_data()
    {
        QTest::addColumn<QString>("sql");
        for (const char* sql : {"DELETE FROM run",
                                "UPDATE run SET title = 'x'",
                                "DROP TABLE run",
                                "INSERT INTO loss VALUES (1, 1, 1)",
                                "PRAGMA user_version = 9",
                                "PRAGMA user_version",
                                "ATTACH 'other.sqlite' AS other",
                                "CREATE TABLE t (a)",
                                "CREATE TEMP TABLE t (a)",
                                "VACUUM",
                                "VACUUM INTO 'copy.sqlite'",
                                "BEGIN",
                                "SELECT 1; DELETE FROM run",
                                "SELECT load_extension('x')",
                                "SELECT * FROM pragma_user_version",
                                "",
                                "  ",
                                "-- nothing",
                                "SELECT",
                                "SELECT nothing FROM runs",
                                "WITH a AS (SELECT 1) DELETE FROM run"})
            QTest::newRow(sql) << QString(sql);
    }

    void nothingIsChanged()
    {
        QFETCH(const QString, sql);
        QFile file(QString::fromStdString(m_store));
        QVERIFY(file.open(QFile::ReadOnly));
        const QByteArray before = file.readAll();
        file.close();
        const Result<QueryAnswer> answer = queryStore(m_store, sql.toStdString());
        QVERIFY(!answer);
        QVERIFY(!answer.error().message.empty());
        QVERIFY(file.open(QFile::ReadOnly));
        QVERIFY(file.readAll() == before);
    }

    void longQuestionsEnd()
    {
        QElapsedTimer clock;
        clock.start();
        QueryLimits limits;
        limits.time = std::chrono::milliseconds(300);
        const Result<QueryAnswer> answer =
            queryStore(m_store,
                       "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                       "SELECT count(*) FROM n",
                       limits);
        QVERIFY(!answer);
        QCOMPARE(answer.error().code, ErrorCode::TooLarge);
        QVERIFY(answer.error().message.english().find("0.3 s") != std::string::npos);
        QVERIFY(clock.elapsed() < 20'000);
    }

    /// A question that takes some milliseconds to be made ready: its time ends while rows are
    /// looked for, earlier than a clock tells that began when it was ready.
    void theTimeOfAQuestionIsCountedOnce()
    {
        std::string numbers = "-1";
        while (numbers.size() < 95'000)
            numbers += ",-" + std::to_string(numbers.size());
        for (const int milliseconds : {0, 1, 20, 50, 100}) {
            QueryLimits limits;
            limits.time = std::chrono::milliseconds(milliseconds);
            const Result<QueryAnswer> answer =
                queryStore(m_store,
                           "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                           "SELECT count(*) FROM n WHERE i NOT IN (" +
                               numbers + ")",
                           limits);
            QVERIFY(!answer);
            QVERIFY2(answer.error().code == ErrorCode::TooLarge,
                     answer.error().message.english().c_str());
        }
    }

    void memoryIsBoundedAsLongAsAnyoneAsks()
    {
        constexpr int longestText = 1'000'000;
        auto first = Database::open(m_store, Database::Mode::Read);
        auto second = Database::open(m_store, Database::Mode::Read);
        QVERIFY(first && second);
        QCOMPARE(std::int64_t{sqlite3_hard_heap_limit64(-1)}, std::int64_t{0});
        (*first)->onlyQueries(longestText);
        const std::int64_t bound = sqlite3_hard_heap_limit64(-1);
        QVERIFY(bound > 0);
        (*second)->onlyQueries(longestText);
        first->reset();
        QCOMPARE(std::int64_t{sqlite3_hard_heap_limit64(-1)}, bound);
        second->reset();
        QCOMPARE(std::int64_t{sqlite3_hard_heap_limit64(-1)}, std::int64_t{0});
    }

    void manyRowsAreCut()
    {
        QueryLimits limits;
        limits.rows = 5;
        const Result<QueryAnswer> answer =
            queryStore(m_store,
                       "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 50) "
                       "SELECT i FROM n",
                       limits);
        QVERIFY(answer);
        QCOMPARE(answer->rows.size(), std::size_t{5});
        QVERIFY(answer->cut);
    }

    void largeValuesAreRefused() { QVERIFY(!queryStore(m_store, "SELECT zeroblob(100000000)")); }

private:
    QTemporaryDir m_folder;
    std::string m_store;
};

PW_TEST(TestStoreQuery)

#include "tst_store_query.moc"
