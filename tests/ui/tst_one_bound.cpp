// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// A schedule has one lower bound, whoever says it.
#include "core/edit/compose.h"
#include "core/optimise/schedule_bound.h"
#include "core/sim/explanation.h"
#include "tests/support/patience.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/document/background.h"
#include "ui/improve/improve_panel.h"
#include "ui/panels/against_rows.h"
#include "ui/panels/findings.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/number_rows.h"
#include "ui/text.h"
#include "ui/window/commands.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

#include <QAction>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

/// The text of a label with what marks it up taken out.
QString plainOf(const QWidget& parent, const char* name)
{
    const auto* label = parent.findChild<QLabel*>(QString::fromLatin1(name));
    QString words = label != nullptr ? label->text() : QString();
    return words.replace(QRegularExpression(QStringLiteral("<[^>]*>")), QStringLiteral(" "))
        .simplified();
}

/// What stands behind "Lower bound", up to its unit.
QString boundIn(const QString& words)
{
    static const QRegularExpression bound(QStringLiteral("Lower bound ([0-9.]+)\\W+(ms|s)\\b"));
    const QRegularExpressionMatch found = bound.match(words);
    return found.hasMatch() ? found.captured(1) + QLatin1Char(' ') + found.captured(2) : QString();
}

} // namespace

class TestOneBound : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_one_bound"); }
    void cleanup() { workers().waitForDone(); }

    void panelImproveAndExplainSayTheSame_data()
    {
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("microBatches");
        QTest::addColumn<double>("hop");
        QTest::newRow("4 x 8, every order looked at") << 4 << 8 << 0.3;
        QTest::newRow("8 x 24") << 8 << 24 << 0.3;
        QTest::newRow("no links: backwards are split") << 4 << 8 << 0.0;
    }

    void panelImproveAndExplainSayTheSame()
    {
        QFETCH(int, devices);
        QFETCH(int, microBatches);
        QFETCH(double, hop);
        MainWindow window;
        window.resize(1600, 1000);
        window.show();
        FamilyOptions options;
        options.devices = devices;
        options.microBatches = microBatches;
        UniformCosts costs;
        costs.hop = ticksFromMs(hop);
        ScheduleDocument& document =
            window.openProject(projectOf("1f1b", options, costs)).document();
        auto* inspector = window.findChild<InspectorPanel*>();
        QTRY_VERIFY(inspector->complete());
        // Before the search the panel says what a search begins with.
        QVERIFY2(!boundIn(plainOf(*inspector, "against")).isEmpty(),
                 qPrintable(plainOf(*inspector, "against")));
        Improver* improver = &window.studio().improver;
        ImprovePanel panel(*improver);
        panel.setDocument(&document);
        panel.findChild<QDoubleSpinBox*>(QStringLiteral("seconds"))->setValue(4);
        QSignalSpy ended(improver, &Improver::ended);
        window.commands().action(QStringLiteral("schedule.improve"))->trigger();
        QVERIFY(QTest::qWaitFor([&] { return !ended.isEmpty(); }, test::longest));
        QTRY_VERIFY(inspector->complete());
        const QString left = boundIn(plainOf(panel, "improve-figures"));
        const QString right = boundIn(plainOf(*inspector, "against"));
        QVERIFY2(!left.isEmpty(), qPrintable(plainOf(panel, "improve-figures")));
        QCOMPARE(right, left);
        const bool met = plainOf(*inspector, "against").contains(QStringLiteral("met"));
        QCOMPARE(met, improver->state().proven);
        // What the explanation says is the same bound.
        const ProvenBound bound = provenBound(*document.schedule(), document.costs(),
                                              document.result(), &searchedBounds());
        QCOMPARE(bound.time, improver->state().bound);
        // The order that was given has the same bound: it may hold as much.
        while (document.undoStack().canUndo())
            document.undoStack().undo();
        QTRY_VERIFY(inspector->complete());
        QCOMPARE(boundIn(plainOf(*inspector, "against")), left);
        QVERIFY(test::closeQuietly(window));
    }

    /// A tab says nothing of what was searched in another one.
    void anotherTabHasNoFiguresOfTheSearch()
    {
        MainWindow window;
        window.resize(1600, 1000);
        window.show();
        UniformCosts costs;
        costs.hop = 300'000;
        SchedulePage& first = window.openProject(projectOf("1f1b", {}, costs));
        Improver* improver = &window.studio().improver;
        ImprovePanel panel(*improver);
        panel.setDocument(&first.document());
        QSignalSpy ended(improver, &Improver::ended);
        window.commands().action(QStringLiteral("schedule.improve"))->trigger();
        QVERIFY(QTest::qWaitFor([&] { return !ended.isEmpty(); }, test::longest));
        auto* figures = panel.findChild<QLabel*>(QStringLiteral("improve-figures"));
        QVERIFY(!figures->isHidden());
        FamilyOptions other;
        other.microBatches = 64;
        panel.setDocument(&window.openProject(projectOf("gpipe", other, costs)).document());
        QVERIFY(figures->isHidden());
        panel.setDocument(&first.document());
        QVERIFY(!figures->isHidden());
        QVERIFY(test::closeQuietly(window));
    }

    /// Devices that wait for each other in a ring end nothing.
    void aDeadlockHasNoMakespan()
    {
        MainWindow window;
        window.resize(1600, 1000);
        window.show();
        SchedulePage& page = window.openFamily(QStringLiteral("1f1b"));
        ScheduleDocument& document = page.document();
        QVERIFY(page.figures().contains(QStringLiteral("makespan 33 ms")));
        document.setFreeEdit(true);
        // The last backward of device 3 before the F that it needs.
        const auto& orders = document.draft().orders;
        const auto count = static_cast<std::int32_t>(orders[3].size());
        Edit edit{{MoveEntries{DeviceId(3), {{count - 1, 0}}}}};
        const auto done = document.edit(document.onOwnOrders(edit), QStringLiteral("Move"));
        QVERIFY2(done, done ? "" : done.error().message.c_str());
        QVERIFY(!document.times().ring.empty());
        const QString figures = page.figures();
        QVERIFY2(figures.contains(QStringLiteral("deadlock: no makespan")), qPrintable(figures));
        QVERIFY2(!figures.contains(QStringLiteral("makespan 2")) &&
                     !figures.contains(QStringLiteral("makespan 3")) &&
                     !figures.contains(QStringLiteral("bubble")),
                 qPrintable(figures));
        QVERIFY(plainOf(*window.findChild<InspectorPanel*>(), "against")
                    .contains(QStringLiteral("Nothing ends")));
        document.undoStack().undo();
        QVERIFY(page.figures().contains(QStringLiteral("makespan 33 ms")));
        QVERIFY(test::closeQuietly(window));
    }

private:
    QTemporaryDir m_home;
};

PW_WINDOW_TEST(TestOneBound)
#include "tst_one_bound.moc"
