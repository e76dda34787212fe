// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "core/store/keep_trace.h"
#include "core/trace/align_clocks.h"
#include "core/trace/rules_file.h"
#include "tests/support/data_files.h"
#include "tests/support/import_hand.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/charts/step_chart.h"
#include "ui/runs/run_history.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/activity_page.h"
#include "ui/window/commands.h"
#include "ui/window/kept_traces.h"
#include "ui/window/main_window.h"
#include "ui/window/run_page.h"
#include "ui/window/studio.h"
#include "ui/workspace/chart_stack.h"

#include <QAction>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace pw;
using namespace pw::ui;
using test::closeQuietly;

namespace {

std::string kernel(const std::string& name, int start, int length, int correlation)
{
    return R"({"ph":"X","cat":"kernel","name":")" + name + R"(","pid":0,"tid":7,"ts":)" +
           std::to_string(start) + ",\"dur\":" + std::to_string(length) +
           R"(,"args":{"device":0,"stream":7,"correlation":)" + std::to_string(correlation) +
           "}},\n";
}

/// One rank that trains four micro-batches, none of which is labelled, and marks of its memory.
Trace unlabelled()
{
    std::string events =
        R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1000,"tid":500,"ts":2,)"
        R"("dur":3,"args":{"correlation":1}},)";
    int now = 10, number = 0;
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 6; ++k, now += 11)
            events += kernel(k % 2 == 0 ? "layer_norm_forward" : "gemm", now, 10, ++number);
        for (int k = 0; k < 6; ++k, now += 21)
            events += kernel(k % 2 == 0 ? "layer_norm_backward" : "gemm", now, 20, ++number);
    }
    for (int i = 0; i < 20; ++i)
        events += R"({"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1000,"tid":500,)"
                  R"("s":"t","ts":)" +
                  std::to_string(5 + i * 40) +
                  R"(,"args":{"Device Type":1,"Device Id":0,"Bytes":512,"Total Allocated":)" +
                  std::to_string((1 + i % 5) * 1'048'576) + "}},\n";
    const Result<Trace> trace = importTraceText(R"({"distributedInfo":{"rank":0},"traceEvents":[)" +
                                                    events + R"({"ph":"i","ts":1}]})",
                                                "rank0.json");
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    return *trace;
}

} // namespace

/// Traces that are kept as runs, and opened again.
class TestKeptTrace : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_kept_trace"); }

    void init()
    {
        QSettings().clear();
        qputenv("PIPEWRIGHT_STORE",
                m_home.filePath(QStringLiteral("%1.sqlite").arg(++m_count)).toLocal8Bit());
    }

    void aProposalIsKeptAsARun()
    {
        MainWindow window;
        window.show();
        ActivityPage* page = openActivity(window, std::make_shared<ShownActivity>(unlabelled()),
                                          QStringLiteral("mine"));
        QTRY_COMPARE(page->proposals().proposal().passes.size(), std::size_t{8});
        page->findChild<QSpinBox*>(QStringLiteral("sure"))->setValue(20);
        auto* keep = page->findChild<QPushButton*>(QStringLiteral("keepRun"));
        QVERIFY(keep->isEnabled());
        keep->click();
        QVERIFY(!keep->isEnabled());
        QTRY_VERIFY2(page->proposals().sentence().startsWith(QStringLiteral("Kept as run 1 in ")),
                     qPrintable(page->proposals().sentence()));
        QVERIFY(keep->isEnabled());
        QTRY_VERIFY(qobject_cast<RunPage*>(window.page()) != nullptr);
        auto& run = *qobject_cast<RunPage*>(window.page());
        QTRY_VERIFY(run.records() != nullptr);
        QCOMPARE(run.title(), QStringLiteral("run 1 · mine"));
        QCOMPARE(run.shown()->passCount(), std::int64_t{8});
        QCOMPARE(run.shown()->countOf(Trust::Guessed), std::int64_t{8});
        QVERIFY(!run.shown()->details.run.family.empty());
        QVERIFY(run.shown()->predicted.makespan > 0);
        // Its memory is what the trace told.
        QCOMPARE(run.records()->counters.size(), std::size_t{1});
        run.charts().setShown(memoryChart, true);
        QTRY_VERIFY(!run.charts().memory().legend().isEmpty());
        QVERIFY2(run.charts().memory().legend().constFirst().contains(QStringLiteral("allocated")),
                 qPrintable(run.charts().memory().legend().join(QLatin1Char(' '))));
        // And everything else is there too.
        QAction* everything = window.commands().action(QStringLiteral("traces.everything"));
        QVERIFY(everything != nullptr);
        window.commands().refresh();
        QVERIFY(everything->isEnabled());
        everything->trigger();
        QTRY_VERIFY(qobject_cast<ActivityPage*>(window.page()) != nullptr);
        const auto& again = *qobject_cast<ActivityPage*>(window.page());
        QCOMPARE(again.given()->trace.counters.size(), std::size_t{1});
        const std::vector<TraceSpan>& spans = again.given()->trace.spans;
        QCOMPARE(std::count_if(spans.begin(), spans.end(),
                               [](const TraceSpan& span) { return span.queued >= 0; }),
                 std::ptrdiff_t{1});
        QVERIFY(closeQuietly(window));
    }

    void whatIsNotSureEnoughIsKeptAsRows()
    {
        MainWindow window;
        window.show();
        ActivityPage* page = openActivity(window, std::make_shared<ShownActivity>(unlabelled()),
                                          QStringLiteral("rows"));
        QTRY_VERIFY(!page->proposals().proposal().empty());
        page->findChild<QSpinBox*>(QStringLiteral("sure"))->setValue(100);
        page->findChild<QPushButton*>(QStringLiteral("keepRun"))->click();
        QTRY_VERIFY2(page->proposals().sentence().contains(
                         QStringLiteral("no proposal reaches this confidence")),
                     qPrintable(page->proposals().sentence()));
        RunHistory& history = window.studio().history;
        QTRY_VERIFY(history.run(1) != nullptr);
        QCOMPARE(history.run(1)->passes, std::int64_t{0});
        // The list of runs opens its rows, since it has no timeline.
        window.studio().openRun(1);
        QTRY_COMPARE(window.pages().size(), std::size_t{2});
        QVERIFY(qobject_cast<ActivityPage*>(window.page()) != nullptr);
        QCOMPARE(window.page()->title(), QStringLiteral("rows"));
        QVERIFY(closeQuietly(window));
    }

    void acceptingTwiceTakesPassesOnce()
    {
        ActivityPage page(std::make_shared<ShownActivity>(unlabelled()), QStringLiteral("one"));
        page.resize(1000, 700);
        page.show();
        QTRY_COMPARE(page.proposals().proposal().passes.size(), std::size_t{8});
        page.findChild<QSpinBox*>(QStringLiteral("sure"))->setValue(20);
        for (int i = 0; i < 2; ++i) {
            page.proposals().say(QString());
            page.findChild<QPushButton*>(QStringLiteral("accept"))->click();
            QTRY_VERIFY2(
                page.proposals().sentence().startsWith(QStringLiteral("8 passes are taken")),
                qPrintable(page.proposals().sentence()));
        }
    }

    void aStoreThatCannotBeWrittenIsTold()
    {
        MainWindow window;
        window.show();
        window.studio().history.setPath(m_home.path());
        ActivityPage* page = openActivity(window, std::make_shared<ShownActivity>(unlabelled()),
                                          QStringLiteral("mine"));
        QTRY_VERIFY(!page->proposals().proposal().empty());
        page->findChild<QPushButton*>(QStringLiteral("keepRun"))->click();
        QTRY_VERIFY2(page->proposals().sentence().startsWith(QStringLiteral("Not kept: ")),
                     qPrintable(page->proposals().sentence()));
        QVERIFY(closeQuietly(window));
    }

    void measuredMemoryStandsBesideThePredictedOne()
    {
        const std::string folder = test::largeTraceFolder() + "/primus-pp8";
        if (!QFile::exists(QString::fromStdString(folder)))
            QSKIP("no folder of larger real traces; PW_DATA names it");
        Result<Trace> trace = importTrace({folder});
        QVERIFY(trace);
        const AlignedPipeline aligned = recoverAligned(*trace);
        const TraceActivity source(*trace);
        MainWindow window;
        window.show();
        RunHistory& history = window.studio().history;
        const Result<RunNumber> kept =
            keepWholeTrace({*trace, source, {}, aligned.pipeline.rankOfDevice}, aligned.pipeline,
                           {}, history.path().toStdString(), "primus");
        QVERIFY(kept);
        history.refresh();
        QTRY_VERIFY(history.run(*kept) != nullptr);
        // The list tells the peak as the page does.
        QTRY_VERIFY(history.run(*kept)->peakMemory > 0);
        QVERIFY(std::abs(static_cast<double>(history.run(*kept)->peakMemory) / (1 << 30) - 104.33) <
                .005);
        window.studio().openRun(*kept);
        auto& run = *qobject_cast<RunPage*>(window.page());
        QTRY_VERIFY(run.records() != nullptr);
        QCOMPARE(run.records()->counters.size(), std::size_t{8});
        run.charts().setShown(memoryChart, true);
        QTRY_VERIFY(!run.charts().memory().legend().isEmpty());
        QVERIFY(run.charts().memory().legend().constFirst().contains(QStringLiteral("reserved")));
        const Costs& costs = run.shown()->costs;
        QVERIFY(std::all_of(costs.weights.begin(), costs.weights.end(),
                            [](Bytes bytes) { return bytes > 0; }));
        QVERIFY(costs.activation.front().activation > Bytes{7} << 30U);
        QVERIFY(closeQuietly(window));
    }

private:
    QTemporaryDir m_home;
    int m_count = 0;
};

PW_WINDOW_TEST(TestKeptTrace)
#include "tst_kept_trace.moc"
