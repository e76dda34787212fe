// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/run_settings.h"
#include "tests/support/test_program.h"
#include "ui/window/commands.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QMap>
#include <QMenu>
#include <QMenuBar>
#include <QTest>
#include <QToolBar>
#include <QUndoStack>

using namespace pw;
using namespace pw::ui;

class TestCommands : public QObject
{
    Q_OBJECT

private:
    PrivateFolder m_folder;

    static QStringList textsOf(const QMenu& menu)
    {
        QStringList texts;
        const QList<QAction*> actions = menu.actions();
        for (const QAction* action : actions)
            texts << (action->isSeparator() ? QStringLiteral("-") : action->text());
        return texts;
    }

private slots:
    /// Commands come in any order; a menu shows them by group, with a line between groups.
    void aMenuStandsByGroups()
    {
        QMainWindow window;
        QToolBar tools;
        Commands commands(&window, window.menuBar(), &tools);
        const auto add = [&](const char* text, int group, const QString& submenu = {}) {
            commands.add({.id = QString::fromLatin1(text),
                          .menu = Menu::View,
                          .text = QString::fromLatin1(text),
                          .group = group,
                          .submenu = submenu},
                         &window, [] {});
        };
        add("c", 20);
        add("a", 0);
        add("d", 30);
        add("b", 0);
        add("inner", 10, QStringLiteral("sub"));
        add("c2", 20);
        const auto menus = window.menuBar()->findChildren<QMenu*>();
        const auto view = std::find_if(menus.begin(), menus.end(), [](const QMenu* menu) {
            return menu->title() == QStringLiteral("&View");
        });
        QVERIFY(view != menus.end());
        QCOMPARE(textsOf(**view), QStringList({"a", "b", "-", "sub", "-", "c", "c2", "-", "d"}));
        QVERIFY((*view)->menuAction()->isVisible());
    }

    void aCommandThatCannotBeUsedSaysWhy()
    {
        QMainWindow window;
        QToolBar tools;
        Commands commands(&window, window.menuBar(), &tools);
        QString reason = QStringLiteral("Nothing is selected.");
        QAction* action = commands.add({.id = QStringLiteral("x"),
                                        .text = QStringLiteral("x"),
                                        .tip = QStringLiteral("Does it."),
                                        .whyNot = [&] { return reason; }},
                                       &window, [] {});
        commands.refresh();
        QVERIFY(!action->isEnabled());
        QCOMPARE(action->toolTip(), reason);
        reason.clear();
        commands.refresh();
        QVERIFY(action->isEnabled());
        QCOMPARE(action->toolTip(), QStringLiteral("Does it."));
    }

    /// Their buttons stand in the tool bar from the start, when there is nothing to take back.
    void undoAndRedoSayWhyTheyCannotBeUsed()
    {
        MainWindow window;
        const QAction* undo = window.commands().action(QStringLiteral("edit.undo"));
        const QAction* redo = window.commands().action(QStringLiteral("edit.redo"));
        window.commands().refresh();
        QVERIFY(!undo->isEnabled() && !redo->isEnabled());
        QCOMPARE(undo->toolTip(), QStringLiteral("Nothing has been changed here yet."));
        QCOMPARE(redo->toolTip(), QStringLiteral("Nothing has been undone."));
        SchedulePage& page = window.openFamily(QStringLiteral("1f1b"));
        Project project = page.document().project();
        project.title = QStringLiteral("other").toStdString();
        QVERIFY(page.document().change(std::move(project), QStringLiteral("Title")).has_value());
        QVERIFY(undo->isEnabled());
        QVERIFY2(undo->toolTip().contains(undo->text()), qPrintable(undo->toolTip()));
        page.undoStack()->setClean();
    }

    /// Two commands with the same keys are both dead: Qt calls that ambiguous.
    void everyCommandOfTheWindowHasItsOwnNameAndKeys()
    {
        MainWindow window;
        QMap<QString, QString> ids;
        QMap<QString, QString> keys;
        for (const Commands::Entry& entry : window.commands().all()) {
            const QString& id = entry.command.id;
            QVERIFY2(!id.isEmpty() && !ids.contains(id), qPrintable(id));
            ids[id] = id;
            QVERIFY2(!entry.action->text().isEmpty() || id.contains(QStringLiteral("recent")),
                     qPrintable(id));
            const QList<QKeySequence> shortcuts = entry.action->shortcuts();
            for (const QKeySequence& shortcut : shortcuts) {
                const QString text = shortcut.toString();
                QVERIFY2(!keys.contains(text),
                         qPrintable(text + ": " + id + " and " + keys.value(text)));
                keys[text] = id;
            }
        }
        QVERIFY(ids.size() > 20);
    }
};

PW_WINDOW_TEST(TestCommands)
#include "tst_commands.moc"
