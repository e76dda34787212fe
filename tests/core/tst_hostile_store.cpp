// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sqlite/sqlite.h"
#include "core/store/repair.h"
#include "core/store/run_recorder.h"
#include "core/store/run_store.h"
#include "core/store/schema.h"
#include "core/store/trace_figures.h"
#include "core/store/writer.h"
#include "tests/support/family_runs.h"
#include "tests/support/recorded_run.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

using namespace pw;

/// Stores that are damaged, that somebody made to hurt, and that get too much.
class TestHostileStore : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QVERIFY(m_folder.isValid());
        m_path = m_folder.filePath(QStringLiteral("%1.sqlite").arg(++m_count)).toStdString();
    }

    void aVersionThatIsNoneIsRefused_data()
    {
        QTest::addColumn<QString>("version");
        for (const char* version : {"-1", "0", "-2147483648", "2147483647"})
            QTest::newRow(version) << QString::fromLatin1(version);
    }
    void aVersionThatIsNoneIsRefused()
    {
        QFETCH(QString, version);
        keepOne();
        change(QStringLiteral("PRAGMA user_version = %1").arg(version));
        for (const Result<RunStore>& opened :
             {RunStore::open(m_path), RunStore::openToRead(m_path)}) {
            QVERIFY(!opened);
            QCOMPARE(opened.error().code, ErrorCode::Version);
            QVERIFY(said(opened.error()).contains("version " + version));
        }
    }

    void aViewInPlaceOfATableIsRefused()
    {
        keepOne();
        change(QStringLiteral(
            "ALTER TABLE pass RENAME TO passes; CREATE VIEW pass AS WITH RECURSIVE c(x) AS "
            "(SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS run FROM c"));
        QElapsedTimer clock;
        clock.start();
        for (const Result<RunStore>& opened :
             {RunStore::open(m_path), RunStore::openToRead(m_path)}) {
            QVERIFY(!opened);
            QVERIFY2(said(opened.error()).contains("pass is a view"),
                     qPrintable(said(opened.error())));
        }
        QVERIFY(clock.elapsed() < 5000);
    }

    void aQueryWithoutEndIsEnded()
    {
        const auto database = *Database::open(":memory:", Database::Mode::Create);
        database->limitTime(std::chrono::milliseconds(100));
        const Result<std::int64_t> endless =
            database->number("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
                             "SELECT count(*) FROM c");
        QVERIFY(!endless);
        QVERIFY(database->ranOutOfTime());
        QVERIFY2(said(endless.error()).contains("limit of 100 ms"),
                 qPrintable(said(endless.error())));
        QCOMPARE(*database->number("SELECT 7"), 7);
    }

    void theSchemaIsNotTrusted()
    {
        const auto database = *Database::open(":memory:", Database::Mode::Create);
        QCOMPARE(*database->number("PRAGMA trusted_schema"), 0);
        // Defensive: the table of tables cannot be written, whatever is asked.
        QVERIFY(database->run("CREATE TABLE t (a)", "x"));
        QVERIFY(database->run("PRAGMA writable_schema = ON", "x"));
        QVERIFY(!database->run("UPDATE sqlite_master SET sql = 'x'", "cannot be written"));
    }

    void valuesThatNoRunHasAreRefused_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("word");
        const auto row = [](const char* name, const char* sql, const char* word) {
            QTest::newRow(name) << QString::fromLatin1(sql) << QString::fromLatin1(word);
        };
        row("negative duration", "UPDATE pass SET duration = -5", "duration of a pass is -5");
        row("kind", "UPDATE pass SET kind = 9", "kind of a pass is 9");
        row("kind that is text", "UPDATE pass SET kind = 'F'", "kind of a pass is not a number");
        row("route", "UPDATE pass SET route = 64", "route of a pass is 64");
        row("trust", "UPDATE pass SET trust = 77", "trust of a pass is 77");
        row("time beyond all", "UPDATE pass SET duration = 9223372036854775807",
            "duration of a pass");
        row("stage", "UPDATE pass SET stage = -1", "stage of a pass is -1");
        row("rank", "UPDATE lane SET rank = rank + 9000000", "rank of the table lane");
        row("message that ends first", "UPDATE message SET ended = posted - 1",
            "time of a message");
        row("status", "UPDATE run SET status = 'glorious'", "\"glorious\"");
        row("makespan", "UPDATE run SET makespan = -1", "makespan of run 1 is -1");
        row("log level", "UPDATE log SET level = 5", "level of a log line is 5");
        row("iteration", "UPDATE span SET order_first = 9223372036854775807",
            "start of an iteration");
        row("iteration of an older version",
            "UPDATE span SET first = 9223372036854775807, order_first = NULL",
            "start of an iteration");
    }
    void valuesThatNoRunHasAreRefused()
    {
        QFETCH(QString, sql);
        QFETCH(QString, word);
        keepOne();
        QVERIFY(checkStore(m_path)->sound());
        change(sql);
        RunStore store = *RunStore::openToRead(m_path);
        QStringList errors;
        const auto note = [&](const auto& result) {
            if (!result)
                errors << said(result.error());
        };
        note(store.runs());
        note(store.passes({1}));
        note(store.messages({1}));
        note(store.memory({1}));
        note(store.iterations(1));
        note(store.logs(1));
        QVERIFY2(!errors.isEmpty() && errors.first().contains(word),
                 qPrintable(errors.join(QLatin1Char('\n'))));
        QVERIFY(errors.first().contains(QString::fromStdString(m_path)));
    }

    void anEmptyFileStaysEmpty()
    {
        QFile file(QString::fromStdString(m_path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        for (const Result<RunStore>& opened :
             {RunStore::open(m_path), RunStore::openToRead(m_path)}) {
            QVERIFY(!opened);
            QVERIFY(said(opened.error()).contains("is empty"));
        }
        QCOMPARE(file.size(), 0);
    }

    void whoeverMakesTheStoreAtTheSameTimeKeepsItsRun()
    {
        constexpr int creators = 40;
        for (int round = 0; round < 4; ++round) {
            const std::string path = m_path + "-" + std::to_string(round);
            std::vector<pid_t> children;
            for (int i = 0; i < creators; ++i) {
                const pid_t child = fork();
                if (child == 0) {
                    Result<RunStore> store = RunStore::open(path, {.patience = 60'000});
                    const bool kept = store && [&] {
                        Result<RunWriter> writer = store->begin(NewRun{});
                        return writer && writer->finish(RunStatus::Finished, {});
                    }();
                    if (!kept && !store)
                        fprintf(stderr, "%s\n", store.error().message.c_str());
                    _exit(kept ? 0 : 1);
                }
                children.push_back(child);
            }
            for (const pid_t child : children) {
                int status = 0;
                QCOMPARE(waitpid(child, &status, 0), child);
                QCOMPARE(status, 0);
            }
            QCOMPARE(RunStore::openToRead(path)->runs()->size(), std::size_t{creators});
        }
        const QStringList left = QDir(m_folder.path()).entryList({"*.new-*"});
        QVERIFY2(left.isEmpty(), qPrintable(left.join(' ')));
    }

    void aRunThatIsNotKeptWholeIsNotListed()
    {
        const test::FamilyRun run =
            test::runFamily(test::familyOf("1f1b"), test::sized(4, 64), UniformCosts{});
        const RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 40);
        RunStore store = *RunStore::open(m_path, {.mostBytes = 300'000});
        const Result<RunNumber> refused = store.keep(
            test::newRun(run.schedule, run.costs, "import", "1f1b"), batch, TraceFigures{}, {});
        QVERIFY(!refused);
        QVERIFY(said(refused.error()).contains("full"));
        QVERIFY(store.runs()->empty());
        const auto database = *Database::open(m_path, Database::Mode::Read);
        QCOMPARE(*database->number("SELECT count(*) FROM pass"), 0);
    }

    void aDamagedStoreTakesNoRunAndIsRepaired()
    {
        for (int run = 0; run < 5; ++run)
            keepOne();
        QVERIFY(checkStore(m_path)->sound());
        damage();
        const Result<RunStore> opened = RunStore::open(m_path);
        QVERIFY(!opened);
        QVERIFY2(said(opened.error()).contains("--repair"), qPrintable(said(opened.error())));
        const StoreCheck check = *checkStore(m_path);
        QVERIFY(!check.sound());
        const Result<StoreRepair> repaired = repairStore(m_path);
        QVERIFY2(repaired, repaired ? "" : repaired.error().message.c_str());
        QVERIFY(repaired->runs >= 1 && repaired->rows > 0);
        QVERIFY(!repaired->unreadable.empty());
        QVERIFY(QFile::exists(QString::fromStdString(repaired->damaged)));
        const StoreCheck after = *checkStore(m_path);
        QVERIFY2(after.sound(), after.problems.empty() ? "" : after.problems.front().c_str());
        RunStore store = *RunStore::open(m_path);
        QCOMPARE(static_cast<std::int64_t>(store.runs()->size()), repaired->runs);
        QVERIFY(store.begin(NewRun{})->finish(RunStatus::Finished, {}));
        const std::vector<StoredRun> runs = *store.runs();
        for (const StoredRun& run : runs)
            QVERIFY(store.passes({run.number}));
    }

    void aRepairLeavesOutRowsThatNoRunHas()
    {
        keepOne();
        keepOne();
        change(QStringLiteral("UPDATE pass SET duration = -5 WHERE run = 2 AND seq = 0 AND start = "
                              "(SELECT min(start) FROM pass WHERE run = 2)"));
        const StoreCheck check = *checkStore(m_path);
        QVERIFY(!check.sound());
        QVERIFY2(QString::fromStdString(check.problems.front()).startsWith("run 2: "),
                 check.problems.front().c_str());
        const StoreRepair repaired = *repairStore(m_path);
        QCOMPARE(repaired.runs, 2);
        QVERIFY(repaired.refused > 0);
        RunStore store = *RunStore::openToRead(m_path);
        QCOMPARE(store.run(1)->run.status, RunStatus::Finished);
        QCOMPARE(store.run(2)->run.status, RunStatus::Incomplete);
        QVERIFY(!store.logs(2)->empty());
        QVERIFY(checkStore(m_path)->sound());
    }

    void aStoreThatIsUsedIsNotRepaired()
    {
        keepOne();
        RunStore store = *RunStore::open(m_path);
        RunWriter writer = *store.begin(NewRun{});
        const Result<StoreRepair> refused = repairStore(m_path);
        QVERIFY(!refused);
        QVERIFY(writer.finish(RunStatus::Finished, {}));
        QCOMPARE(store.runs()->size(), std::size_t{2});
    }

    void anUncleanEndIsLookedIntoOnce()
    {
        const pid_t child = fork();
        if (child == 0) {
            Result<RunStore> store = RunStore::open(m_path);
            Result<RunWriter> writer = store->begin(NewRun{});
            _exit(writer ? 0 : 1); // no end of the run
        }
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QCOMPARE(status, 0);
        QCOMPARE(RunStore::open(m_path)->runs()->at(0).status, RunStatus::Incomplete);
        const auto database = *Database::open(m_path, Database::Mode::Read);
        QCOMPARE(*database->number("SELECT count(*) FROM run WHERE status = 'incomplete'"), 1);
    }

    void aFloodOfEqualTimesIsKeptInTime_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("passes") << 0;
        QTest::newRow("messages") << 1;
        QTest::newRow("samples") << 2;
    }
    void aFloodOfEqualTimesIsKeptInTime()
    {
        QFETCH(int, kind);
        constexpr int batches = 20, each = 10'000;
        RunBatch batch;
        for (int i = 0; i < each; ++i) {
            if (kind == 0)
                batch.passes.push_back({0, RankId(0), EntryId(0), Pass{}, 5, 6});
            else if (kind == 1)
                batch.messages.push_back({0, 0, RankId(0), RankId(1), Pass{}, 8, 5, 5, 6});
            else
                batch.memory.push_back({0, RankId(0), 5, {}});
        }
        RunStore store = *RunStore::open(m_path);
        RunWriter writer = *store.begin(NewRun{});
        QElapsedTimer clock;
        clock.start();
        for (int i = 0; i < batches; ++i)
            QVERIFY(writer.append(batch));
        // Tried one by one this takes hours.
        QVERIFY2(clock.elapsed() < 60'000, qPrintable(QString::number(clock.elapsed())));
        QVERIFY(writer.finish(RunStatus::Finished, {}));
        const std::size_t kept = kind == 0   ? store.passes({1})->passes.size()
                                 : kind == 1 ? store.messages({1})->size()
                                             : store.memory({1})->size();
        QCOMPARE(kept, std::size_t{batches * each});
    }

    void theLogOfARunHasABudget()
    {
        auto recorder = *RunRecorder::open(m_path, NewRun{});
        const std::string line(100'000, 'x');
        for (int i = 0; i < 1000; ++i)
            recorder->add(RunLog{i, RankId(0), LogLevel::Info, line});
        recorder->finish(RunStatus::Finished, {});
        QVERIFY(recorder->state());
        recorder.reset();
        std::size_t bytes = 0;
        QStringList lines;
        const std::vector<RunLog> logs = *RunStore::openToRead(m_path)->logs(1);
        for (const RunLog& log : logs) {
            bytes += log.text.size();
            QVERIFY(log.text.size() < RunRecorder::longestLine + 100);
            lines << QString::fromStdString(log.text);
        }
        QVERIFY(bytes <= RunRecorder::mostLogBytes + 1000);
        QVERIFY2(lines.first().endsWith("bytes more)"), qPrintable(lines.first().right(60)));
        QCOMPARE(lines[lines.size() - 2], QString("the log is cut here: a run keeps 16 MiB of it"));
        QVERIFY2(lines.last().endsWith("lines of the log are not kept"), qPrintable(lines.last()));
    }

    void aHurriedRecorderDoesNotWaitForTheStore()
    {
        auto recorder = *RunRecorder::open(m_path, NewRun{});
        const auto other = *Database::open(m_path, Database::Mode::Write);
        {
            const Result<Transaction> held = Transaction::begin(*other);
            QVERIFY(held);
            recorder->add(RunLog{0, RankId(0), LogLevel::Info, "a word"});
            QElapsedTimer clock;
            clock.start();
            recorder->hurry(std::chrono::milliseconds(300));
            recorder->finish(RunStatus::Stopped, {});
            QVERIFY2(clock.elapsed() < 1500, qPrintable(QString::number(clock.elapsed())));
        }
        QVERIFY(!recorder->state());
        recorder.reset();
        QCOMPARE(RunStore::open(m_path)->runs()->size(), std::size_t{1});
    }

private:
    static QString said(const Error& error) { return QString::fromStdString(error.message); }

    void keepOne()
    {
        const test::FamilyRun run =
            test::runFamily(test::familyOf("1f1b"), test::sized(4, 8), UniformCosts{});
        RunBatch batch = test::recordedRun(run.schedule, run.costs, 1, 3);
        batch.logs.push_back({0, RankId::none(), LogLevel::Info, "a line"});
        RunStore store = *RunStore::open(m_path);
        RunWriter writer = *store.begin(test::newRun(run.schedule, run.costs, "one", "1f1b"));
        QVERIFY(writer.append(batch));
        QVERIFY(
            writer.finish(RunStatus::Finished, test::figuresOf(run.schedule, run.costs, batch)));
    }

    /// What another program could do to the file.
    void change(const QString& sql)
    {
        const auto database = *Database::open(m_path, Database::Mode::Write);
        const Result<void> done = database->run(sql.toUtf8().constData(), "cannot be changed");
        QVERIFY2(done, done ? "" : done.error().message.c_str());
        QVERIFY(database->run("PRAGMA wal_checkpoint(TRUNCATE)", "cannot be written"));
    }

    /// Overwrites a page that holds passes.
    void damage()
    {
        std::int64_t page = 0;
        qint64 bytes = 0; // of a page
        {
            const auto database = *Database::open(m_path, Database::Mode::Write);
            QVERIFY(database->run("PRAGMA wal_checkpoint(TRUNCATE)", "cannot be written"));
            bytes = *database->number("PRAGMA page_size");
            page = *database->number("SELECT rootpage FROM sqlite_master WHERE name = 'pass'");
        }
        QFile file(QString::fromStdString(m_path));
        QVERIFY(file.open(QIODevice::ReadWrite));
        // Behind the root, which still names its children.
        const qint64 pages = file.size() / bytes;
        QVERIFY(pages > page + 20);
        for (const qint64 at : {pages - 4, pages - 9, pages - 14}) {
            file.seek(at * bytes);
            file.write(QByteArray(bytes, '\x5a'));
        }
    }

    QTemporaryDir m_folder;
    std::string m_path;
    int m_count = 0;
};

PW_TEST(TestHostileStore)
#include "tst_hostile_store.moc"
