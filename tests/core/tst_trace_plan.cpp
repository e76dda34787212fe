// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/trace_plan.h"
#include "core/reading/import_trace.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pw;

namespace {

constexpr Ticks hop = 40'000;

Trace traceOf(const Schedule& schedule, const SimResult& result)
{
    const QTemporaryDir folder;
    for (const test::TraceText& file :
         test::chromeTraces(schedule, result, test::TraceForm::Kineto, 2))
        test::writeTrace(folder.filePath(QString::fromStdString(file.name)).toStdString(),
                         file.text);
    Result<Trace> trace = importTrace({folder.path().toStdString()});
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    return std::move(*trace);
}

} // namespace

class TestTracePlan : public QObject
{
    Q_OBJECT

private slots:
    void aPlanRepeatsTheTrace_data()
    {
        QTest::addColumn<QString>("family");
        for (const char* family : {"1f1b", "zb-h1", "interleaved-1f1b", "gpipe"})
            QTest::newRow(family) << QString::fromLatin1(family);
    }

    void aPlanRepeatsTheTrace()
    {
        QFETCH(QString, family);
        const test::FamilyRun run =
            test::runFamily(test::familyOf(family.toStdString()), test::sized(4, 8),
                            test::equalStages(2'000'000, 1'900'000, 1'700'000, hop));
        const Trace trace = traceOf(run.schedule, run.result);
        const RecoveredPipeline pipeline = recover(trace);
        const Result<FittedCosts> fitted = fitTrace(trace, pipeline);
        QVERIFY2(fitted, fitted ? "" : fitted.error().message.c_str());
        const Result<Project> plan = planOf(trace, pipeline, *fitted, "a run");
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        QCOMPARE(QString::fromStdString(plan->title), QStringLiteral("Plan from a run"));
        // The family can be changed, and makes what was recorded.
        QVERIFY(plan->family.has_value());
        QCOMPARE(QString::fromStdString(plan->family->id), family);
        const Result<Schedule> schedule = scheduleOf(*plan);
        QVERIFY(schedule && schedule->orders() == run.schedule.orders());
        const Result<SimResult> times = simulate(*schedule, costsOf(*plan));
        QVERIFY(times.has_value());
        QCOMPARE(times->makespan, fitted->predicted);
        QCOMPARE(times->makespan, run.result.makespan);
        QCOMPARE(fitted->residual(), 0.0);
        QVERIFY(plan->notes.find("(0 %)") != std::string::npos);
        // It is a file as any.
        const Result<std::string> file = writeProject(*plan);
        QVERIFY(file.has_value());
        QVERIFY(*readProject(*file) == *plan);
    }

    void anOrderWithoutANameKeepsItsEntries()
    {
        const test::FamilyRun run = test::runFamily(test::familyOf("1f1b"), test::sized(2, 4),
                                                    test::equalStages(2'000'000, 1'900'000, 1));
        DeviceOrders orders = run.schedule.orders();
        // F0 BW0 F1 BW1 … on the last device: its passes of F and BW by twos.
        std::vector<OrderEntry>& last = orders.back();
        std::swap(last[1], last[2]);
        std::swap(last[5], last[6]);
        const Result<Schedule> schedule = Schedule::make(run.schedule.spec(), orders);
        QVERIFY(schedule.has_value());
        const Result<SimResult> times = simulate(*schedule, run.costs);
        QVERIFY(times.has_value());
        const Trace trace = traceOf(*schedule, *times);
        const RecoveredPipeline pipeline = recover(trace);
        QVERIFY(pipeline.family.matches.empty());
        const Result<FittedCosts> fitted = fitTrace(trace, pipeline);
        QVERIFY(fitted.has_value());
        const Result<Project> plan = planOf(trace, pipeline, *fitted);
        QVERIFY(plan && !plan->family);
        QVERIFY(plan->draft.orders == orders);
        QCOMPARE(QString::fromStdString(plan->title).left(10), QStringLiteral("Plan from "));
    }
};

PW_TEST(TestTracePlan)
#include "tst_trace_plan.moc"
