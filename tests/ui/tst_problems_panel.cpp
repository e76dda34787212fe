// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/schedule_text.h"
#include "tests/support/test_program.h"
#include "ui/panels/problems_panel.h"
#include "ui/presentation.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

using namespace pw;
using namespace pw::ui;

class TestProblemsPanel : public QObject
{
    Q_OBJECT

private:
    static Project projectFrom(const char* orders)
    {
        Result<Draft> draft =
            readScheduleText(std::string("devices: 2\nmicro-batches: 2\n") + orders);
        if (!draft)
            qFatal("%s", draft.error().message.c_str());
        Project project;
        project.draft = *std::move(draft);
        return project;
    }

    static QStringList rows(const ProblemsPanel& panel)
    {
        QStringList all;
        const QAbstractItemModel& model = *panel.list()->model();
        for (int row = 0; row < model.rowCount(); ++row)
            all += model.index(row, 0).data().toString() + QStringLiteral(": ") +
                   model.index(row, 1).data().toString();
        return all;
    }

    static QString shownText(const QWidget& widget)
    {
        QStringList all;
        for (const QLabel* label : widget.findChildren<QLabel*>())
            if (label->isVisible())
                all += label->text();
        return all.join(QLatin1Char('\n'));
    }

private slots:
    void initTestCase()
    {
        applyGround(*qApp, Ground::Light);
        qputenv("PIPEWRIGHT_STORE", m_folder.filePath(QStringLiteral("runs.sqlite")).toUtf8());
    }

    void withoutProblemsItSaysSo()
    {
        ProblemsPanel panel;
        panel.show();
        QVERIFY(shownText(panel).contains(QStringLiteral("No schedule")));
        ScheduleDocument document;
        document.reset(projectFrom("d0: F0 F1 BW0 BW1\nd1: F0 BW0 F1 BW1\n"));
        panel.setDocument(&document);
        QCOMPARE(shownText(panel), QStringLiteral("None. Every pass has its place."));
        QVERIFY(!panel.list()->isVisible());
    }

    void everyKindOfProblemHasItsPlaceAndSentence_data()
    {
        QTest::addColumn<QString>("orders");
        QTest::addColumn<QStringList>("expected");
        QTest::newRow("missing") << QStringLiteral("d0: F0 F1 BW0 BW1\nd1: F0 BW0 F1\n")
                                 << QStringList{QStringLiteral(
                                        "device 1: device 1 misses BW of micro-batch 1")};
        QTest::newRow("out of order")
            << QStringLiteral("d0: F0 F1 BW0 BW1\nd1: F0 BW0 BW1 F1\n")
            << QStringList{
                   QStringLiteral("ring: "),
                   QStringLiteral("device 1, entry 2: micro-batch 1 of stage 1 has BW before F")};
    }
    void everyKindOfProblemHasItsPlaceAndSentence()
    {
        QFETCH(QString, orders);
        QFETCH(QStringList, expected);
        ScheduleDocument document;
        document.reset(projectFrom(qPrintable(orders)));
        ProblemsPanel panel;
        const QAbstractItemModelTester tester(
            panel.list()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        panel.show();
        panel.setDocument(&document);
        const QStringList found = rows(panel);
        QVERIFY(panel.list()->isVisible());
        QCOMPARE(found.size(), expected.size());
        for (int i = 0; i < found.size(); ++i)
            QVERIFY2(found[i].startsWith(expected[i]), qPrintable(found[i]));
    }

    void aClickSelectsThePass()
    {
        ScheduleDocument document;
        document.reset(projectFrom("d0: F0 F1 BW0 BW1\nd1: F0 BW0 F1\n"));
        ProblemsPanel panel;
        panel.resize(700, 300);
        panel.show();
        panel.setDocument(&document);
        QSignalSpy chosen(&panel, &ProblemsPanel::chosen);
        QTreeView* list = panel.list();
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                          list->visualRect(list->model()->index(0, 1)).center());
        QCOMPARE(chosen.count(), 1);
        // Of the missing BW1 its F1 on the device.
        QVERIFY((chosen.last().at(0).value<SpanRef>() == SpanRef{1, 2}));
        // By key, too.
        list->setFocus();
        list->setCurrentIndex(list->model()->index(0, 0));
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(chosen.count(), 2);
    }

    void theWindowListsWhatFreeEditBreaks()
    {
        MainWindow window;
        window.resize(1400, 900);
        window.show();
        SchedulePage& page =
            window.openProject(projectFrom("d0: F0 F1 BW0 BW1\nd1: F0 BW0 F1 BW1\n"));
        auto* notice = page.findChild<QLabel*>(QStringLiteral("notice"));
        QVERIFY(!notice->isVisible());
        QAction* free = window.commands().action(QStringLiteral("schedule.free-edit"));
        QVERIFY(free->isEnabled() && free->isCheckable() && !free->isChecked());
        free->trigger();
        QVERIFY(page.document().freeEdit());
        QVERIFY(notice->isVisible());
        QVERIFY(notice->text().contains(QStringLiteral("Free edit")));
        QVERIFY(
            page.document().edit({{MoveEntries{DeviceId(1), {{1, 0}}}}}, QStringLiteral("Move")));

        auto* panel = window.findChild<ProblemsPanel*>();
        QVERIFY(panel->list()->model()->rowCount() > 0);
        QAction* next = window.commands().action(QStringLiteral("schedule.next-problem"));
        QVERIFY(next->isEnabled());
        next->trigger();
        QVERIFY(panel->isVisible());
        QVERIFY(page.timeline().current().valid());
        QCOMPARE(page.timeline().current().lane, 1);

        // The switch follows the page in front, and the page's own way back.
        window.openFamily(QStringLiteral("gpipe"));
        QVERIFY(!free->isChecked());
        window.showPage(&page);
        QVERIFY(free->isChecked());
        Q_EMIT notice->linkActivated(QStringLiteral("rules"));
        QVERIFY(!page.document().freeEdit());
        QVERIFY(!free->isChecked());
        page.document().undoStack().undo();
        QVERIFY(!notice->isVisible());
        QCOMPARE(panel->list()->model()->rowCount(), 0);
        page.document().undoStack().setClean();
    }

private:
    QTemporaryDir m_folder;
};

PW_WINDOW_TEST(TestProblemsPanel)
#include "tst_problems_panel.moc"
