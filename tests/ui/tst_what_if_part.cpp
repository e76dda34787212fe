// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// What if: a schedule or a run with another link, family or shape, below what it is.
#include "core/edit/compose.h"
#include "core/store/stored_what_if.h"
#include "tests/support/patience.h"
#include "tests/support/run_settings.h"
#include "tests/support/stored_runs.h"
#include "tests/support/test_program.h"
#include "ui/alternatives/alternatives_page.h"
#include "ui/alternatives/alternatives_table.h"
#include "ui/alternatives/what_if_part.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/document/background.h"
#include "ui/presentation.h"
#include "ui/runs/run_history.h"
#include "ui/runs/runs_panel.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QThreadPool>

#include <algorithm>

using namespace pw;
using namespace pw::ui;

namespace {

Project linkedProject()
{
    UniformCosts costs;
    costs.hop = 500'000;
    return projectOf("1f1b", FamilyOptions{}, costs);
}

bool waitShown(AlternativesPage& page)
{
    return QTest::qWaitFor(
        [&] {
            return !page.whatIf().busy() &&
                   (page.whatIf().prediction() != nullptr || !page.whatIf().refusal().isEmpty());
        },
        test::longest);
}

template<typename Field>
Field& field(AlternativesPage& page, const char* name)
{
    return *page.findChild<Field*>(QString::fromLatin1(name));
}

} // namespace

class TestWhatIfPart : public QObject
{
    Q_OBJECT

private:
    PrivateFolder m_folder;

    static AlternativesPage* ask(MainWindow& window)
    {
        window.commands().action(QStringLiteral("schedule.what-if"))->trigger();
        return qobject_cast<AlternativesPage*>(window.page());
    }

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }
    void cleanup() { workers().waitForDone(); }

    void itNeedsAScheduleOrARun()
    {
        MainWindow window;
        window.show();
        QAction* action = window.commands().action(QStringLiteral("schedule.what-if"));
        QVERIFY(!action->isEnabled());
        SchedulePage& page = window.openProject(linkedProject());
        QVERIFY(action->isEnabled());
        const Result<Proposal> removed =
            removeEntries(page.document().project(), {{DeviceId(1), 2}});
        QVERIFY(removed && page.document().edit(removed->edit, QStringLiteral("Delete")));
        QVERIFY(!action->isEnabled());
        QVERIFY(action->toolTip().contains(QStringLiteral("missing")));
    }

    void bothTimelinesStandBelowEachOther()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        SchedulePage& schedule = window.openProject(linkedProject());
        const Ticks before = schedule.document().result().makespan;
        AlternativesPage* page = ask(window);
        QVERIFY(page != nullptr);
        QVERIFY(waitShown(*page));
        QCOMPARE(page->pictures().rowCount(), 2);
        QCOMPARE(page->pictures().compared(0)->times.makespan, before);
        QCOMPARE(page->whatIf().prediction()->result.makespan, before);

        field<QComboBox>(*page, "link").setCurrentIndex(2);
        field<QDoubleSpinBox>(*page, "link-value").setValue(0);
        QVERIFY(waitShown(*page));
        QCOMPARE(page->whatIf().prediction()->result.makespan, Ticks(33) * ticksPerMs);
        QTRY_COMPARE(page->pictures().compared(1)->times.makespan, Ticks(33) * ticksPerMs);

        field<QSpinBox>(*page, "what-if-micro-batches").setValue(16);
        QVERIFY(waitShown(*page));
        QCOMPARE(page->whatIf().prediction()->result.makespan, Ticks(57) * ticksPerMs);

        field<QComboBox>(*page, "family").setCurrentText(QStringLiteral("zb-h1"));
        QVERIFY(waitShown(*page));
        QCOMPARE(page->whatIf().prediction()->result.makespan, Ticks(51) * ticksPerMs);
        QVERIFY(page->findChild<QLabel*>(QStringLiteral("what-if-sentence"))
                    ->text()
                    .contains(QStringLiteral("zb-h1")));
    }

    void thePredictionOpensAsASchedule()
    {
        MainWindow window;
        window.show();
        window.openProject(linkedProject());
        AlternativesPage* page = ask(window);
        QVERIFY(waitShown(*page));
        field<QComboBox>(*page, "family").setCurrentText(QStringLiteral("v-half"));
        QVERIFY(waitShown(*page));
        const Ticks predicted = page->whatIf().prediction()->result.makespan;
        page->findChild<QPushButton*>(QStringLiteral("open-prediction"))->click();
        SchedulePage* opened = window.schedulePage();
        QVERIFY(opened != nullptr);
        QCOMPARE(opened->document().result().makespan, predicted);
    }

    void whatCannotBeIsRefusedInWords()
    {
        MainWindow window;
        window.show();
        SchedulePage& schedule = window.openProject(linkedProject());
        AlternativesPage* page = ask(window);
        QVERIFY(waitShown(*page));
        field<QSpinBox>(*page, "chunks").setValue(2); // 1F1B has none
        QVERIFY(waitShown(*page));
        QVERIFY(page->whatIf().prediction() == nullptr);
        QVERIFY2(page->whatIf().refusal().contains(QStringLiteral("has no chunks")),
                 qPrintable(page->whatIf().refusal()));
        QVERIFY(!page->findChild<QPushButton*>(QStringLiteral("open-prediction"))->isEnabled());
        field<QSpinBox>(*page, "chunks").setValue(0);
        QVERIFY(waitShown(*page));
        QVERIFY(page->whatIf().refusal().isEmpty());
        window.showPage(&schedule);
    }

    /// A prediction that is kept is a row beside the next one.
    void predictionsThatAreKeptAreRows()
    {
        MainWindow window;
        window.show();
        window.openProject(linkedProject());
        AlternativesPage* page = ask(window);
        QVERIFY(waitShown(*page));
        field<QComboBox>(*page, "family").setCurrentText(QStringLiteral("zb-h1"));
        QVERIFY(waitShown(*page));
        const Ticks first = page->whatIf().prediction()->result.makespan;
        page->findChild<QPushButton*>(QStringLiteral("keep-prediction"))->click();
        field<QComboBox>(*page, "family").setCurrentText(QStringLiteral("gpipe"));
        QVERIFY(waitShown(*page));
        const Ticks second = page->whatIf().prediction()->result.makespan;
        std::vector<Ticks> predicted;
        for (const Alternative& row : page->rows())
            if (row.kind == AlternativeKind::WhatIf)
                predicted.push_back(row.makespan);
        std::vector<Ticks> expected{first, second};
        std::sort(expected.begin(), expected.end());
        QCOMPARE(predicted, expected);
    }

    void aStoredRunIsPredictedAnew()
    {
        const QString path = m_folder.path(QStringLiteral("runs.sqlite"));
        const RunNumber run = test::storeRun(path, test::plannedRun("1f1b"), "first", "1f1b");
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        auto* runs = window.findChild<RunsPanel*>();
        QVERIFY(runs != nullptr);
        Q_EMIT runs->openAsked(run);
        auto* shown = qobject_cast<RunPage*>(window.page());
        QVERIFY(shown != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(shown->shown() != nullptr, test::longest);
        window.commands().refresh();
        AlternativesPage* page = ask(window);
        QVERIFY(page != nullptr);
        QVERIFY(waitShown(*page));
        QVERIFY2(page->whatIf().prediction() != nullptr, qPrintable(page->whatIf().refusal()));
        QCOMPARE(page->pictures().compared(0)->times.makespan, shown->shown()->measured.makespan);
        // Only BW was measured: half of it is W, as is assumed, until something else is said.
        field<QComboBox>(*page, "family").setCurrentText(QStringLiteral("zb-h1"));
        QVERIFY(waitShown(*page));
        QVERIFY2(page->whatIf().prediction() != nullptr, qPrintable(page->whatIf().refusal()));
        QVERIFY(page->whatIf().prediction()->assumed.find("as is assumed") != std::string::npos);
        field<QDoubleSpinBox>(*page, "weight-part").setValue(50);
        QVERIFY(QTest::qWaitFor(
            [&] {
                return page->whatIf().prediction() != nullptr &&
                       page->whatIf().prediction()->assumed.find("as is assumed") ==
                           std::string::npos;
            },
            test::longest));
        Result<RunStore> store = RunStore::open(path.toStdString());
        const Result<WhatIfBase> base = whatIfBase(*store, run);
        WhatIf what;
        what.family = FamilyChoice{"zb-h1", {}};
        what.weightPart = 0.5;
        QCOMPARE(page->whatIf().prediction()->result.makespan,
                 predict(*base, what)->result.makespan);
    }
};

PW_WINDOW_TEST(TestWhatIfPart)
#include "tst_what_if_part.moc"
