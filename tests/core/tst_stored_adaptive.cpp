// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/stored_adaptive.h"
#include "tests/support/family_runs.h"
#include "tests/support/recorded_run.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pw;

namespace {

constexpr Ticks ms = ticksPerMs;

std::string adaptiveSettings(const char* training, int first, Ticks start, int k)
{
    return R"({"family":"kfkb","adaptive":{"training":")" + std::string(training) +
           R"(","first_iteration":)" + std::to_string(first) + R"(,"start_ns":)" +
           std::to_string(start) + R"(,"every":2,"k":)" + std::to_string(k) +
           R"(,"micro_batch":2,"micro_batches":8,"reason":")" +
           (first == 0 ? "" : "iteration " + std::to_string(first) + ": slower") + R"("}})";
}

} // namespace

/// What a store tells of a training whose k follows the network.
class TestStoredAdaptive : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QVERIFY(m_folder.isValid());
        m_path = m_folder.filePath(QString("%1.sqlite").arg(++m_count)).toStdString();
    }

    void itsStretchesMakeOneTraining()
    {
        const Ticks second = stretch(1, adaptiveSettings("7", 0, 0, 1), 1);
        stretch(2, adaptiveSettings("8", 0, 0, 2), 1);      // of another training
        stretch(1, R"({"family":"kfkb","seed":"1"})", 1);   // of none
        stretch(2, adaptiveSettings("7", 3, second, 2), 4); // the network is slow
        Result<RunStore> store = RunStore::openToRead(m_path);
        QVERIFY(store);
        for (const RunNumber run : {1, 4}) {
            const auto found = storedAdaptive(*store, run);
            QVERIFY2(found, found ? "" : found.error().message.c_str());
            QVERIFY(found->has_value());
            const StoredAdaptive& all = **found;
            QCOMPARE(all.every, 2);
            QCOMPARE(all.switches(), 1);
            QCOMPARE(all.stretches.size(), std::size_t{2});
            QCOMPARE(all.stretches[0].run, RunNumber{1});
            QCOMPARE(all.stretches[1].run, RunNumber{4});
            QCOMPARE(all.stretches[1].group, 2);
            QCOMPARE(all.stretches[1].microBatch, 2);
            QCOMPARE(all.stretches[1].reason, std::string("iteration 3: slower"));
            QCOMPARE(all.iterations.size(), std::size_t{6});
            Ticks before = 0;
            for (std::size_t i = 0; i < all.iterations.size(); ++i) {
                const AdaptedPoint& point = all.iterations[i];
                QCOMPARE(point.iteration, static_cast<int>(i));
                QCOMPARE(point.stretch, i / 3);
                QCOMPARE(point.start, before);
                before = point.start + point.time;
                // Messages took what the links that they were made for took.
                QVERIFY2(std::abs(point.slowdown - (i < 3 ? 1 : 4)) < 1e-6,
                         qPrintable(QString::number(point.slowdown)));
            }
            QCOMPARE(all.stretches[0].time, second);
        }
        QVERIFY(!storedAdaptive(*store, 3)->has_value());
        QVERIFY(!storedAdaptive(*store, 9));
    }

    void aDeletedStretchLeavesItsTime()
    {
        const Ticks second = stretch(1, adaptiveSettings("7", 0, 0, 1), 1);
        stretch(2, adaptiveSettings("7", 3, second, 2), 4);
        Result<RunStore> store = RunStore::open(m_path);
        QVERIFY(store->remove(1));
        const auto found = storedAdaptive(*store, 2);
        QVERIFY(found && *found);
        QCOMPARE((*found)->iterations.front().start, second);
        QCOMPARE((*found)->iterations.front().iteration, 3);
    }

    void settingsThatNoStretchHasAreRefused_data()
    {
        QTest::addColumn<QByteArray>("settings");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("a number") << QByteArray(R"({"adaptive":3})") << QByteArray("not an object");
        QByteArray wrong = QByteArray::fromStdString(adaptiveSettings("7", 0, 0, 1));
        QTest::newRow("k of 0") << QByteArray(wrong).replace("\"k\":1", "\"k\":0")
                                << QByteArray("adaptive.k");
        QTest::newRow("before it began")
            << QByteArray(wrong).replace("\"start_ns\":0", "\"start_ns\":-5")
            << QByteArray("adaptive.start_ns");
        QTest::newRow("nameless") << QByteArray(wrong).replace("\"7\"", "7")
                                  << QByteArray("adaptive.training");
    }
    void settingsThatNoStretchHasAreRefused()
    {
        QFETCH(QByteArray, settings);
        QFETCH(QByteArray, why);
        stretch(1, settings.toStdString(), 1);
        Result<RunStore> store = RunStore::openToRead(m_path);
        const auto found = storedAdaptive(*store, 1);
        QVERIFY(!found);
        QVERIFY2(found.error().message.english().find(why.toStdString()) != std::string::npos,
                 found.error().message.c_str());
    }

private:
    /// Keeps three iterations, over links that are slower by a factor than their costs say.
    /// @return what they took
    Ticks stretch(int k, const std::string& settings, int slower)
    {
        UniformCosts uniform;
        uniform.hop = ms / 2;
        const FamilyOptions options = test::sized(4, 8, "group", k);
        const Schedule schedule = *buildUniform(test::familyOf("kfkb"), options, uniform);
        const Costs costs = expand(uniform, schedule.spec());
        uniform.hop *= slower;
        const Costs slow = expand(uniform, schedule.spec());
        const RunBatch batch = test::recordedRun(schedule, slow, 0, 3);
        Result<RunStore> store = RunStore::open(m_path);
        NewRun run = test::newRun(schedule, costs, "a stretch", "kfkb");
        run.settings = settings;
        RunWriter writer = *store->begin(run);
        if (!writer.append(batch) || !writer.finish(RunStatus::Finished, {}))
            qFatal("a stretch was not kept");
        return 3 * simulate(schedule, slow)->makespan;
    }

    QTemporaryDir m_folder;
    std::string m_path;
    int m_count = 0;
};

PW_TEST(TestStoredAdaptive)
#include "tst_stored_adaptive.moc"
