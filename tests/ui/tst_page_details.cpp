// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "tests/support/compared.h"
#include "tests/support/patience.h"
#include "tests/support/stored_runs.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/panels/details_panel.h"
#include "ui/panels/inspector_panel.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/activity_page.h"
#include "ui/window/comparisons.h"
#include "ui/window/main_window.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"

#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QScrollBar>
#include <QSettings>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

QDockWidget& dock(MainWindow& window, const char* id)
{
    return *window.findChild<QDockWidget*>(QString::fromLatin1(id));
}

} // namespace

/// The panel on the right belongs to the page in front.
class TestPageDetails : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_page_details"); }

    void init()
    {
        QSettings().clear();
        m_path = m_home.filePath(QStringLiteral("%1.sqlite").arg(++m_count));
        qputenv("PIPEWRIGHT_STORE", m_path.toLocal8Bit());
        test::storeRun(m_path, test::plannedRun("1f1b"), "1F1B", "1f1b", 3,
                       [](std::int32_t, const OrderEntry&, Ticks costs) { return 2 * costs; });
    }

    void aRunShowsItsFiguresAndTheClickedPass()
    {
        MainWindow window;
        window.resize(1400, 900);
        window.show();
        RunHistory history(m_path);
        auto* page = new RunPage(history, 1);
        window.addPage(page);
        QVERIFY(QTest::qWaitFor([page] { return page->records() != nullptr; }, test::longest));
        auto* details = window.findChild<DetailsPanel*>();
        QVERIFY(details->isVisible());
        QVERIFY(!window.findChild<QLabel*>(QStringLiteral("no-schedule"))->isVisible());
        QVERIFY(!window.findChild<InspectorPanel*>()->isVisible());
        QCOMPARE(dock(window, "schedule").windowTitle(), QStringLiteral("Run"));
        QString words = details->words();
        QVERIFY2(words.startsWith(QStringLiteral("run 1 · 1F1B")), qPrintable(words));
        const QString makespan =
            durationText(static_cast<double>(page->shown()->measured.makespan));
        QVERIFY2(words.contains(QStringLiteral("Makespan: ") + makespan), qPrintable(words));
        QVERIFY2(words.contains(QStringLiteral("None. Click a pass")), qPrintable(words));
        TimelineView& view = page->timeline();
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                          view.rectangleOf({1, 2}).center().toPoint());
        words = details->words();
        QVERIFY2(words.contains(QStringLiteral("Pass: F 2 · stage 1")), qPrintable(words));
        QVERIFY2(words.contains(QStringLiteral("Took: 2 ms +100.0 %")), qPrintable(words));
        // A schedule has its own panel again.
        window.openFamily(QStringLiteral("zb-v"));
        QVERIFY(!details->isVisible());
        QVERIFY(window.findChild<InspectorPanel*>()->isVisible());
        QCOMPARE(dock(window, "schedule").windowTitle(), QStringLiteral("Schedule"));
        QVERIFY(test::closeQuietly(window));
    }

    void updatesAreToldBesideThePasses()
    {
        FamilyOptions options = test::sized(4, 8);
        options.updates = true;
        test::storeRun(m_path, test::runFamily(test::familyOf("1f1b"), options, UniformCosts{}),
                       "with updates", "1f1b");
        MainWindow window;
        window.resize(1400, 900);
        window.show();
        RunHistory history(m_path);
        auto* page = new RunPage(history, 2);
        window.addPage(page);
        QVERIFY(QTest::qWaitFor([page] { return page->records() != nullptr; }, test::longest));
        // As many as a comparison with the plan has in both.
        const QString words = window.findChild<DetailsPanel*>()->words();
        QVERIFY2(words.contains(QStringLiteral("Passes: 64\nUpdates: 4\n")), qPrintable(words));
        QVERIFY(test::closeQuietly(window));
    }

    void aComparisonShowsBothAndTheClickedPass()
    {
        MainWindow window;
        window.resize(1400, 900);
        window.show();
        auto* page = test::comparingPage();
        const test::FamilyRun whole = test::plannedRun("1f1b");
        const test::FamilyRun split = test::plannedRun("zb-h1");
        for (const auto* run : {&whole, &split}) {
            auto made = std::make_shared<Compared>();
            made->title = run == &whole ? QStringLiteral("whole") : QStringLiteral("split");
            made->schedule = std::make_shared<const Schedule>(run->schedule);
            made->times = run->result;
            made->lanes = lanesOf(made->schedule, made->times);
            page->set(page->add({}), made);
        }
        window.addPage(page);
        QVERIFY(QTest::qWaitFor([page] { return page->pictures().difference(1) != nullptr; },
                                test::longest));
        auto* details = window.findChild<DetailsPanel*>();
        QTRY_VERIFY(details->words().contains(QStringLiteral("Passes in both: 96 of 96")));
        QVERIFY(!details->words().contains(QStringLiteral("Only above")));
        QCOMPARE(dock(window, "schedule").windowTitle(), QStringLiteral("Comparison"));
        // A W below selects the BW above, which does its work.
        page->pictures().reveal({PassKind::W, 0, StageId(2), 3, 0});
        const QString words = details->words();
        QVERIFY2(words.contains(QStringLiteral("whole: BW of micro-batch 3 on stage 2")),
                 qPrintable(words));
        QVERIFY2(words.contains(QStringLiteral("split: W of micro-batch 3 on stage 2")),
                 qPrintable(words));
        QVERIFY(test::closeQuietly(window));
    }

    void whatServesSchedulesStepsBack()
    {
        MainWindow window;
        window.resize(1400, 900);
        window.show();
        SchedulePage& schedule = window.openFamily(QStringLiteral("zb-v"));
        QVERIFY(dock(window, "palette").isVisible());
        RunHistory history(m_path);
        auto* page = new RunPage(history, 1);
        window.addPage(page);
        QVERIFY(dock(window, "palette").isHidden());
        QVERIFY(dock(window, "problems").isHidden());
        window.showPage(&schedule);
        QVERIFY(dock(window, "palette").isVisible());
        QVERIFY(!dock(window, "problems").isHidden());
        // The list of runs stays in front of its neighbours.
        QVERIFY(!dock(window, "runs").visibleRegion().isEmpty());
        // What a person has closed stays closed, and what was brought back stays there.
        dock(window, "problems").hide();
        window.showPage(page);
        dock(window, "palette").show();
        window.showPage(&schedule);
        QVERIFY(dock(window, "palette").isVisible());
        QVERIFY(dock(window, "problems").isHidden());
        // A window that is closed with a run in front opens with its palette.
        window.showPage(page);
        QVERIFY(dock(window, "palette").isHidden());
        QVERIFY(test::closeQuietly(window));
        QVERIFY(!dock(window, "palette").isHidden());
    }

    void emptyNotesStepBackWithASchedule()
    {
        MainWindow window;
        window.resize(1400, 900);
        window.show();
        SchedulePage& schedule = window.openFamily(QStringLiteral("zb-v"));
        QDockWidget& notes = dock(window, "notes");
        notes.show();
        notes.raise();
        QTRY_VERIFY(!notes.visibleRegion().isEmpty());
        RunHistory history(m_path);
        auto* run = new RunPage(history, 1);
        window.addPage(run);
        QVERIFY(notes.isHidden());
        QVERIFY(!dock(window, "runs").isHidden());
        window.showPage(&schedule);
        QTRY_VERIFY(!notes.visibleRegion().isEmpty());
        // They stay away where a page that wanted the room of all gives it back.
        window.resize(1280, 720);
        Result<Trace> trace = importTraceText(R"({"traceEvents": [
            {"ph": "X", "pid": 1, "tid": 1, "name": "a", "cat": "kernel", "ts": 1, "dur": 2}]})",
                                              "rank0.json");
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        window.addPage(new ActivityPage(std::make_shared<ShownActivity>(std::move(*trace)),
                                        QStringLiteral("trace")));
        QVERIFY(notes.isHidden() && dock(window, "runs").isHidden());
        window.showPage(run);
        QVERIFY(notes.isHidden() && dock(window, "problems").isHidden());
        QVERIFY(!dock(window, "runs").isHidden());
        window.showPage(&schedule);
        QVERIFY(!notes.isHidden() && !dock(window, "problems").isHidden());
        QVERIFY(test::closeQuietly(window));
    }

    void lanesHaveTheRoomOfAVeryLowWindow()
    {
        // 1920 × 1080 at 200 %, without the frame.
        MainWindow window;
        window.resize(944, 492);
        window.show();
        SchedulePage& schedule = window.openFamily(QStringLiteral("zb-v"));
        for (const char* id : {"runs", "run", "problems"})
            QVERIFY2(dock(window, id).isHidden(), id);
        // All four devices are there.
        QTRY_VERIFY(!schedule.timeline().verticalScrollBar()->isVisible());
        // Who asks for one has it.
        dock(window, "problems").show();
        RunHistory history(m_path);
        window.addPage(new RunPage(history, 1));
        window.showPage(&schedule);
        QVERIFY(!dock(window, "problems").isHidden());
        // A window of 1280 × 800 has room for both.
        window.resize(1280, 752);
        window.addPage(new RunPage(history, 1));
        QVERIFY(!dock(window, "runs").isHidden());
        QVERIFY(test::closeQuietly(window));
    }

    void aTraceHasTheRoomOfALowWindow()
    {
        MainWindow window;
        window.resize(1280, 720);
        window.show();
        SchedulePage& schedule = window.openFamily(QStringLiteral("zb-v"));
        dock(window, "run").raise();
        QVERIFY(!dock(window, "run").visibleRegion().isEmpty());
        Result<Trace> trace = importTraceText(R"({"traceEvents": [
            {"ph": "X", "pid": 1, "tid": 1, "name": "a", "cat": "kernel", "ts": 1, "dur": 2}]})",
                                              "rank0.json");
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        auto* page = new ActivityPage(std::make_shared<ShownActivity>(std::move(*trace)),
                                      QStringLiteral("trace"));
        window.addPage(page);
        for (const char* id : {"runs", "run"})
            QVERIFY2(dock(window, id).isHidden(), id);
        QTRY_VERIFY(page->view().height() > 200);
        window.showPage(&schedule);
        QVERIFY(!dock(window, "runs").isHidden());
        QTRY_VERIFY(!dock(window, "run").visibleRegion().isEmpty());
        // The runs say nothing of a trace, in a window that has room for both, too.
        window.resize(1400, 1000);
        window.showPage(page);
        QVERIFY(dock(window, "runs").isHidden());
        // A window that is closed with a trace in front opens with its panels.
        window.showPage(&schedule);
        window.resize(1280, 720);
        window.showPage(page);
        QVERIFY(dock(window, "runs").isHidden());
        QVERIFY(test::closeQuietly(window));
        QVERIFY(!dock(window, "runs").isHidden());
    }

private:
    QTemporaryDir m_home;
    int m_count = 0;
    QString m_path;
};

PW_WINDOW_TEST(TestPageDetails)
#include "tst_page_details.moc"
