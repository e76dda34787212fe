// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Improve: better orders of the open schedule, as steps of its history.
#include "core/edit/compose.h"
#include "tests/support/patience.h"
#include "tests/support/run_settings.h"
#include "tests/support/test_program.h"
#include "ui/alternatives/alternatives_page.h"
#include "ui/document/background.h"
#include "ui/improve/improve_panel.h"
#include "ui/presentation.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QThreadPool>

using namespace pw;
using namespace pw::ui;

namespace {

Project improvable(int devices = 4, int microBatches = 8)
{
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    UniformCosts costs;
    costs.hop = 300'000;
    return projectOf("1f1b", options, costs);
}

/// Stages of many times, so that a search has work for long.
Project uneven()
{
    Project project = improvable(8, 96);
    Costs costs = costsOf(project);
    for (std::size_t stage = 0; stage < costs.forward.size(); ++stage) {
        costs.forward[stage] += static_cast<Ticks>(stage * 37'000);
        costs.backward[stage] += static_cast<Ticks>((stage % 3) * 91'000);
        costs.weight[stage] += static_cast<Ticks>((stage % 5) * 53'000);
    }
    costs.fused.clear();
    project.costs = costs;
    return project;
}

} // namespace

class TestImprove : public QObject
{
    Q_OBJECT

private:
    PrivateFolder m_folder;

    static QAction& command(MainWindow& window, const char* id)
    {
        QAction* found = window.commands().action(QString::fromLatin1(id));
        if (found == nullptr)
            qFatal("there is no command %s", id);
        return *found;
    }
    static void askFor(double seconds)
    {
        ImproveWish wish;
        wish.seconds = seconds;
        keepWish(wish);
    }
    static Improver& improver(MainWindow& window) { return window.studio().improver; }

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }
    void init() { QSettings().clear(); }
    void cleanup() { workers().waitForDone(); }

    /// Order and marks are one step, and what was offloaded before counts.
    void whatGoesToTheHostIsChosen()
    {
        MainWindow window;
        window.show();
        Project project = improvable(4, 12);
        std::get<UniformCosts>(project.costs).hop = 0;
        ScheduleDocument& document = window.openProject(project).document();
        Project capped = document.project();
        Costs costs = costsOf(capped);
        costs.shareCap = 2 * shareOne;
        costs.offload = {};
        capped.costs = costs;
        capped.offload.link.latency = ticksPerMs / 10;
        document.reset(capped, {}, ScheduleDocument::Patience::Full);
        QVERIFY(document.schedule());
        ImprovePanel panel(improver(window));
        panel.findChild<QDoubleSpinBox*>(QStringLiteral("seconds"))->setValue(3);
        panel.findChild<QComboBox*>(QStringLiteral("offload"))->setCurrentIndex(1);
        QSignalSpy ended(&improver(window), &Improver::ended);
        command(window, "schedule.improve").trigger();
        QVERIFY(QTest::qWaitFor([&] { return !ended.isEmpty(); }, test::longest));
        QVERIFY2(!ended.first().at(1).toBool(), qPrintable(ended.first().at(0).toString()));
        const ImproveState& state = improver(window).state();
        QVERIFY(!state.steps.empty());
        QCOMPARE(document.result().makespan, state.best);
        QVERIFY(!document.project().offload.cells.empty());
        QCOMPARE(document.project().offload.link.latency, ticksPerMs / 10);
        for (const DeviceResult& device : document.result().devices)
            QVERIFY(device.peakShare <= 2 * shareOne);
        QCOMPARE(static_cast<std::size_t>(document.undoStack().count()), state.steps.size());
        while (document.undoStack().canUndo())
            document.undoStack().undo();
        QVERIFY(document.project().offload.cells.empty());
    }

    void eachBetterOrderIsAStepThatCanBeUndone()
    {
        MainWindow window;
        window.show();
        ScheduleDocument& document = window.openProject(improvable()).document();
        const Project before = document.project();
        const Ticks makespan = document.result().makespan;
        ImprovePanel panel(improver(window));
        panel.setDocument(&document);
        panel.findChild<QDoubleSpinBox*>(QStringLiteral("seconds"))->setValue(3);
        QSignalSpy ended(&improver(window), &Improver::ended);
        command(window, "schedule.improve").trigger();
        QVERIFY(improver(window).searching());
        QVERIFY(!command(window, "schedule.improve").isEnabled());
        QVERIFY(QTest::qWaitFor([&] { return !ended.isEmpty(); }, test::longest));
        QVERIFY2(!ended.first().at(1).toBool(), qPrintable(ended.first().at(0).toString()));
        const ImproveState& state = improver(window).state();
        QVERIFY(!state.steps.empty());
        QCOMPARE(static_cast<std::size_t>(document.undoStack().count()), state.steps.size());
        QCOMPARE(document.result().makespan, state.best);
        QVERIFY(state.best < makespan);
        QVERIFY(state.bound > 0 && state.bound <= state.best);
        QVERIFY(!state.story.isEmpty());
        QVERIFY(!document.project().family);
        // Not more memory than the order given held.
        for (const DeviceResult& device : document.result().devices)
            QVERIFY(device.peakShare <= 4 * shareOne);
        const auto* steps = panel.findChild<QTableWidget*>();
        QCOMPARE(static_cast<std::size_t>(steps->rowCount()), state.steps.size());
        QVERIFY(panel.findChild<QLabel*>(QStringLiteral("improve-figures"))
                    ->text()
                    .contains(QStringLiteral("Lower bound")));
        // Undo goes back step by step, each longer than the one behind it.
        for (auto step = state.steps.rbegin(); step != state.steps.rend(); ++step) {
            QCOMPARE(document.result().makespan, step->after);
            document.undoStack().undo();
            QCOMPARE(document.result().makespan, step->before);
        }
        QCOMPARE(document.project(), before);
    }

    /// On the page of alternatives each order that is found is a row.
    void whatIsFoundIsARow()
    {
        MainWindow window;
        window.show();
        ScheduleDocument& document = window.openProject(improvable()).document();
        askFor(3);
        window.commands().action(QStringLiteral("schedule.alternatives"))->trigger();
        auto* page = qobject_cast<AlternativesPage*>(window.page());
        QVERIFY(page != nullptr);
        QVERIFY(QTest::qWaitFor([page] { return !page->busy(); }, test::longest));
        page->setTab(AlternativesPage::Tab::Improve);
        QSignalSpy ended(&improver(window), &Improver::ended);
        auto* button = page->findChild<QPushButton*>(QStringLiteral("improve"));
        QVERIFY(button->isEnabled());
        button->click();
        QVERIFY(QTest::qWaitFor([&] { return !ended.isEmpty(); }, test::longest));
        std::vector<Ticks> found;
        for (const Alternative& row : page->rows())
            if (row.kind == AlternativeKind::Found)
                found.push_back(row.makespan);
        std::vector<Ticks> steps;
        for (const ImproveStep& step : improver(window).state().steps)
            steps.push_back(step.after);
        std::sort(steps.begin(), steps.end());
        QCOMPARE(found, steps); // in the order of the table: the shortest first
        QVERIFY(!found.empty());
        QCOMPARE(document.result().makespan, found.front());
    }

    void stoppedItKeepsWhatWasFound()
    {
        MainWindow window;
        window.show();
        ScheduleDocument& document = window.openProject(uneven()).document();
        Improver& search = improver(window);
        ImprovePanel panel(search);
        panel.setDocument(&document);
        panel.findChild<QDoubleSpinBox*>(QStringLiteral("seconds"))->setValue(3600);
        QSignalSpy ended(&search, &Improver::ended);
        command(window, "schedule.improve").trigger();
        QVERIFY(QTest::qWaitFor([&] { return !search.state().steps.empty(); }, test::longest));
        QVERIFY(QTest::qWaitFor([&] { return search.state().bound > 0; }, test::longest));
        QVERIFY(command(window, "schedule.stop-improving").isEnabled());
        auto* button = panel.findChild<QPushButton*>(QStringLiteral("improve"));
        QCOMPARE(button->text(), QStringLiteral("Stop"));
        button->click();
        QVERIFY(search.stopping() || !search.searching());
        QVERIFY(QTest::qWaitFor([&] { return !ended.isEmpty(); }, test::longest));
        QVERIFY(!search.searching());
        QCOMPARE(document.result().makespan, search.state().best);
        QVERIFY(search.state().best < search.state().given);
        QCOMPARE(button->text(), QStringLiteral("Improve"));
    }

    void aChangeMeanwhileEndsItAndStays()
    {
        MainWindow window;
        window.show();
        ScheduleDocument& document = window.openProject(uneven()).document();
        Improver& search = improver(window);
        askFor(3600);
        QSignalSpy ended(&search, &Improver::ended);
        command(window, "schedule.improve").trigger();
        QVERIFY(QTest::qWaitFor([&] { return !search.state().steps.empty(); }, test::longest));
        // A note is not a change of the schedule.
        QVERIFY(document.edit({{SetNotes{"faster"}}}, QStringLiteral("Notes")));
        QVERIFY(search.searching());
        document.undoStack().undo();
        document.undoStack().undo();
        QVERIFY(!search.searching());
        QCOMPARE(ended.count(), 1);
        QVERIFY(ended.first().at(0).toString().contains(QStringLiteral("changed meanwhile")));
        const Project now = document.project();
        workers().waitForDone();
        QCoreApplication::sendPostedEvents();
        QCOMPARE(document.project(), now);
        QVERIFY(command(window, "schedule.improve").isEnabled());
    }

    void aTabMayBeClosedMeanwhile()
    {
        MainWindow window;
        window.show();
        SchedulePage& page = window.openProject(uneven());
        askFor(3600);
        command(window, "schedule.improve").trigger();
        QVERIFY(improver(window).searching());
        page.document().undoStack().setClean();
        QVERIFY(window.closePage(&page));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(!improver(window).searching());
        QVERIFY(!command(window, "schedule.improve").isEnabled());
    }

    void anUnfinishedScheduleIsRefusedWithTheReason()
    {
        MainWindow window;
        window.show();
        QVERIFY(!command(window, "schedule.improve").isEnabled());
        SchedulePage& page = window.openProject(improvable());
        QVERIFY(command(window, "schedule.improve").isEnabled());
        const Result<Proposal> removed =
            removeEntries(page.document().project(), {{DeviceId(1), 2}});
        QVERIFY(removed && page.document().edit(removed->edit, QStringLiteral("Delete")));
        QVERIFY(!command(window, "schedule.improve").isEnabled());
        QVERIFY2(command(window, "schedule.improve").toolTip().contains(QStringLiteral("missing")),
                 qPrintable(command(window, "schedule.improve").toolTip()));
    }

    void aCapThatNoOrderMeetsIsSaid()
    {
        MainWindow window;
        window.show();
        Project project = improvable();
        auto& costs = std::get<UniformCosts>(project.costs);
        costs.activation = 1 << 20;
        costs.memoryCap = 1 << 19;
        ScheduleDocument& document = window.openProject(project).document();
        QSignalSpy ended(&improver(window), &Improver::ended);
        askFor(0.5);
        command(window, "schedule.improve").trigger();
        QVERIFY(QTest::qWaitFor([&] { return !ended.isEmpty(); }, test::longest));
        QVERIFY(ended.first().at(1).toBool());
        QVERIFY2(ended.first().at(0).toString().contains(QStringLiteral("within the memory")),
                 qPrintable(ended.first().at(0).toString()));
        QCOMPARE(document.undoStack().count(), 0);
    }

    void anOrderAboveTheCapIsBroughtBelowIt()
    {
        MainWindow window;
        window.show();
        Project project = improvable();
        auto& costs = std::get<UniformCosts>(project.costs);
        costs.activation = 1 << 20;
        costs.memoryCap = 3 << 20; // 1F1B holds four on its first device
        ScheduleDocument& document = window.openProject(project).document();
        QSignalSpy ended(&improver(window), &Improver::ended);
        askFor(2);
        command(window, "schedule.improve").trigger();
        QVERIFY(QTest::qWaitFor([&] { return !ended.isEmpty(); }, test::longest));
        QVERIFY2(!ended.first().at(1).toBool(), qPrintable(ended.first().at(0).toString()));
        for (const DeviceResult& device : document.result().devices)
            QVERIFY(device.peakActivation <= costs.memoryCap);
    }
};

PW_WINDOW_TEST(TestImprove)
#include "tst_improve.moc"
