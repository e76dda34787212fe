// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/job_views.h"
#include "core/trace/align_clocks.h"
#include "tests/support/job_traces.h"
#include "tests/support/read_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace pw;

namespace {

/// A trace with its replicas and the job that points into them.
struct MadeViews
{
    Trace trace;
    std::vector<AlignedPipeline> pipelines;
    Job job;

    explicit MadeViews(const test::MadeJob& made)
    {
        Result<Trace> read = importTraceText(test::megatronText(made), "trace.json");
        if (!read)
            qFatal("%s", read.error().message.c_str());
        trace = std::move(*read);
        pipelines = recoverAllAligned(trace);
        job = jobOf(trace, pipelines);
    }
    MadeViews(const MadeViews&) = delete;
    MadeViews& operator=(const MadeViews&) = delete;

    std::size_t at(int replica, int stage) const
    {
        return static_cast<std::size_t>(replica * job.devices() + stage);
    }
};

test::MadeJob slowWorker()
{
    test::MadeJob made;
    made.replicas = 5;
    made.slowReplica = 3;
    made.slowStage = 1;
    return made;
}

} // namespace

class TestJobViews : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSlowReplicaIsTheOneThatDiffers()
    {
        const MadeViews made(slowWorker());
        const AlikeReplicas found = alikeReplicas(made.job, 2);
        QCOMPARE(found.different, std::vector<std::int32_t>{3});
        QCOMPARE(found.alike, (std::vector<std::int32_t>{0, 1, 2, 4}));
        QVERIFY(found.typical != 3);
        QVERIFY(found.typical >= 0);
        QVERIFY(found.within > 0);
        QVERIFY(found.within < 0.02);
    }

    void replicasOfPureChanceAreAlike()
    {
        test::MadeJob noisy;
        noisy.replicas = 9;
        noisy.spread = 0.1;
        const MadeViews made(noisy);
        const AlikeReplicas found = alikeReplicas(made.job, 1);
        QCOMPARE(found.alike.size(), std::size_t{9});
        QVERIFY(found.different.empty());
    }

    void twoReplicasAreEachTheirOwn()
    {
        test::MadeJob two = slowWorker();
        two.replicas = 2;
        two.slowReplica = 1;
        const MadeViews made(two);
        const AlikeReplicas found = alikeReplicas(made.job, 0);
        QVERIFY(found.alike.empty());
        QCOMPARE(found.typical, -1);
        QCOMPARE(found.different, (std::vector<std::int32_t>{0, 1}));
    }

    void replicasWithoutTheStepComeLast()
    {
        MadeViews made(slowWorker());
        made.job.steps[2].iteration[0] = -1;
        const AlikeReplicas found = alikeReplicas(made.job, 2);
        QCOMPARE(found.different, (std::vector<std::int32_t>{3, 0}));
        QVERIFY(!workerValues(made.job, WorkerMeasure::Idle, 2)[made.at(0, 0)]);
    }

    void workIsAgainstTheMedianOfTheStage_data()
    {
        QTest::addColumn<int>("step");
        QTest::newRow("one step") << 2;
        QTest::newRow("median of the steps") << -1;
    }

    void workIsAgainstTheMedianOfTheStage()
    {
        QFETCH(int, step);
        const MadeViews made(slowWorker());
        const std::vector<std::optional<double>> values = workerValues(
            made.job, WorkerMeasure::Work, step < 0 ? std::nullopt : std::optional<std::size_t>(2));
        QCOMPARE(values.size(), made.job.workers().size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            QVERIFY(values[i]);
            const double expected = i == made.at(3, 1) ? 1.5 : 1;
            QVERIFY2(std::abs(*values[i] - expected) < 0.02,
                     qPrintable(QString::number(*values[i])));
        }
    }

    void aStageOfOneReplicaIsAgainstTheOthers()
    {
        test::MadeJob heavy;
        heavy.replicas = 1;
        heavy.heavyStage = 2;
        const MadeViews made(heavy);
        const std::vector<std::optional<double>> values =
            workerValues(made.job, WorkerMeasure::Work, 1);
        QVERIFY(std::abs(*values[2] - 1.5) < 0.03);
        QVERIFY(std::abs(*values[0] - 1) < 0.03);
    }

    void aHeavyStageHasMoreThanTheMean()
    {
        test::MadeJob heavy;
        heavy.heavyStage = 2;
        const MadeViews made(heavy);
        // 1.5 of a mean of (3 + 1.5) / 4
        for (const std::optional<std::size_t> step :
             {std::optional<std::size_t>(1), std::optional<std::size_t>()}) {
            const std::vector<double> balance = stageBalance(made.job, step);
            QCOMPARE(balance.size(), std::size_t{4});
            QVERIFY(std::abs(balance[2] - 4.0 / 3) < 0.02);
            QVERIFY(std::abs(balance[0] - 8.0 / 9) < 0.02);
        }
    }

    void forwardBackwardAndIdleMakeTheStep()
    {
        const MadeViews made(slowWorker());
        const auto of = [&](WorkerMeasure measure) {
            return *workerValues(made.job, measure, 2)[made.at(3, 1)];
        };
        const StepWindow window = *windowOf(made.job, 2);
        const auto length = static_cast<double>(window.last - window.first);
        const double work = of(WorkerMeasure::Forward) + of(WorkerMeasure::Backward);
        QVERIFY(of(WorkerMeasure::Backward) > 1.8 * of(WorkerMeasure::Forward));
        QVERIFY(std::abs(of(WorkerMeasure::Idle) - (1 - work / length)) < 1e-9);
        QVERIFY(!workerValues(made.job, WorkerMeasure::Memory, 2)[0]);
    }

    void busyWorkersAddUpToTheWork()
    {
        const MadeViews made(slowWorker());
        const StepWindow window = *windowOf(made.job, 2);
        double work = 0;
        for (std::size_t r = 0; r < made.job.replicas.size(); ++r)
            for (const RecordedPass& pass :
                 made.job.replicas[r]
                     ->iterations[static_cast<std::size_t>(made.job.steps[2].iteration[r])]
                     .passes)
                work += static_cast<double>(pass.end - pass.start);
        for (const std::size_t columns : {std::size_t{1}, std::size_t{7}, std::size_t{500}}) {
            const std::vector<BusyByKind> busy = busyWorkers(made.job, 2, window, columns);
            QCOMPARE(busy.size(), columns);
            double sum = 0;
            for (const BusyByKind& column : busy) {
                float all = 0;
                for (const float part : column) {
                    QVERIFY(part >= 0);
                    all += part;
                }
                QVERIFY(all <= static_cast<float>(made.job.workers().size()) * 1.0001F);
                sum += static_cast<double>(all);
            }
            const double width =
                static_cast<double>(window.last - window.first) / static_cast<double>(columns);
            QVERIFY(std::abs(sum * width / work - 1) < 1e-4);
        }
    }
};

PW_TEST(TestJobViews)

#include "tst_job_views.moc"
