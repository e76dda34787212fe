// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sqlite/sqlite.h"
#include "core/store/schema.h"
#include "tests/support/family_runs.h"
#include "tests/support/patience.h"
#include "tests/support/recorded_run.h"
#include "tests/support/test_program.h"
#include "ui/document/schedule_document.h"
#include "ui/runs/run_history.h"
#include "ui/runs/run_timeline.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace pw;
using namespace pw::ui;

namespace {

/// Waits for the next sign of a history.
bool changes(RunHistory& history)
{
    QSignalSpy changed(&history, &RunHistory::changed);
    history.refresh();
    return changed.wait(test::longest);
}

} // namespace

class TestRunHistory : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QVERIFY(m_folder.isValid());
        m_path = m_folder.filePath(QStringLiteral("%1/runs.sqlite").arg(++m_count));
    }

    void beforeTheFirstRunThereIsNothingWrong()
    {
        RunHistory history(m_path);
        QVERIFY(!history.answered());
        QVERIFY(changes(history));
        QVERIFY(history.answered());
        QVERIFY(history.problem().isEmpty());
        QVERIFY(history.runs().empty());
        QVERIFY2(!QFile::exists(m_path), "reading makes no file");
    }

    void runsAreListedNewestFirstAndFollowOtherPrograms()
    {
        store(2);
        RunHistory history(m_path);
        QVERIFY(changes(history));
        QCOMPARE(numbers(history), (std::vector<RunNumber>{2, 1}));
        history.setWatching(true);
        QSignalSpy changed(&history, &RunHistory::changed);
        store(1);
        QTRY_COMPARE_WITH_TIMEOUT(history.runs().size(), std::size_t{3}, test::longest);
        QVERIFY(changed.count() > 0);
        QCOMPARE(history.run(3)->title, std::string("run of a test"));
        QVERIFY(history.run(4) == nullptr);
    }

    void aTitleAndNotesAreKept()
    {
        store(1);
        {
            RunHistory history(m_path);
            QVERIFY(changes(history));
            history.rename(1, QStringLiteral("better"));
            history.annotate(1, QStringLiteral("two\nlines"));
            QCOMPARE(history.run(1)->title, std::string("better")); // at once
        }
        RunStore kept = *RunStore::openToRead(m_path.toStdString());
        QCOMPARE(kept.run(1)->run.title, std::string("better"));
        QCOMPARE(kept.run(1)->run.notes, std::string("two\nlines"));
    }

    void aDeletedRunComesBackOnUndoAndGoesAtTheEnd()
    {
        store(3);
        {
            RunHistory history(m_path);
            QVERIFY(changes(history));
            history.remove({2});
            history.remove({1, 3});
            QVERIFY(history.runs().empty());
            QCOMPARE(history.lastRemoved(), (std::vector<RunNumber>{1, 3}));
            history.undoRemove();
            QCOMPARE(numbers(history), (std::vector<RunNumber>{3, 1}));
            QCOMPARE(history.lastRemoved(), (std::vector<RunNumber>{2}));
            history.undoRemove();
            QCOMPARE(numbers(history), (std::vector<RunNumber>{3, 2, 1}));
            QVERIFY(history.lastRemoved().empty());
            history.undoRemove(); // nothing is left
            history.remove({2});
            QVERIFY(changes(history));
            QCOMPARE(numbers(history), (std::vector<RunNumber>{3, 1}));
            QVERIFY2(RunStore::openToRead(m_path.toStdString())->run(2), "still in the file");
        }
        RunStore kept = *RunStore::openToRead(m_path.toStdString());
        QVERIFY(!kept.run(2));
        QVERIFY(kept.run(1) && kept.run(3));
    }

    void aRunThatGoesOnIsNotDeleted()
    {
        RunStore open = *RunStore::open(path());
        const RunWriter writer = *open.begin(NewRun{});
        RunHistory history(m_path);
        QVERIFY(changes(history));
        QSignalSpy refused(&history, &RunHistory::refused);
        history.remove({1});
        QCOMPARE(refused.count(), 1);
        QCOMPARE(refused.at(0).at(0).toString(),
                 QStringLiteral("Run 1 is still running. Stop it first."));
        QCOMPARE(history.runs().size(), std::size_t{1});
    }

    void aStoreThatCannotBeReadIsTold_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("words");
        QTest::newRow("damaged") << QStringLiteral("damaged") << QStringLiteral("not a database");
        QTest::newRow("newer version") << QStringLiteral("newer") << QStringLiteral("version");
        QTest::newRow("of another program")
            << QStringLiteral("foreign") << QStringLiteral("another program");
        QTest::newRow("a folder") << QStringLiteral("folder") << QString();
    }
    void aStoreThatCannotBeReadIsTold()
    {
        QFETCH(QString, kind);
        QFETCH(QString, words);
        makeBad(kind);
        RunHistory history(m_path);
        QVERIFY(changes(history));
        QVERIFY(history.answered());
        QVERIFY2(history.problem().contains(m_path), qPrintable(history.problem()));
        QVERIFY2(history.problem().contains(words), qPrintable(history.problem()));
        QVERIFY(history.runs().empty());
        // What is asked of it is answered too.
        bool answered = false;
        history.read(this, [&answered](Result<RunStore>& opened) -> RunHistory::Answer {
            const bool could = opened.has_value();
            return [&answered, could] { answered = !could; };
        });
        QTRY_VERIFY_WITH_TIMEOUT(answered, test::longest);
        QSignalSpy refused(&history, &RunHistory::refused);
        history.rename(1, QStringLiteral("x"));
        QVERIFY(refused.count() > 0 || refused.wait(test::longest));
        QVERIFY(refused.at(0).at(0).toString().contains(m_path));
        // Another store is a way out.
        m_path = m_folder.filePath(QStringLiteral("good%1.sqlite").arg(m_count));
        store(1);
        QSignalSpy changed(&history, &RunHistory::changed);
        history.setPath(m_path);
        QTRY_COMPARE_WITH_TIMEOUT(history.runs().size(), std::size_t{1}, test::longest);
        QVERIFY(history.problem().isEmpty());
    }

    void aLockedStoreIsToldAndReadOnceItIsFree()
    {
        store(1);
        RunHistory history(m_path);
        {
            const auto other = *Database::open(path(), Database::Mode::Write);
            QVERIFY(other->run(
                "PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; UPDATE run SET notes = 'x'",
                "cannot be held"));
            QVERIFY(changes(history));
            QVERIFY2(history.problem().contains(QStringLiteral("another program holds the file")),
                     qPrintable(history.problem()));
        }
        history.setWatching(true);
        QTRY_COMPARE_WITH_TIMEOUT(history.runs().size(), std::size_t{1}, test::longest);
        QVERIFY(history.problem().isEmpty());
    }

    void aPlaceThatCannotBeWrittenIsReadAndRefusesChanges()
    {
        store(2);
        const QByteArray file = QFile::encodeName(m_path);
        const QByteArray folder = file.left(file.lastIndexOf('/'));
        // Where the tests run as root nobody else may write either.
        const bool root = ::geteuid() == 0;
        constexpr uid_t nobody = 65534;
        QCOMPARE(::chmod(QFile::encodeName(m_folder.path()).constData(), 0755), 0);
        QCOMPARE(::chmod(folder.constData(), 0555), 0);
        QCOMPARE(::chmod(file.constData(), 0444), 0);
        if (root)
            QCOMPARE(::seteuid(nobody), 0);
        QString problem, why;
        std::size_t listed = 0, after = 0;
        {
            RunHistory history(m_path);
            changes(history);
            listed = history.runs().size();
            problem = history.problem();
            QSignalSpy refused(&history, &RunHistory::refused);
            history.remove({1});
            if (refused.count() > 0 || refused.wait(test::longest))
                why = refused.at(0).at(0).toString();
            after = history.runs().size();
        }
        if (root)
            QCOMPARE(::seteuid(0), 0);
        QCOMPARE(::chmod(folder.constData(), 0755), 0);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        QCOMPARE(listed, std::size_t{2});
        QVERIFY2(why.contains(QStringLiteral("may write")), qPrintable(why));
        QCOMPARE(after, std::size_t{2});
    }

    void aTimelineComesWithItsPlanAndItsRecords()
    {
        store(1);
        RunHistory history(m_path);
        RunTimelinePtr timeline;
        RunRecordsPtr records;
        history.read(this, [&](Result<RunStore>& opened) -> RunHistory::Answer {
            const Result<RunTimelinePtr> loaded = loadTimeline(*opened, 1);
            const Result<RunRecordsPtr> more = loadRecords(*opened, **loaded);
            return [&timeline, &records, one = *loaded, two = *more] {
                timeline = one;
                records = two;
            };
        });
        QTRY_VERIFY_WITH_TIMEOUT(timeline != nullptr, test::longest);
        QCOMPARE(timeline->title(), QStringLiteral("run 1 · run of a test"));
        QCOMPARE(timeline->unrecorded, std::int64_t{0});
        QVERIFY(timeline->measured.end == timeline->predicted.end);
        QCOMPARE(timeline->lanes->spanCount(),
                 static_cast<std::size_t>(timeline->schedule->entryCount()));
        QCOMPARE(records->memory.size(), std::size_t{4});
        QVERIFY(!records->losses.empty());
        for (const EntryId e : timeline->schedule->entries()) {
            const SpanRef span = spanOf(*timeline->lanes, *timeline->schedule, e);
            QVERIFY(timeline->lanes->pass(span) == timeline->schedule->entry(e).pass);
        }
    }

    void aPassWithoutRecordHasNoSpanAndOverlapsAreCut()
    {
        const test::FamilyRun run =
            test::runFamily(test::familyOf("1f1b"), test::sized(4, 8), UniformCosts{});
        const auto schedule = std::make_shared<const Schedule>(run.schedule);
        SimResult times = run.result;
        const auto lost = static_cast<std::size_t>(schedule->begin(DeviceId(1)) + 3);
        times.start[lost] = times.end[lost] = 0;
        const auto early = static_cast<std::size_t>(schedule->begin(DeviceId(2)) + 4);
        times.start[early] = times.start[early - 1] + 10;
        const LanesPtr lanes = measuredLanes(schedule, times);
        QCOMPARE(lanes->spanCount(), static_cast<std::size_t>(schedule->entryCount()) - 1);
        QVERIFY(!spanOf(*lanes, *schedule, EntryId(lost)).valid());
        for (const Lane& lane : lanes->lanes())
            for (std::size_t i = 1; i < lane.size(); ++i)
                QVERIFY(lane.start[i] >= lane.end[i - 1] && lane.end[i] >= lane.start[i]);
        for (const EntryId e : schedule->entries())
            if (e != static_cast<std::int32_t>(lost))
                QVERIFY(lanes->pass(spanOf(*lanes, *schedule, e)) == schedule->entry(e).pass);
    }

private:
    std::string path() const { return m_path.toStdString(); }

    static std::vector<RunNumber> numbers(const RunHistory& history)
    {
        std::vector<RunNumber> all;
        for (const StoredRun& run : history.runs())
            all.push_back(run.number);
        return all;
    }

    /// Adds runs to the store.
    void store(int count)
    {
        const test::FamilyRun run =
            test::runFamily(test::familyOf("1f1b"), test::sized(4, 8), UniformCosts{});
        const RunBatch batch = test::recordedRun(run.schedule, run.costs, 1, 2);
        RunStore store = *RunStore::open(path());
        for (int i = 0; i < count; ++i) {
            RunWriter writer =
                *store.begin(test::newRun(run.schedule, run.costs, "run of a test", "1f1b"));
            QVERIFY(writer.append(batch));
            QVERIFY(writer.finish(RunStatus::Finished,
                                  test::figuresOf(run.schedule, run.costs, batch)));
        }
    }

    void makeBad(const QString& kind)
    {
        if (kind == QStringLiteral("folder")) {
            QVERIFY(QDir().mkpath(m_path));
            return;
        }
        QVERIFY(QDir().mkpath(QFileInfo(m_path).path()));
        if (kind == QStringLiteral("damaged")) {
            QFile file(m_path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QByteArray(5000, 'x'));
        } else if (kind == QStringLiteral("newer")) {
            store(1);
            const auto database = *Database::open(path(), Database::Mode::Write);
            QVERIFY(database->run("PRAGMA user_version = 99", "cannot be set"));
        } else {
            const auto database = *Database::open(path(), Database::Mode::Create);
            QVERIFY(
                database->run("CREATE TABLE t (a); PRAGMA application_id = 7", "cannot be set"));
        }
    }

    QTemporaryDir m_folder;
    QString m_path;
    int m_count = 0;
};

PW_TEST(TestRunHistory)
#include "tst_run_history.moc"
