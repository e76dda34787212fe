// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// What is said of single passes: by a double click, by the menu over a pass, by commands.
#include "tests/support/run_settings.h"
#include "tests/support/test_program.h"
#include "ui/document/background.h"
#include "ui/passes/one_number_dialog.h"
#include "ui/passes/pass_menu.h"
#include "ui/presentation.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QThreadPool>

using namespace pw;
using namespace pw::ui;

class TestPassMenu : public QObject
{
    Q_OBJECT

private:
    struct Shown
    {
        MainWindow window;
        SchedulePage* page = nullptr;

        Shown()
        {
            window.resize(1200, 800);
            window.show();
            FamilyOptions options;
            options.devices = 4;
            options.microBatches = 8;
            page = &window.openProject(projectOf("1f1b", options, UniformCosts{}));
            if (!QTest::qWaitForWindowExposed(&window))
                qFatal("the window is not shown");
            QTest::qWait(50); // the docks find their places
        }
        ScheduleDocument& document() { return page->document(); }
        QPoint at(SpanRef span) { return page->timeline().rectangleOf(span).center().toPoint(); }
        template<typename T>
        T* opened(const char* name)
        {
            T* found = nullptr;
            const auto there = [&] {
                found = window.findChild<T*>(QString::fromLatin1(name));
                return found != nullptr;
            };
            return QTest::qWaitFor(there, 5000) ? found : nullptr;
        }
        QMenu* menuAt(SpanRef span)
        {
            QWidget* port = page->timeline().viewport();
            const QPoint point = at(span);
            QContextMenuEvent event(QContextMenuEvent::Mouse, point, port->mapToGlobal(point));
            QApplication::sendEvent(port, &event);
            return opened<QMenu>("pass-menu");
        }
        static QAction* entry(const QMenu& menu, const QString& words)
        {
            const QList<QAction*> actions = menu.actions();
            for (QAction* action : actions)
                if (QString(action->text()).remove(QLatin1Char('&')).startsWith(words))
                    return action;
            return nullptr;
        }
    };

    PrivateFolder m_folder;

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }
    void cleanup() { workers().waitForDone(); }

    void aDoubleClickGivesAPassATimeOfItsOwn()
    {
        Shown shown;
        const Ticks before = shown.document().result().makespan;
        QSignalSpy refused(shown.page->findChild<PassMenu*>(), &PassMenu::refused);
        QSignalSpy activated(&shown.page->timeline(), &TimelineView::activated);
        QTest::mouseDClick(shown.page->timeline().viewport(), Qt::LeftButton, {}, shown.at({0, 0}));
        QCOMPARE(activated.size(), 1);
        auto* dialog = shown.opened<OneNumberDialog>("pass-time");
        QVERIFY2(dialog != nullptr, qPrintable(refused.value(0).value(0).toString()));
        QCOMPARE(dialog->field().value(), 1.0);
        QVERIFY(dialog->findChild<QPushButton*>(QStringLiteral("none")) == nullptr);
        dialog->field().setValue(4);
        dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Apply)->click();
        QCOMPARE(shown.document().result().makespan, before + 3 * ticksPerMs);
        // The same again offers the table's time.
        shown.page->timeline().select({0, 0});
        shown.window.commands().action(QStringLiteral("passes.time"))->trigger();
        QTRY_VERIFY(shown.window.findChild<QPushButton*>(QStringLiteral("none")) != nullptr);
        shown.window.findChild<QPushButton*>(QStringLiteral("none"))->click();
        QCOMPARE(shown.document().result().makespan, before);
        shown.document().undoStack().undo();
        QCOMPARE(shown.document().result().makespan, before + 3 * ticksPerMs);
    }

    void theMenuRecomputesAPassAndAStage()
    {
        Shown shown;
        QMenu* menu = shown.menuAt({1, 0});
        QVERIFY(menu != nullptr);
        QAction* again = Shown::entry(*menu, QStringLiteral("Recompute micro-batch 0 on stage 1"));
        QVERIFY(again != nullptr && again->isEnabled());
        QVERIFY(
            !Shown::entry(*menu, QStringLiteral("Keep activations of micro-batch"))->isEnabled());
        again->trigger();
        menu->close();
        const auto count = [&] {
            int found = 0;
            for (const auto& order : shown.document().draft().orders)
                for (const OrderEntry& entry : order)
                    found += entry.pass.kind == PassKind::R ? 1 : 0;
            return found;
        };
        QCOMPARE(count(), 1);
        QVERIFY(shown.document().schedule() != nullptr);
        QTRY_VERIFY(shown.window.findChild<QMenu*>(QStringLiteral("pass-menu")) == nullptr);
        menu = shown.menuAt({1, 0});
        Shown::entry(*menu, QStringLiteral("Recompute the whole stage 1"))->trigger();
        menu->close();
        QCOMPARE(count(), 8);
        shown.window.commands().action(QStringLiteral("passes.keep"))->trigger();
        QCOMPARE(count(), 7);
        shown.document().undoStack().undo();
        shown.document().undoStack().undo();
        shown.document().undoStack().undo();
        QCOMPARE(count(), 0);
    }

    void theMenuOffloadsAPassAndAStage()
    {
        Shown shown;
        const Ticks before = shown.document().result().makespan;
        const Share peak = shown.document().result().devices[0].peakShare;
        QMenu* menu = shown.menuAt({0, 1});
        QVERIFY(menu != nullptr);
        QAction* more = Shown::entry(*menu, QStringLiteral("Offload to the host"));
        QVERIFY(more != nullptr && more->menu() != nullptr);
        QAction* on =
            Shown::entry(*more->menu(), QStringLiteral("Offload micro-batch 1 on stage 0"));
        QVERIFY(on != nullptr && on->isEnabled());
        QVERIFY(!Shown::entry(*more->menu(), QStringLiteral("Keep micro-batch 1"))->isEnabled());
        on->trigger();
        menu->close();
        QCOMPARE(shown.document().result().copies.size(), std::size_t(1));
        // The family stays: its order is the same.
        QVERIFY(shown.document().project().family.has_value());
        const Lane& lane = shown.document().lanes()->lanes()[0];
        QVERIFY(lane.look[1].leaves);
        QCOMPARE(lane.copies.size(), std::size_t(2));
        QCOMPARE(std::count_if(lane.look.begin(), lane.look.end(),
                               [](SpanLook look) { return look.returns; }),
                 1);
        shown.page->timeline().select({0, 0});
        shown.page->findChild<PassMenu*>()->offload(true, true);
        QCOMPARE(shown.document().result().copies.size(), std::size_t(8));
        QVERIFY(shown.document().result().devices[0].peakShare < peak);
        shown.window.commands().action(QStringLiteral("passes.on-device"))->trigger();
        QCOMPARE(shown.document().result().copies.size(), std::size_t(7));
        shown.window.commands().action(QStringLiteral("passes.offload-hidden"))->trigger();
        QCOMPARE(shown.document().result().makespan, before);
        for (int i = 0; i < 4; ++i)
            shown.document().undoStack().undo();
        QVERIFY(shown.document().result().copies.empty());
    }

    void theLinkToTheHostIsAsked()
    {
        Shown shown;
        shown.page->timeline().select({0, 0});
        shown.window.commands().action(QStringLiteral("passes.host-link"))->trigger();
        auto* dialog = shown.opened<OneNumberDialog>("host-link");
        QVERIFY(dialog != nullptr);
        QCOMPARE(dialog->field().value(), 54.4);
        dialog->field().setValue(25);
        dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Apply)->click();
        QCOMPARE(shown.document().costs().offload.link.bytesPerSecond, 25e9);
    }

    void aDeviceGetsACap()
    {
        Shown shown;
        Project sized = shown.document().project();
        std::get<UniformCosts>(sized.costs).activation = Bytes{1} << 28;
        QVERIFY(shown.document().change(sized, QStringLiteral("Activation")));
        QMenu* menu = shown.menuAt({2, 0});
        QVERIFY(menu != nullptr);
        Shown::entry(*menu, QStringLiteral("Memory limit of device 2"))->trigger();
        menu->close();
        auto* dialog = shown.opened<OneNumberDialog>("device-cap");
        QVERIFY(dialog != nullptr);
        dialog->field().setValue(2);
        dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Apply)->click();
        QCOMPARE(shown.document().costs().memoryCap, (std::vector<Bytes>{0, 0, Bytes{2} << 30, 0}));
    }

    void aLevelIsLocked()
    {
        Shown shown;
        shown.page->setProperty("locked", QStringLiteral("given"));
        shown.page->timeline().select({0, 0});
        const Project before = shown.document().project();
        auto* menu = shown.page->findChild<PassMenu*>();
        QCOMPARE(menu->whyNot(), QStringLiteral("given"));
        menu->recompute(true, true);
        menu->askTime();
        QVERIFY(shown.window.findChild<OneNumberDialog*>() == nullptr);
        QVERIFY(shown.document().project() == before);
        QMenu* open = shown.menuAt({0, 0});
        QVERIFY(open != nullptr);
        const QList<QAction*> actions = open->actions();
        QVERIFY(!actions.front()->isEnabled());
        open->close();
    }
};

PW_WINDOW_TEST(TestPassMenu)
#include "tst_pass_menu.moc"
