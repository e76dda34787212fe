// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/backends/backends.h"
#include "tests/support/test_program.h"
#include "tests/support/trained_runs.h"

#include <QtTest>

#include <algorithm>
#include <map>

using namespace pw;
using namespace pw::exec;

namespace {

/// The most bytes of activations by rank, in a real run.
Result<std::vector<Bytes>> peaksOf(const RunPlan& plan, Backend& backend)
{
    RecordingSink sink;
    if (const Result<RunFigures> ran = backend.run(plan, sink, Stop()); !ran)
        return fail(ran.error());
    std::vector<Bytes> peaks(static_cast<std::size_t>(plan.schedule.devices()));
    for (const MemorySample& sample : sink.record().memory) {
        const Bytes now = sample.bytes[static_cast<std::size_t>(MemoryUse::Activations)] +
                          sample.bytes[static_cast<std::size_t>(MemoryUse::HeldForWeight)];
        Bytes& peak = peaks[static_cast<std::size_t>(sample.rank)];
        peak = std::max(peak, now);
    }
    return peaks;
}

std::vector<Bytes> predictedPeaks(const RunPlan& plan)
{
    std::vector<Bytes> peaks;
    const Result<SimResult> simulated = simulate(plan.schedule, plan.costs);
    for (const auto& device : simulated->devices)
        peaks.push_back(device.peakActivation);
    return peaks;
}

std::string text(const std::vector<Bytes>& peaks)
{
    std::string all;
    for (const Bytes peak : peaks)
        all += (all.empty() ? "" : ", ") + std::to_string(peak);
    return all;
}

} // namespace

/// Every family with its cells recomputed: the same gradients out of less memory, as predicted.
class TestRecomputedRuns : public QObject
{
    Q_OBJECT

private slots:
    void everyFamilyTrainsTheSameInLessMemory_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("devices");
        for (const Family& family : allFamilies()) {
            for (const int devices : {2, 4}) {
                if (!specOf(family, test::trainedOptions(family, devices)))
                    continue; // not of this shape
                QTest::addRow("%s on %d", std::string(family.id).c_str(), devices)
                    << QString::fromStdString(std::string(family.id)) << devices;
            }
        }
    }

    void everyFamilyTrainsTheSameInLessMemory()
    {
        QFETCH(QString, id);
        QFETCH(int, devices);
        const Family& family = test::familyOf(id.toStdString());
        const FamilyOptions options = test::trainedOptions(family, devices);
        const Result<Schedule> plain = test::scheduleOf(family, options);
        QVERIFY2(plain, plain ? "" : plain.error().message.c_str());
        const Result<Schedule> schedule = withRecompute(*plain);
        QVERIFY2(schedule, schedule ? "" : schedule.error().message.c_str());
        const RunPlan before = *test::trainedPlan(*plain, 1);
        const RunPlan after = *test::trainedPlan(*schedule, 1);
        const std::unique_ptr<Backend> backend = *openBackend("cpu", devices);

        const auto found = compareWithReference(*backend, after, test::truthOf(after), Stop());
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        QVERIFY2(found->error() <= test::gradientTolerance, found->gradient.where.c_str());

        const auto whole = peaksOf(before, *backend);
        const auto less = peaksOf(after, *backend);
        QVERIFY(whole && less);
        QCOMPARE(text(*whole), text(predictedPeaks(before)));
        QCOMPARE(text(*less), text(predictedPeaks(after)));
        Bytes most = 0, least = 0;
        for (std::size_t rank = 0; rank < whole->size(); ++rank) {
            QVERIFY((*less)[rank] <= (*whole)[rank]);
            most += (*whole)[rank];
            least += (*less)[rank];
        }
        QVERIFY2(least < most, (text(*less) + " of " + text(*whole)).c_str());
    }

    void someStagesAreRecomputed_data()
    {
        QTest::addColumn<QString>("id");
        for (const char* id :
             {"1f1b", "zb-h1", "zb-v", "interleaved-1f1b", "chimera", "dualpipe", "pipedream-2bw"})
            QTest::newRow(id) << id;
    }

    /// Over processes too.
    void someStagesAreRecomputed()
    {
        QFETCH(QString, id);
        const Family& family = test::familyOf(id.toStdString());
        const Schedule plain = *test::scheduleOf(family, test::trainedOptions(family, 2));
        const StageId stages[] = {StageId(0)};
        const RunPlan plan = *test::trainedPlan(*withRecompute(plain, stages), 1);
        QVERIFY(plan.schedule.recomputed({PassKind::F, 0, StageId(0), 0, 0}));
        QVERIFY(!plan.schedule.recomputed({PassKind::F, 0, StageId(1), 0, 0}));
        const ReferenceRun truth = test::truthOf(plan);
        const std::unique_ptr<Backend> cpu = *openBackend("cpu", 2);
        test::RoomBackend mpi;
        for (Backend* backend : {cpu.get(), static_cast<Backend*>(&mpi)}) {
            const auto found = compareWithReference(*backend, plan, truth, Stop());
            QVERIFY2(found, found ? "" : found.error().message.c_str());
            QVERIFY2(found->error() <= test::gradientTolerance, found->gradient.where.c_str());
            const auto peaks = peaksOf(plan, *backend);
            QVERIFY(peaks);
            QCOMPARE(text(*peaks), text(predictedPeaks(plan)));
        }
    }
};

PW_TEST(TestRecomputedRuns)
#include "tst_recomputed_runs.moc"
