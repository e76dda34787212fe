// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/compared.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/panels/palette_panel.h"
#include "ui/panels/spec_panel.h"
#include "ui/presentation.h"
#include "ui/timeline/find_bar.h"
#include "ui/timeline/playback.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using namespace pw;
using namespace pw::ui;

class TestMainWindow : public QObject
{
    Q_OBJECT

private:
    /// Answers the next dialog, whatever asks.
    static void answer(QMessageBox::StandardButton button)
    {
        QTimer::singleShot(0, qApp, [button] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box != nullptr);
            box->button(button)->click();
        });
    }

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void noFieldTakesTheKeyOfAMenu_data()
    {
        QTest::addColumn<QString>("page");
        for (const char* page : {"", "schedule.bench", "schedule.alternatives", "schedule.plan",
                                 "schedule.what-if", "schedule.adaptive", "view.compare"})
            QTest::newRow(*page == 0 ? "schedule" : page) << QString::fromLatin1(page);
    }
    void noFieldTakesTheKeyOfAMenu()
    {
        QFETCH(const QString, page);
        MainWindow window;
        window.resize(1400, 900);
        window.show();
        const SchedulePage& schedule = window.openFamily(QStringLiteral("zb-v"));
        if (page == QLatin1String("view.compare"))
            window.addPage(test::comparingPage());
        else if (!page.isEmpty())
            window.commands().action(page)->trigger();
        QCOMPARE(window.page() == &schedule, page.isEmpty());
        QHash<QKeySequence, QString> menus;
        const QList<QAction*> titles = window.menuBar()->actions();
        for (const QAction* menu : titles)
            if (const QKeySequence key = QKeySequence::mnemonic(menu->text()); !key.isEmpty())
                menus.insert(key, menu->text());
        QVERIFY(menus.size() >= 6);
        int fields = 0;
        const auto check = [&](const QString& text) {
            const QKeySequence key = QKeySequence::mnemonic(text);
            fields += key.isEmpty() ? 0 : 1;
            QVERIFY2(!menus.contains(key),
                     qPrintable(QStringLiteral("“%1” takes the key of the menu “%2”")
                                    .arg(text, menus.value(key))));
        };
        const QList<QLabel*> labels = window.findChildren<QLabel*>();
        for (const QLabel* label : labels)
            if (label->buddy() != nullptr)
                check(label->text());
        const QList<QAbstractButton*> buttons = window.findChildren<QAbstractButton*>();
        for (const QAbstractButton* button : buttons)
            check(button->text());
        QVERIFY(fields > 5);
    }

    /// What is open at one look is not more than a person reads; the rest stands in menus within.
    void menusHaveFewEntries()
    {
        MainWindow window;
        window.show();
        window.openFamily(QStringLiteral("zb-v"));
        int all = 0;
        QStringList counts;
        const QList<QAction*> titles = window.menuBar()->actions();
        for (const QAction* title : titles) {
            int entries = 0;
            const QList<QAction*> actions = title->menu()->actions();
            for (const QAction* action : actions)
                entries += action->isSeparator() ? 0 : 1;
            all += entries;
            counts << QStringLiteral("%1 %2").arg(title->text()).arg(entries);
        }
        QVERIFY2(all <= 60, qPrintable(QStringLiteral("%1: %2").arg(all).arg(
                                counts.join(QStringLiteral(", ")))));
    }

    void noTwoEntriesOfAMenuHaveOneLetter()
    {
        MainWindow window;
        window.show();
        window.openFamily(QStringLiteral("zb-v"));
        QStringList clashes;
        int letters = 0;
        const std::function<void(const QMenu&)> look = [&](const QMenu& menu) {
            QHash<QKeySequence, QString> taken;
            const QList<QAction*> entries = menu.actions();
            for (const QAction* entry : entries) {
                if (const QKeySequence key = QKeySequence::mnemonic(entry->text());
                    !key.isEmpty() && entry->isVisible()) {
                    ++letters;
                    if (taken.contains(key))
                        clashes << QStringLiteral("%1: “%2” and “%3”")
                                       .arg(menu.title(), taken.value(key), entry->text());
                    taken.insert(key, entry->text());
                }
                if (entry->menu() != nullptr)
                    look(*entry->menu());
            }
        };
        const QList<QAction*> titles = window.menuBar()->actions();
        for (const QAction* title : titles)
            look(*title->menu());
        QVERIFY(letters > 50);
        QVERIFY2(clashes.isEmpty(), qPrintable(clashes.join(QLatin1Char('\n'))));
    }

    void aFamilyFromThePaletteFillsATab()
    {
        MainWindow window;
        window.show();
        QVERIFY(window.page() == nullptr);
        auto* search = window.findChild<PalettePanel*>()->findChild<QLineEdit*>();
        search->setText(QStringLiteral("zb-v"));
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(window.page() != nullptr);
        QCOMPARE(window.schedulePage()->document().title(), QStringLiteral("ZB-V · 4 × 8"));
        // Another family takes the shape over, and the change can be undone.
        search->setText(QStringLiteral("zb-h1"));
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(window.findChild<QTabWidget*>()->count(), 1);
        QCOMPARE(window.schedulePage()->document().title(), QStringLiteral("ZB-H1 · 4 × 8"));
        window.schedulePage()->document().undoStack().undo();
        QCOMPARE(window.schedulePage()->document().title(), QStringLiteral("ZB-V · 4 × 8"));
    }

    void aTimelineIsPlayedAndSearchedByKey()
    {
        MainWindow window;
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        TimelineView& view = window.openFamily(QStringLiteral("zb-v")).timeline();
        view.setFocus();
        auto* playback = window.page()->findChild<Playback*>();
        QVERIFY(playback != nullptr && !playback->isVisible());
        QTest::keyClick(&view, Qt::Key_Space);
        QVERIFY(playback->playing() && playback->isVisible());
        QTest::keyClick(&view, Qt::Key_Space);
        QVERIFY(!playback->playing());
        const double before = *playback->time();
        QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(*playback->time() > before);
        QVERIFY2(playback->sentence().contains(QStringLiteral("of micro-batch")),
                 qPrintable(playback->sentence()));
        auto* find = window.page()->findChild<FindBar*>();
        QTest::keyClick(&view, Qt::Key_Slash);
        QVERIFY(find->isVisible());
        QTest::keyClicks(find->findChild<QLineEdit*>(), QStringLiteral("mb 3"));
        QCOMPARE(find->hitCount(), std::int64_t{24});
        // In the field a space is a space.
        QVERIFY(!playback->playing());
    }

    void aWalkAlongArrowsHasSiblings()
    {
        MainWindow window;
        window.show();
        TimelineView& view = window.openFamily(QStringLiteral("zb-v")).timeline();
        // The F of the last stage is followed by its B; a B by the B before and by its W.
        SpanRef start;
        for (std::int64_t i = 0; i < 48 && !start.valid(); ++i)
            if (const Pass pass = view.lanes()->pass({1, i});
                pass.kind == PassKind::B && pass.stage == 6)
                start = {1, i};
        view.select(start);
        QVERIFY(view.overlay().strand.size() == 24);
        QTest::keyClick(&view, Qt::Key_BracketRight);
        const SpanRef first = view.current();
        QVERIFY(first.lane != 1);
        QTest::keyClick(&view, Qt::Key_BraceRight, Qt::ShiftModifier);
        const SpanRef second = view.current();
        QVERIFY(second != first && second.lane == 1);
        QCOMPARE(view.lanes()->pass(second).kind, PassKind::W);
        QTest::keyClick(&view, Qt::Key_BraceRight, Qt::ShiftModifier);
        QVERIFY(view.current() == first);
    }

    void aFieldOfTheShapeChangesTheOpenSchedule()
    {
        MainWindow window;
        window.show();
        window.openFamily(QStringLiteral("1f1b"));
        window.findChild<SpecPanel*>()->findChildren<QSpinBox*>().at(0)->setValue(6);
        QCOMPARE(window.schedulePage()->document().schedule()->devices(), 6);
        QCOMPARE(window.schedulePage()->timeline().lanes()->lanes().size(), std::size_t{6});
        QVERIFY(window.isWindowModified());
        answer(QMessageBox::Discard);
        QVERIFY(window.close());
    }

    void unsavedChangesKeepTheWindowOpenOnRequest()
    {
        MainWindow window;
        window.show();
        window.openFamily(QStringLiteral("1f1b"));
        window.findChild<SpecPanel*>()->findChildren<QSpinBox*>().at(0)->setValue(3);
        answer(QMessageBox::Cancel);
        QVERIFY(!window.close());
        answer(QMessageBox::Discard);
        QVERIFY(window.close());
    }

    void tabsOfOneTitleAreNumbered()
    {
        MainWindow window;
        window.show();
        for (int i = 0; i < 3; ++i) {
            Project project;
            project.draft =
                draftOf(test::runFamily(test::familyOf("1f1b"), test::sized(4, 8), UniformCosts{})
                            .schedule);
            window.openProject(std::move(project));
        }
        auto* tabs = window.findChild<QTabWidget*>();
        const auto titles = [tabs] {
            QStringList all;
            for (int i = 0; i < tabs->count(); ++i)
                all << tabs->tabText(i);
            return all.join(QStringLiteral(", "));
        };
        QCOMPARE(titles(), QStringLiteral("Own order · 4 × 8, Own order · 4 × 8 (2), "
                                          "Own order · 4 × 8 (3)"));
        // Where a tab stands makes no difference; what is gone frees its number.
        tabs->tabBar()->moveTab(0, 2);
        QCOMPARE(titles(), QStringLiteral("Own order · 4 × 8 (2), Own order · 4 × 8 (3), "
                                          "Own order · 4 × 8"));
        QVERIFY(window.closePage(window.pages().back()));
        QCOMPARE(titles(), QStringLiteral("Own order · 4 × 8, Own order · 4 × 8 (2)"));
    }

    void noMenuIsEmpty()
    {
        MainWindow window;
        window.show();
        for (const QAction* action : window.menuBar()->actions())
            if (action->isVisible())
                QVERIFY2(action->menu() != nullptr && !action->menu()->isEmpty(),
                         qPrintable(action->text()));
    }

    void theWindowFitsIntoASmallScreen()
    {
        // A screen of 1920 × 1080 at twice the size, less a title bar and a panel.
        MainWindow window;
        window.show();
        window.openFamily(QStringLiteral("zb-v"));
        window.resize(960, 480);
        QCoreApplication::processEvents();
        QVERIFY2(window.width() <= 960 && window.height() <= 480,
                 qPrintable(QStringLiteral("%1 × %2").arg(window.width()).arg(window.height())));
    }

    void labelsStandInTheLanesOfASmallWindow()
    {
        MainWindow window;
        window.show();
        window.resize(1280, 800);
        window.openFamily(QStringLiteral("zb-v"));
        QCoreApplication::processEvents();
        TimelineView& view = window.schedulePage()->timeline();
        const QImage picture = view.viewport()->grab().toImage();
        const Lane& lane = view.lanes()->lanes()[0];
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(lane.size()); ++i) {
            const SpanLook look = lane.look[static_cast<std::size_t>(i)];
            const QColor block = spanColor(ColorBy::Kind, look.kind, look.tint, 0);
            const QRect box = view.rectangleOf({0, i}).toRect().adjusted(2, 2, -2, -2);
            int most = 0;
            for (int y = box.top(); y <= box.bottom(); ++y)
                for (int x = box.left(); x <= box.right(); ++x)
                    most = std::max(
                        most, std::abs(picture.pixelColor(x, y).lightness() - block.lightness()));
            QVERIFY2(
                most > 50,
                qPrintable(
                    QStringLiteral("pass %1, %2 × %3").arg(i).arg(box.width()).arg(box.height())));
        }
    }

    void aFileThatIsNoProjectIsToldAndChangesNothing()
    {
        const QTemporaryDir folder;
        QFile broken(folder.filePath(QStringLiteral("broken.json")));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("{ \"pipewright\": 1, ");
        broken.close();
        MainWindow window;
        window.show();
        QVERIFY(!window.open(broken.fileName()));
        QVERIFY(window.findChild<QMessageBox*>() != nullptr);
        QCOMPARE(window.findChild<QTabWidget*>()->count(), 0);
    }

    void keysWalkAlongArrows()
    {
        MainWindow window;
        window.show();
        SchedulePage& page = window.openFamily(QStringLiteral("gpipe"));
        page.timeline().select({0, 0});
        // F of micro-batch 0 goes down the stages.
        for (int device = 1; device < 4; ++device) {
            QTest::keyClick(&page.timeline(), Qt::Key_BracketRight);
            const Pass pass = page.document().lanes()->pass(page.timeline().current());
            QCOMPARE(pass.stage, device);
            QVERIFY(pass.kind == PassKind::F && pass.microBatch == 0);
        }
        QTest::keyClick(&page.timeline(), Qt::Key_BracketLeft);
        QCOMPARE(page.timeline().current().lane, 2);
    }

    void wordsAreReadableOnAnotherGroundToo()
    {
        MainWindow window;
        window.show();
        auto* label = new QLabel(QStringLiteral("words"), &window);
        setInk(label, Role::Refusal);
        for (const Ground ground : {Ground::Dark, Ground::Light, Ground::Dark}) {
            applyGround(*qApp, ground);
            QCOMPARE(label->palette().color(QPalette::WindowText), color(Role::Refusal));
        }
        const auto all = window.findChildren<QLabel*>();
        for (const QLabel* one : all)
            QVERIFY2(one->palette().color(QPalette::WindowText).lightness() > 100,
                     qPrintable(one->text()));
        applyGround(*qApp, Ground::Light);
    }

    void bothGroundsAreDrawn()
    {
        MainWindow window;
        window.show();
        window.openFamily(QStringLiteral("dualpipe"));
        const QColor light = window.grab().toImage().pixelColor(4, 60);
        applyGround(*qApp, Ground::Dark);
        const QColor dark = window.grab().toImage().pixelColor(4, 60);
        applyGround(*qApp, Ground::Light);
        QVERIFY(light.lightness() > 200);
        QVERIFY(dark.lightness() < 80);
    }
};

PW_WINDOW_TEST(TestMainWindow)
#include "tst_main_window.moc"
