// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/test_program.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/spec_panel.h"
#include "ui/panels/stage_table_dialog.h"
#include "ui/presentation.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using namespace pw::ui;

class TestSpecFeature : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        qputenv("PIPEWRIGHT_STORE", m_folder.filePath(QStringLiteral("runs.db")).toUtf8());
        applyGround(*qApp, Ground::Light);
    }

    void withoutAScheduleTheDockIsANote()
    {
        MainWindow window;
        window.resize(1440, 900);
        window.show();
        const auto* note = window.findChild<QLabel*>(QStringLiteral("no-schedule"));
        const auto* spec = window.findChild<SpecPanel*>();
        const auto* inspector = window.findChild<InspectorPanel*>();
        QVERIFY(note->isVisible());
        QVERIFY(!spec->isVisible() && !inspector->isVisible());
        SchedulePage& page = window.openFamily(QStringLiteral("zb-v"));
        QVERIFY(!note->isVisible());
        QVERIFY(spec->isVisible() && inspector->isVisible());
        window.closePage(&page);
        QVERIFY(note->isVisible());
        QVERIFY(!spec->isVisible() && !inspector->isVisible());
    }

    void theDockBecomesATabInANarrowWindowAndGoesBack()
    {
        MainWindow window;
        window.resize(1440, 900);
        window.show();
        auto* dock = window.findChild<QDockWidget*>(QStringLiteral("schedule"));
        auto* palette = window.findChild<QDockWidget*>(QStringLiteral("palette"));
        QCOMPARE(window.dockWidgetArea(dock), Qt::RightDockWidgetArea);
        QVERIFY(dock->width() >= 290);
        window.resize(1000, 700);
        QTRY_VERIFY(window.tabifiedDockWidgets(palette).contains(dock));
        window.resize(1440, 900);
        QTRY_COMPARE(window.dockWidgetArea(dock), Qt::RightDockWidgetArea);
        QVERIFY(dock->isVisible());
        QVERIFY(!window.tabifiedDockWidgets(palette).contains(dock));
        // A closed one stays closed.
        dock->close();
        window.resize(1000, 700);
        window.resize(1440, 900);
        QVERIFY(!dock->isVisible());
    }

    void panelsFollowTheScheduleInFront()
    {
        MainWindow window;
        window.show();
        auto* spec = window.findChild<SpecPanel*>();
        auto* inspector = window.findChild<InspectorPanel*>();
        QVERIFY(!spec->isEnabled());
        QAction* table = window.commands().action(QStringLiteral("schedule.stage-table"));
        QAction* pin = window.commands().action(QStringLiteral("view.pin"));
        QVERIFY(!table->isEnabled());
        SchedulePage& first = window.openFamily(QStringLiteral("1f1b"));
        QVERIFY(spec->isEnabled());
        QVERIFY(table->isEnabled());
        pin->trigger();
        QVERIFY(inspector->pinned());
        window.openFamily(QStringLiteral("zb-v"));
        QTRY_VERIFY(inspector->complete());
        auto* against = inspector->findChild<QLabel*>(QStringLiteral("against"));
        QVERIFY2(against->text().contains(first.title()), qPrintable(against->text()));
        table->trigger();
        QVERIFY(spec->findChild<StageTableDialog*>() != nullptr);
        spec->findChild<StageTableDialog*>()->reject();
        QVERIFY(window.findChild<QLabel*>(QStringLiteral("figures"))
                    ->text()
                    .startsWith(QStringLiteral("makespan 25.5 ms")));
        window.commands().action(QStringLiteral("view.unpin"))->trigger();
        QVERIFY(!inspector->pinned());
    }

    void theSelectedPassIsTold()
    {
        MainWindow window;
        window.show();
        SchedulePage& page = window.openFamily(QStringLiteral("zb-h1"));
        page.timeline().select({1, 3});
        auto* told = window.findChild<QLabel*>(QStringLiteral("selected-pass"));
        QVERIFY(told->text().contains(QStringLiteral("stage 1")));
        page.timeline().select({2, 3}, true);
        QVERIFY(told->text().contains(QStringLiteral("1–2")));
    }
};

PW_WINDOW_TEST(TestSpecFeature)
#include "tst_spec_feature.moc"
