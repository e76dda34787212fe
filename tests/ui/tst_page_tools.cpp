// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/compared.h"
#include "tests/support/patience.h"
#include "tests/support/stored_runs.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/export/export_dialog.h"
#include "ui/runs/runs_panel.h"
#include "ui/timeline/find_bar.h"
#include "ui/timeline/playback.h"
#include "ui/window/commands.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"
#include "ui/workspace/chart_stack.h"

#include <QAction>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

} // namespace

/// What helps to see a timeline has the same keys on every page that has one.
class TestPageTools : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_page_tools"); }

    void init()
    {
        QSettings().clear();
        m_path = m_home.filePath(QStringLiteral("%1.sqlite").arg(++m_count));
        qputenv("PIPEWRIGHT_STORE", m_path.toLocal8Bit());
        test::storeRun(m_path, test::plannedRun("zb-h1"), "ZB-H1", "zb-h1");
    }

    void everyPageHasTheSameKeys_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"schedule", "run", "comparison"})
            QTest::newRow(kind) << QString::fromLatin1(kind);
    }

    void everyPageHasTheSameKeys()
    {
        QFETCH(QString, kind);
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QVERIFY(open(window, kind));
        auto* compared = test::picturesOf(window.page());
        TimelineView& view = compared != nullptr ? compared->timeline(0)
                                                 : *window.page()->findChild<TimelineView*>();
        view.setFocus();

        finds(*window.page(), view);
        if (QTest::currentTestFailed())
            return;
        plays(*window.page(), view);
        if (QTest::currentTestFailed())
            return;
        walks(view);
        if (QTest::currentTestFailed())
            return;

        ViewRange& range = view.range();
        range.show(range.begin(), range.begin() + range.length() / 4);
        QVERIFY(!range.showsAll());
        window.commands().action(QStringLiteral("view.everything"))->trigger();
        QVERIFY(range.showsAll());

        QTest::keyClick(&view, Qt::Key_E, Qt::ControlModifier);
        auto* dialog = window.findChild<ExportDialog*>();
        QVERIFY(dialog != nullptr);
        const QString file = m_home.filePath(kind + QStringLiteral(".svg"));
        QSignalSpy ended(dialog, &ExportDialog::written);
        dialog->writeTo(file);
        QTRY_COMPARE(ended.size(), 1);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArray svg = written.readAll();
        QVERIFY(svg.contains("<svg"));
        QVERIFY(test::closeQuietly(window)); // the dialog has closed itself
    }

    void aRunHasTheSwitchesOfASchedule()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        QVERIFY(open(window, QStringLiteral("run")));
        auto& page = *qobject_cast<RunPage*>(window.page());
        const auto toggle = [&window](const char* id) {
            window.commands().action(QString::fromLatin1(id))->trigger();
        };
        page.timeline().select({1, 4});
        QVERIFY(!page.timeline().overlay().strand.empty());
        toggle("view.strand");
        QVERIFY(page.timeline().overlay().strand.empty());
        QVERIFY(page.timeline().overlay().critical.empty());
        toggle("view.critical-path");
        QVERIFY(!page.timeline().overlay().critical.empty());
        const bool links = page.charts().shown(linkChart);
        toggle("view.chart.links");
        QVERIFY(page.charts().shown(linkChart) != links);
        QVERIFY(test::closeQuietly(window));
    }

    void toolsOfAComparisonGoOnWhenItsFirstRowGoes()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        QVERIFY(open(window, QStringLiteral("comparison")));
        auto& page = *test::picturesOf(window.page());
        const int third = page.add(QStringLiteral("again"));
        page.set(third, page.compared(1));
        auto* playback = page.findChild<Playback*>();
        playback->step(1);
        page.remove(1); // ids count from 1: the row on top
        QCOMPARE(page.rowCount(), 2);
        auto* find = page.findChild<FindBar*>();
        find->open();
        QTest::keyClicks(find->findChild<QLineEdit*>(), QStringLiteral("F0"));
        QCOMPARE(find->hitCount(), std::int64_t{4});
        find->go(1);
        QVERIFY(page.timeline(0).current().valid());
        QVERIFY(page.timeline(1).current().valid()); // it follows
        playback = page.findChild<Playback*>();
        playback->step(1);
        QVERIFY(page.timeline(1).overlay().cursor.has_value());
        QVERIFY(test::closeQuietly(window));
    }

private:
    /// Looks for a pass, goes to it, and puts the bar away.
    static void finds(Page& page, TimelineView& view)
    {
        auto* find = page.findChild<FindBar*>();
        QVERIFY(find != nullptr && !find->isVisible());
        QTest::keyClick(&view, Qt::Key_F, Qt::ControlModifier);
        QVERIFY(find->isVisible());
        auto* typed = find->findChild<QLineEdit*>();
        QTest::keyClicks(typed, QStringLiteral("W3"));
        QCOMPARE(find->hitCount(), std::int64_t{4});
        QTest::keyClick(typed, Qt::Key_Return);
        const Pass pass = view.lanes()->pass(view.current());
        QVERIFY(pass.kind == PassKind::W && pass.microBatch == 3);
        QTest::keyClick(typed, Qt::Key_Escape);
        QVERIFY(!find->isVisible() && view.hasFocus());
    }

    /// Plays, halts, and steps to the next event.
    static void plays(Page& page, TimelineView& view)
    {
        auto* playback = page.findChild<Playback*>();
        QVERIFY(playback != nullptr && !playback->isVisible());
        QTest::keyClick(&view, Qt::Key_Space);
        QVERIFY(playback->isVisible() && playback->playing());
        QTest::keyClick(&view, Qt::Key_Space);
        QVERIFY(!playback->playing());
        const double before = *playback->time();
        QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(*playback->time() > before);
        const auto views = page.findChildren<TimelineView*>();
        for (const TimelineView* one : views)
            QCOMPARE(one->overlay().cursor, playback->time());
        QVERIFY2(playback->sentence().contains(QStringLiteral("micro-batch")),
                 qPrintable(playback->sentence()));
        playback->close();
    }

    /// Along the arrows, and to the others that the walk could have come to.
    static void walks(TimelineView& view)
    {
        SpanRef fork;
        for (std::int64_t i = 0; i < 24 && !fork.valid(); ++i)
            if (view.lanes()->pass({2, i}).kind == PassKind::B)
                fork = {2, i};
        view.select(fork);
        QTest::keyClick(&view, Qt::Key_BracketRight);
        const SpanRef first = view.current();
        QCOMPARE(first.lane, 1);
        QTest::keyClick(&view, Qt::Key_BraceRight, Qt::ShiftModifier);
        QCOMPARE(view.current().lane, 2);
        QTest::keyClick(&view, Qt::Key_BraceRight, Qt::ShiftModifier);
        QCOMPARE(view.current(), first);
    }

    /// Opens a page of a kind and waits until all of it is there.
    static bool open(MainWindow& window, const QString& kind)
    {
        if (kind == QLatin1String("schedule")) {
            window.openFamily(QStringLiteral("zb-h1"));
            return true;
        }
        auto* panel = window.findChild<RunsPanel*>();
        if (!QTest::qWaitFor([&] { return panel->table()->model()->rowCount() == 1; },
                             test::longest))
            return false;
        panel->showRun(1);
        if (kind == QLatin1String("run")) {
            panel->openSelected();
            auto* page = qobject_cast<RunPage*>(window.page());
            return page != nullptr &&
                   QTest::qWaitFor([page] { return page->records() != nullptr; }, test::longest);
        }
        panel->compareSelected();
        auto* page = test::picturesOf(window.page());
        return page != nullptr &&
               QTest::qWaitFor([page] { return page->difference(1) != nullptr; }, test::longest);
    }

    QTemporaryDir m_home;
    QString m_path;
    int m_count = 0;
};

PW_WINDOW_TEST(TestPageTools)
#include "tst_page_tools.moc"
