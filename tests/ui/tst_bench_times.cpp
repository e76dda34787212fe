// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// A block on the bench in milliseconds and bytes.
#include "core/base/text.h"
#include "core/model/longest_pass.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"
#include "ui/bench/bench_panel.h"
#include "ui/bench/own_times_dialog.h"
#include "ui/bench/residue_view.h"
#include "ui/bench/step_card.h"
#include "ui/bench/steps_view.h"
#include "ui/panels/model_dialog.h"
#include "ui/presentation.h"
#include "ui/window/bench_page.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QApplication>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

UniformCosts ownCosts()
{
    UniformCosts costs;
    costs.forward = 2 * ticksPerMs;
    costs.backward = 3 * ticksPerMs;
    costs.weight = 4 * ticksPerMs;
    costs.activation = 64 << 20;
    return costs;
}

QString stateOf(const BenchPanel& panel)
{
    return panel.findChild<QLabel*>(QStringLiteral("times"))->text();
}

/// The bench of a 1F1B schedule in a window.
BenchPage* openBench(MainWindow& window)
{
    window.openFamily(QStringLiteral("1f1b"));
    window.commands().action(QStringLiteral("schedule.bench"))->trigger();
    return qobject_cast<BenchPage*>(window.page());
}

/// An entry of the menu of times, which is filled when it is opened.
QAction* timesOf(BenchPanel& panel, const char* name)
{
    Q_EMIT panel.timesMenu().aboutToShow();
    return panel.timesMenu().findChild<QAction*>(QString::fromLatin1(name));
}

} // namespace

class TestBenchTimes : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void ownTimesAreThoseOfTheFamily()
    {
        BenchModel model;
        QVERIFY(model.startFromFamily(QStringLiteral("1f1b")));
        QVERIFY(model.setMicroBatches(8));
        QVERIFY(model.timed() == nullptr);
        model.setCosts(BenchCosts{ownCosts(), QStringLiteral("own times")});
        QVERIFY(model.timed() != nullptr && *model.timed());
        const TimedBlock& timed = **model.timed();
        QCOMPARE(timed.interval, 9 * ticksPerMs);
        // The block of a family repeated is the family's order.
        const test::FamilyRun run =
            test::runFamily(test::familyOf("1f1b"), test::sized(4, 8), ownCosts());
        QCOMPARE(timed.result.makespan, run.result.makespan);
        for (const DeviceId device : Ids<DeviceId>(4))
            QCOMPARE(timed.result.devices[device.index()].peakActivation,
                     run.result.devices[device.index()].peakActivation);
        QVERIFY(timed.sized);
        QCOMPARE(timed.cells.front().front().bytes, Bytes{64 << 20});
        // Another block is timed anew.
        QVERIFY(model.setMicroBatches(4));
        QVERIFY((*model.timed())->result.makespan < run.result.makespan);
        model.setCosts(std::nullopt);
        QVERIFY(model.timed() == nullptr);
    }

    void thePanelSaysMillisecondsAndBytes()
    {
        BenchPanel panel;
        panel.resize(1200, 800);
        panel.show();
        QVERIFY(panel.model().startFromFamily(QStringLiteral("1f1b")));
        QVERIFY(!stateOf(panel).contains(QStringLiteral(" ms")));
        panel.model().setCosts(BenchCosts{ownCosts(), QStringLiteral("own times")});
        const QString state = stateOf(panel);
        for (const char* part : {"With own times: one block every 9 ms at best", "8 micro-batches",
                                 "device 0 keeps 256 MiB of activations"})
            QVERIFY2(state.contains(QString::fromLatin1(part)), qPrintable(state));
        QCOMPARE(panel.residueView().peakText(DeviceId(0)), QStringLiteral("peak 4 mb, 256 MiB"));
        panel.steps().choose(BenchStage::Reordered);
        for (const BenchStage stage :
             {BenchStage::Repeated, BenchStage::Squeezed, BenchStage::Reordered}) {
            const std::vector<StepCard::Figure>& figures = panel.steps().card(stage).figures();
            QVERIFY2(figures[2].value.endsWith(QStringLiteral(" ms")),
                     qPrintable(figures[2].value));
            QVERIFY2(figures[3].value.endsWith(QStringLiteral(" MiB")),
                     qPrintable(figures[3].value));
        }
        timesOf(panel, "units")->trigger();
        QVERIFY(!stateOf(panel).contains(QStringLiteral(" ms")));
        QCOMPARE(panel.residueView().peakText(DeviceId(0)), QStringLiteral("peak 4 mb"));
    }

    void ownTimesAreTyped()
    {
        BenchPanel panel;
        panel.show();
        QVERIFY(!timesOf(panel, "schedule")->isEnabled());
        timesOf(panel, "own")->trigger();
        auto* dialog = panel.findChild<OwnTimesDialog*>();
        QVERIFY(dialog != nullptr);
        for (const auto* box : dialog->findChildren<QDoubleSpinBox*>())
            if (box->objectName() != QStringLiteral("activation"))
                QCOMPARE(box->maximum(), longestPassMs);
        for (const auto& [name, value] :
             {std::pair{"forward", 2.0}, std::pair{"backward", 3.0}, std::pair{"weight", 4.0},
              std::pair{"hop", 0.5}, std::pair{"activation", 64.0}})
            dialog->findChild<QDoubleSpinBox*>(QString::fromLatin1(name))->setValue(value);
        UniformCosts expected = ownCosts();
        expected.hop = ticksPerMs / 2;
        QCOMPARE(dialog->costs(), expected);
        dialog->accept();
        QVERIFY(panel.model().costs().has_value());
        QVERIFY(std::get<UniformCosts>(panel.model().costs()->from) == expected);
    }

    void stepsStayInSightInALowWindow()
    {
        MainWindow window;
        window.resize(1280, 720);
        window.show();
        BenchPage* const page = openBench(window);
        QVERIFY(page != nullptr);
        BenchPanel& panel = page->panel();
        panel.steps().choose(BenchStage::Reordered);
        QCoreApplication::processEvents();
        const StepCard& card = panel.steps().card(BenchStage::Reordered);
        const int bottom = card.mapTo(page, QPoint(0, card.height())).y();
        QVERIFY2(bottom < page->height(), qPrintable(QString::number(bottom)));
    }

    void aModelAndTheScheduleGiveTimes()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        BenchPage* const page = openBench(window);
        QVERIFY(page != nullptr);
        BenchPanel& panel = page->panel();
        timesOf(panel, "schedule")->trigger();
        QVERIFY2(stateOf(panel).contains(QStringLiteral("With the costs of 1F1B")),
                 qPrintable(stateOf(panel)));
        timesOf(panel, "model")->trigger();
        auto* dialog = page->findChild<ModelDialog*>();
        QVERIFY(dialog != nullptr);
        const QString model = QString::fromStdString(dialog->origin().model.dense.name);
        const auto buttons = dialog->findChildren<QPushButton*>();
        const auto apply = std::find_if(buttons.begin(), buttons.end(), [](QPushButton* button) {
            return button->isDefault() && button->isEnabled();
        });
        QVERIFY(apply != buttons.end());
        (*apply)->click();
        const QString state = stateOf(panel);
        QVERIFY2(state.contains(QStringLiteral("With ") + model) &&
                     state.contains(QStringLiteral("GiB of activations")),
                 qPrintable(state));
        // Another number of devices splits the model anew.
        QVERIFY(panel.model().setDevices(2));
        QVERIFY(panel.model().timed() != nullptr && *panel.model().timed());
    }
};

PW_WINDOW_TEST(TestBenchTimes)
#include "tst_bench_times.moc"
