// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/stored_iteration.h"
#include "tests/support/family_runs.h"
#include "tests/support/recorded_run.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <limits>
#include <utility>

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
            for (const RankId rank : Ids<RankId>(2)) // the second one ends it
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

    /// A rank whose order was a hint may have left it: what came is the order.
    void aHintedRunShowsTheOrderThatCame()
    {
        const test::FamilyRun run = aRun();
        RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 1);
        // The first two entries of device 0 in the other order.
        const std::int32_t first = run.schedule.begin(DeviceId(0)), second = first + 1;
        RecordedPass *one = nullptr, *other = nullptr;
        for (RecordedPass& record : batch.passes) {
            one = record.entry == first ? &record : one;
            other = record.entry == second ? &record : other;
        }
        QVERIFY(one != nullptr && other != nullptr);
        QCOMPARE(one->pass.kind, PassKind::F);
        QCOMPARE(other->pass.kind, PassKind::F);
        std::swap(one->start, other->start);
        std::swap(one->end, other->end);
        RunStore store = *RunStore::open(m_path);
        for (const bool hinted : {false, true}) {
            NewRun kept = test::newRun(run.schedule, run.costs, "one", "1f1b");
            if (hinted)
                kept.settings = "{\"hint\": 8}";
            RunWriter writer = *store.begin(kept);
            QVERIFY(writer.append(batch));
            QVERIFY(writer.finish(RunStatus::Finished, {}));
            const Result<StoredIteration> loaded = loadIteration(store, hinted ? 2 : 1);
            QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
            QCOMPARE(loaded->schedule == run.schedule, !hinted);
            QCOMPARE(std::is_sorted(loaded->measured.start.begin(),
                                    loaded->measured.start.begin() + run.schedule.end(DeviceId(0))),
                     hinted);
            QCOMPARE(loaded->schedule.entry(EntryId(first)) == run.schedule.entry(EntryId(second)),
                     hinted);
            QVERIFY(*simulate(loaded->schedule, loaded->costs) == loaded->predicted);
        }
    }

    void copiesToTheHostComeWithIt()
    {
        test::FamilyRun run = aRun();
        for (int j = 0; j < 8; ++j)
            run.costs.offload.cells.push_back({PassKind::F, 0, StageId(1), j, 0});
        run.result = *simulate(run.schedule, run.costs);
        RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 2);
        for (const std::int32_t iteration : {0, 1}) {
            Ticks base = std::numeric_limits<Ticks>::max();
            for (const RecordedPass& pass : batch.passes)
                base = pass.iteration == iteration ? std::min(base, pass.start) : base;
            for (const HostCopy& copy : run.result.copies) {
                batch.copies.push_back({iteration, rankOf(copy.device), copy.cell, false,
                                        copy.bytes, base + copy.outStart, base + copy.outEnd});
                // One of them was cut off.
                if (iteration == 0 || copy.cell.microBatch != 3)
                    batch.copies.push_back({iteration, rankOf(copy.device), copy.cell, true,
                                            copy.bytes, base + copy.backStart,
                                            base + copy.backEnd});
            }
        }
        RunStore store = *RunStore::open(m_path);
        RunWriter writer = *store.begin(test::newRun(run.schedule, run.costs, "away", "1f1b"));
        QVERIFY(writer.append(batch));
        QVERIFY(writer.finish(RunStatus::Finished, {}));
        std::vector<HostCopy> expected = run.result.copies;
        for (HostCopy& copy : expected)
            copy.wait = 0; // nobody has said
        QCOMPARE(expected.size(), std::size_t{8});
        QVERIFY(loadIteration(store, 1, 0)->measured.copies == expected);
        const std::vector<HostCopy> cut = loadIteration(store, 1, 1)->measured.copies;
        QCOMPARE(cut.size(), std::size_t{7});
        QVERIFY(std::none_of(cut.begin(), cut.end(),
                             [](const HostCopy& copy) { return copy.cell.microBatch == 3; }));
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
        QVERIFY(loadIteration(store, 2).error().message.english().starts_with("run 2: "));
        QCOMPARE(loadIteration(store, 3).error().code, ErrorCode::BadValue);
    }

private:
    QTemporaryDir m_folder;
    std::string m_path;
    int m_count = 0;
};

PW_TEST(TestStoredIteration)
#include "tst_stored_iteration.moc"
