// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/stored_iteration.h"
#include "tests/support/family_runs.h"
#include "tests/support/recorded_run.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pw;

namespace {

test::FamilyRun aRun()
{
    UniformCosts costs;
    costs.activation = 1 << 20;
    return test::runFamily(test::familyOf("1f1b"), test::sized(4, 8), costs);
}

} // namespace

class TestStoredIteration : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QVERIFY(m_folder.isValid());
        m_path = m_folder.filePath(QString("%1.sqlite").arg(++m_count)).toStdString();
    }

    void theMedianOfTheCountedIterationsIsShown_data()
    {
        QTest::addColumn<QList<int>>("lengths"); // by iteration, from −2 on
        QTest::addColumn<int>("median");
        QTest::newRow("three") << QList<int>{9, 1, 5, 4, 6} << 0;
        QTest::newRow("two") << QList<int>{9, 1, 5, 4} << 0;
        QTest::newRow("warm-up alone") << QList<int>{2, 1} << -2;
    }
    void theMedianOfTheCountedIterationsIsShown()
    {
        QFETCH(QList<int>, lengths);
        QFETCH(int, median);
        std::vector<IterationSpan> spans;
        for (int i = 0; i < lengths.size(); ++i)
            for (int rank = 0; rank < 2; ++rank) // the second one ends it
                spans.push_back(
                    {i - 2, rank, 100 * i + rank, 100 * i + lengths[i] * (1 + rank), 3});
        const std::vector<WholeIteration> whole = wholeIterations(spans);
        QCOMPARE(whole.size(), static_cast<std::size_t>(lengths.size()));
        QCOMPARE(whole.front().passes, std::int64_t{6});
        QCOMPARE(whole.front().makespan(), Ticks{2 * lengths[0]});
        QCOMPARE(medianIteration(whole).value(), median);
        QVERIFY(!medianIteration({}));
    }

    void anIterationComesWithItsPlan()
    {
        const test::FamilyRun run = aRun();
        RunStore store = *RunStore::open(m_path);
        const RunBatch batch = test::recordedRun(run.schedule, run.costs, 1, 3);
        {
            RunWriter writer = *store.begin(test::newRun(run.schedule, run.costs, "one", "1f1b"));
            QVERIFY(writer.append(batch));
            QVERIFY(writer.finish(RunStatus::Finished, {}));
        }
        const Result<StoredIteration> loaded = loadIteration(store, 1, 2);
        QVERIFY(loaded);
        QCOMPARE(loaded->iteration, 2);
        QCOMPARE(loaded->iterations.size(), std::size_t{4});
        QVERIFY(loaded->schedule == run.schedule);
        QCOMPARE(loaded->base, loaded->passes.front().start);
        QVERIFY(loaded->predicted == run.result);
        QVERIFY(loaded->measured == run.result);
        QVERIFY(!loaded->memory.empty());
        const Result<StoredIteration> bare = loadIteration(store, 1, {}, false);
        QVERIFY(bare && bare->memory.empty());
        QVERIFY(bare->measured.end == run.result.end);
    }

    void whatIsNotThereIsSaid()
    {
        const test::FamilyRun run = aRun();
        RunStore store = *RunStore::open(m_path);
        {
            RunWriter writer = *store.begin(test::newRun(run.schedule, run.costs, "none", "1f1b"));
            QVERIFY(writer.finish(RunStatus::Failed, {}));
            NewRun other = test::newRun(run.schedule, run.costs, "odd", "1f1b");
            other.project = "{ \"pipewright\": 99 }";
            RunWriter second = *store.begin(other);
            QVERIFY(second.finish(RunStatus::Failed, {}));
        }
        QCOMPARE(loadIteration(store, 1).error().message, std::string("run 1 has no pass"));
        QCOMPARE(loadIteration(store, 1, 7).error().message,
                 std::string("run 1 has no iteration 7"));
        QVERIFY(loadIteration(store, 2).error().message.starts_with("run 2: "));
        QCOMPARE(loadIteration(store, 3).error().code, ErrorCode::BadValue);
    }

private:
    QTemporaryDir m_folder;
    std::string m_path;
    int m_count = 0;
};

PW_TEST(TestStoredIteration)
#include "tst_stored_iteration.moc"
