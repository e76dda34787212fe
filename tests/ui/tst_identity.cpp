// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// A schedule stays what it is called by: when it is edited, improved, saved, compared.
#include "core/edit/compose.h"
#include "core/families/family.h"
#include "tests/support/compared.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/document/schedule_document.h"
#include "ui/panels/spec_panel.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"
#include "ui/window/tab_title.h"

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

/// Two neighbours of the last device change places; nothing more is done to the family's order.
Edit swapped(const ScheduleDocument& document)
{
    const auto last = static_cast<int>(document.draft().orders.back().size()) - 1;
    return document.onOwnOrders(
        {{MoveEntries{DeviceId(document.draft().spec.devices - 1), {{last, last}}}}});
}

void edit(ScheduleDocument& document)
{
    QVERIFY(document.edit(swapped(document), QStringLiteral("by hand")));
    QVERIFY(!document.project().family);
}

void improve(ScheduleDocument& document)
{
    QVERIFY(document.improve(swapped(document), QStringLiteral("by a search")));
}

Project oneFOneB()
{
    return projectOf("1f1b", {}, UniformCosts{});
}

} // namespace

class TestIdentity : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "tst_identity"); }

    void theTitleTellsWhereOrdersComeFrom()
    {
        ScheduleDocument document;
        document.reset(oneFOneB());
        QCOMPARE(document.title(), QStringLiteral("1F1B · 4 × 8"));
        QVERIFY(document.identity().before == nullptr);
        edit(document);
        QCOMPARE(document.title(), QStringLiteral("1F1B, edited · 4 × 8"));
        improve(document);
        QCOMPARE(document.title(), QStringLiteral("1F1B, improved · 4 × 8"));
        QCOMPARE(document.identity().before->title, QStringLiteral("1F1B, edited · 4 × 8"));
        improve(document); // a second step of the same search
        QCOMPARE(document.identity().before->title, QStringLiteral("1F1B, edited · 4 × 8"));
        for (const char* before : {"improved", "edited"}) {
            document.undoStack().undo();
            QCOMPARE(document.title(), QStringLiteral("1F1B, %1 · 4 × 8").arg(before));
        }
        document.undoStack().undo();
        QCOMPARE(document.title(), QStringLiteral("1F1B · 4 × 8"));
        QVERIFY(document.identity().before == nullptr);
        for (int i = 0; i < 3; ++i)
            document.undoStack().redo();
        QCOMPARE(document.title(), QStringLiteral("1F1B, improved · 4 × 8"));
    }

    void anotherFamilyIsAnotherSchedule()
    {
        ScheduleDocument document;
        document.reset(oneFOneB());
        edit(document);
        Project next = document.project();
        next.family = FamilyChoice{"gpipe", {}};
        QVERIFY(document.change(next, QStringLiteral("GPipe")));
        QCOMPARE(document.title(), QStringLiteral("GPipe · 4 × 8"));
        QCOMPARE(document.identity().before->title, QStringLiteral("1F1B, edited · 4 × 8"));
        edit(document);
        QCOMPARE(document.title(), QStringLiteral("GPipe, edited · 4 × 8"));
    }

    void otherCostsHaveABeforeToo()
    {
        ScheduleDocument document;
        document.reset(oneFOneB());
        const Ticks given = document.result().makespan;
        for (const int factor : {2, 20, 200}) { // as it is typed
            Project next = document.project();
            std::get<UniformCosts>(next.costs).forward = factor * ticksPerMs;
            QVERIFY(document.change(next, QStringLiteral("F"), 7));
        }
        QCOMPARE(document.identity().before->times.makespan, given);
        QCOMPARE(document.identity().before->schedule->devices(), 4);
        QCOMPARE(document.title(), QStringLiteral("1F1B · 4 × 8"));
    }

    void aSavedScheduleOpensUnderItsName_data()
    {
        QTest::addColumn<bool>("improved");
        QTest::newRow("edited") << false;
        QTest::newRow("improved") << true;
    }
    void aSavedScheduleOpensUnderItsName()
    {
        QFETCH(const bool, improved);
        const QString path = m_home.filePath(QStringLiteral("kept.pipewright.json"));
        ScheduleDocument document;
        document.reset(oneFOneB());
        improved ? improve(document) : edit(document);
        QVERIFY(document.save(path));
        ScheduleDocument again;
        QVERIFY(again.open(path));
        QCOMPARE(again.title(), document.title());
        // It is no title that somebody gave: another family goes by its own.
        Project next = again.project();
        next.family = FamilyChoice{"gpipe", {}};
        QVERIFY(again.change(next, QStringLiteral("GPipe")));
        QCOMPARE(again.title(), QStringLiteral("GPipe · 4 × 8"));
    }

    void aTitleThatSomebodyGaveStays()
    {
        ScheduleDocument document;
        Project project = oneFOneB();
        project.title = "Mine, edited";
        document.reset(project);
        edit(document);
        QCOMPARE(document.title(), QStringLiteral("Mine, edited"));
        QCOMPARE(document.kept().title, std::string("Mine, edited"));
    }

    void ordersThatWereNeverAFamilysAreTheirOwn()
    {
        ScheduleDocument document;
        Project own;
        own.draft = draftOf(*scheduleOf(oneFOneB()));
        own.costs = UniformCosts{};
        document.reset(own);
        QCOMPARE(document.title(), QStringLiteral("Own order · 4 × 8"));
        edit(document);
        QCOMPARE(document.title(), QStringLiteral("Own order · 4 × 8"));
        QVERIFY(document.kept().title.empty());
    }

    void thePanelKeepsItsFields()
    {
        ScheduleDocument document;
        document.reset(oneFOneB());
        SpecPanel panel;
        panel.resize(300, 800);
        panel.setDocument(&document);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const auto places = [&panel] {
            QStringList all;
            const QList<QWidget*> fields = panel.findChildren<QWidget*>();
            for (const QWidget* one : fields)
                if (one->isVisible() && !one->accessibleName().isEmpty())
                    all << QStringLiteral("%1 at %2")
                               .arg(one->accessibleName())
                               .arg(one->mapTo(&panel, QPoint()).y());
            all.sort();
            return all;
        };
        const auto* eager = panel.findChild<QWidget*>(QStringLiteral("eager"));
        QVERIFY(eager != nullptr && eager->isEnabled());
        const QStringList before = places();
        QVERIFY(before.size() > 6);
        edit(document);
        QCoreApplication::processEvents();
        QCOMPARE(places(), before);
        eager = panel.findChild<QWidget*>(QStringLiteral("eager"));
        QVERIFY(eager != nullptr && eager->isVisible() && !eager->isEnabled());
        QVERIFY2(eager->toolTip().contains(QStringLiteral("Reset to the family")),
                 qPrintable(eager->toolTip()));
        document.undoStack().undo();
        QVERIFY(panel.findChild<QWidget*>(QStringLiteral("eager"))->isEnabled());
    }

    void whatWasBeforeIsCompared()
    {
        MainWindow window;
        window.show();
        SchedulePage& page = window.openProject(oneFOneB());
        QAction* compare = window.commands().action(QStringLiteral("view.compare-before"));
        window.commands().refresh();
        QVERIFY(!compare->isEnabled());
        edit(page.document());
        window.commands().refresh();
        QVERIFY(compare->isEnabled());
        compare->trigger();
        const auto* compared = test::picturesOf(window.page());
        QVERIFY(compared != nullptr);
        QVERIFY2(compared->title().contains(QStringLiteral("1F1B · 4 × 8")) &&
                     compared->title().contains(QStringLiteral("1F1B, edited")),
                 qPrintable(compared->title()));
        test::closeQuietly(window);
    }

    void aLongTitleLeavesRoomForOtherTabs()
    {
        MainWindow window;
        window.resize(1280, 720);
        window.show();
        Project project = oneFOneB();
        project.title = std::string(190, 'n') + " end";
        window.openProject(oneFOneB());
        window.openProject(project);
        const auto* tabs = window.findChild<QTabWidget*>();
        QVERIFY(tabs != nullptr);
        const QRect first = tabs->tabBar()->tabRect(0);
        const QRect second = tabs->tabBar()->tabRect(1);
        QVERIFY(first.isValid() && first.left() >= 0);
        QVERIFY2(second.right() < window.width() / 2, qPrintable(QString::number(second.right())));
        QVERIFY(tabs->tabText(1).endsWith(QStringLiteral(" end")));
        QVERIFY(tabs->tabToolTip(1).contains(QString(190, QLatin1Char('n'))));
        QCOMPARE(tabTitle(QStringLiteral("ZB-V · 4 × 8"), window.fontMetrics()),
                 QStringLiteral("ZB-V · 4 × 8"));
        test::closeQuietly(window);
    }

    void aFileIsCalledWithoutTheEndingThatAllHave()
    {
        const QString path = m_home.filePath(QStringLiteral("eight devices.pipewright.json"));
        QVERIFY(saveProject(oneFOneB(), path.toStdString()));
        MainWindow window;
        window.show();
        QVERIFY(window.open(path));
        QTRY_VERIFY(window.page() != nullptr);
        QCOMPARE(window.page()->title(), QStringLiteral("eight devices"));
        test::closeQuietly(window);
    }

private:
    QTemporaryDir m_home;
};

PW_WINDOW_TEST(TestIdentity)
#include "tst_identity.moc"
