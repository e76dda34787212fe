// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/test_program.h"
#include "ui/timeline/lane_keys.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/command_palette.h"
#include "ui/window/commands.h"
#include "ui/window/key_sheet.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMainWindow>
#include <QMenuBar>
#include <QTest>
#include <QToolBar>

using namespace pw::ui;

namespace {

/// A window with four commands.
struct Fixture
{
    QMainWindow window;
    QLineEdit* field = new QLineEdit;
    Commands* commands = nullptr;
    CommandPalette* palette = nullptr;
    QStringList ran;
    QString reason = QStringLiteral("Nothing is selected.");

    Fixture()
    {
        window.setCentralWidget(field);
        commands = new Commands(&window, window.menuBar(), window.addToolBar(QString()));
        add("file.open", Menu::File, "&Open…", "Ctrl+O");
        add("view.critical-path", Menu::View, "&Critical path", "Ctrl+Shift+C");
        add("view.dark", Menu::View, "&Dark", "");
        commands->add({.id = QStringLiteral("edit.delete"),
                       .menu = Menu::Edit,
                       .text = QStringLiteral("De&lete"),
                       .keys = QKeySequence(Qt::Key_Delete),
                       .whyNot = [this] { return reason; }},
                      &window, [this] { ran << QStringLiteral("edit.delete"); });
        palette = new CommandPalette(*commands, &window);
        window.resize(900, 600);
        window.show();
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window);
        field->setFocus();
    }
    void add(const char* id, Menu menu, const char* text, const char* keys)
    {
        commands->add({.id = QString::fromUtf8(id),
                       .menu = menu,
                       .text = QString::fromUtf8(text),
                       .keys = QKeySequence(QString::fromUtf8(keys))},
                      &window, [this, id] { ran << QString::fromUtf8(id); });
    }
    QLineEdit* typed() const { return palette->findChild<QLineEdit*>(); }
    QAbstractItemModel* rows() const { return palette->findChild<QListView*>()->model(); }
    QStringList words() const
    {
        QStringList all;
        for (int i = 0; i < rows()->rowCount(); ++i)
            all << rows()->index(i, 0).data().toString();
        return all;
    }
};

} // namespace

class TestCommandPalette : public QObject
{
    Q_OBJECT

private slots:
    void lettersFitInTheirOrder_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<bool>("fits");
        QTest::newRow("nothing") << "" << true;
        QTest::newRow("a word") << "critical" << true;
        QTest::newRow("beginnings of words") << "cp" << true;
        QTest::newRow("letters with gaps") << "crpth" << true;
        QTest::newRow("another case") << "PATH" << true;
        QTest::newRow("with spaces") << "crit path" << true;
        QTest::newRow("wrong order") << "htap" << false;
        QTest::newRow("a letter that is not there") << "critz" << false;
    }
    void lettersFitInTheirOrder()
    {
        QFETCH(QString, typed);
        QFETCH(bool, fits);
        QCOMPARE(fitOf(typed, QStringLiteral("Critical path")).has_value(), fits);
    }

    void beginningsOfWordsFitBetterThanLettersWithin()
    {
        const QString typed = QStringLiteral("cp");
        QVERIFY(fitOf(typed, QStringLiteral("Critical path")) >
                fitOf(typed, QStringLiteral("Micro perhaps")));
        QVERIFY(fitOf(QStringLiteral("dark"), QStringLiteral("Dark")) >
                fitOf(QStringLiteral("dark"), QStringLiteral("Dim a rank")));
    }

    void namesComeBeforeLettersWithinThem()
    {
        const QStringList best{QStringLiteral("Lessons…"), QStringLiteral("Lessons of old"),
                               QStringLiteral("All lessons, once more"),
                               QStringLiteral("Unlessonsed"),
                               QStringLiteral("Let every sign shine or not shine")};
        for (qsizetype i = 1; i < best.size(); ++i)
            QVERIFY2(fitOf(QStringLiteral("lessons"), best[i - 1]) >
                         fitOf(QStringLiteral("lessons"), best[i]),
                     qPrintable(best[i]));
    }

    void commandsOfASubmenuComeInItsOrderBeforeThoseThatHoldItsName()
    {
        Fixture f;
        f.add("learn.unlock", Menu::Learn, "&Unlock all lessons", "");
        for (const char* title : {"1  Bubbles, and where they come from", "2  Memory", "3  Time"})
            f.commands->add({.id = QStringLiteral("learn.") + QLatin1Char(*title),
                             .menu = Menu::Learn,
                             .text = QString::fromUtf8(title),
                             .submenu = QStringLiteral("L&essons")},
                            &f.window, [] {});
        f.palette->open();
        QTest::keyClicks(f.typed(), QStringLiteral("lessons"));
        QCOMPARE(f.words(),
                 (QStringList{"Lessons: 1  Bubbles, and where they come from", "Lessons: 2  Memory",
                              "Lessons: 3  Time", "Unlock all lessons"}));
        // Its own name is a command's name too.
        f.typed()->clear();
        QTest::keyClicks(f.typed(), QStringLiteral("2  memory"));
        QCOMPARE(f.words().value(0), QStringLiteral("Lessons: 2  Memory"));
    }

    void whatNoMenuShowsIsNotListed()
    {
        Fixture f;
        f.commands->action(QStringLiteral("view.dark"))->setVisible(false);
        f.palette->open();
        QCOMPARE(f.rows()->rowCount(), 3);
        QVERIFY(!f.words().contains(QStringLiteral("Dark")));
    }

    void enterRunsWhatIsFoundAndGivesTheFocusBack()
    {
        Fixture f;
        f.palette->open();
        QVERIFY(f.palette->isVisible());
        QCOMPARE(f.rows()->rowCount(), 4);
        QVERIFY(f.typed()->hasFocus());
        QTest::keyClicks(f.typed(), QStringLiteral("crit"));
        QCOMPARE(f.words().value(0), QStringLiteral("Critical path"));
        QCOMPARE(f.rows()->index(0, 0).data(CommandPalette::KeysRole).toString(),
                 QKeySequence(QStringLiteral("Ctrl+Shift+C")).toString(QKeySequence::NativeText));
        QTest::keyClick(f.typed(), Qt::Key_Return);
        QCOMPARE(f.ran, QStringList{QStringLiteral("view.critical-path")});
        QVERIFY(!f.palette->isVisible());
        QVERIFY(f.field->hasFocus());
    }

    void arrowsChooseAndEscapeLeavesNoTrace()
    {
        Fixture f;
        f.palette->open();
        QTest::keyClick(f.typed(), Qt::Key_Down);
        QCOMPARE(f.palette->findChild<QListView*>()->currentIndex().row(), 1);
        QTest::keyClick(f.typed(), Qt::Key_Up);
        QTest::keyClick(f.typed(), Qt::Key_Up);
        QCOMPARE(f.palette->findChild<QListView*>()->currentIndex().row(), 0);
        QTest::keyClick(f.typed(), Qt::Key_Escape);
        QVERIFY(!f.palette->isVisible());
        QVERIFY(f.ran.isEmpty());
        QVERIFY(f.field->hasFocus());
    }

    void aCommandThatCannotBeUsedSaysWhy()
    {
        Fixture f;
        f.palette->open();
        QTest::keyClicks(f.typed(), QStringLiteral("delete"));
        const QModelIndex row = f.rows()->index(0, 0);
        QCOMPARE(row.data().toString(), QStringLiteral("Delete"));
        QCOMPARE(row.data(CommandPalette::UsableRole).toBool(), false);
        QCOMPARE(row.data(CommandPalette::NoteRole).toString(), f.reason);
        QTest::keyClick(f.typed(), Qt::Key_Return);
        QVERIFY(f.ran.isEmpty());
        QVERIFY(f.palette->isVisible());
        f.reason.clear();
        f.palette->open();
        QTest::keyClicks(f.typed(), QStringLiteral("delete"));
        QTest::keyClick(f.typed(), Qt::Key_Return);
        QCOMPARE(f.ran, QStringList{QStringLiteral("edit.delete")});
    }

    void theNameOfAMenuFindsItsCommands()
    {
        Fixture f;
        f.palette->open();
        QTest::keyClicks(f.typed(), QStringLiteral("view"));
        QCOMPARE(f.words(), (QStringList{QStringLiteral("Dark"), QStringLiteral("Critical path")}));
        f.typed()->setText(QStringLiteral("xyzzy"));
        QCOMPARE(f.rows()->rowCount(), 1);
        QTest::keyClick(f.typed(), Qt::Key_Return);
        QVERIFY(f.ran.isEmpty());
    }

    void aSubmenuIsPartOfTheName()
    {
        Fixture f;
        f.commands->add({.id = QStringLiteral("view.chart.memory"),
                         .menu = Menu::View,
                         .text = QStringLiteral("&Memory"),
                         .submenu = QStringLiteral("C&harts")},
                        &f.window, [] {});
        f.palette->open();
        QTest::keyClicks(f.typed(), QStringLiteral("chart"));
        QCOMPARE(f.words(), QStringList{QStringLiteral("Charts: Memory")});
    }

    void keysOfTheWindowStayAwayWhileItIsOpen()
    {
        Fixture f;
        f.palette->open();
        QTest::keyClick(f.typed(), Qt::Key_O, Qt::ControlModifier);
        QVERIFY(f.ran.isEmpty());
        QTest::keyClick(f.typed(), Qt::Key_Escape);
        QTest::keyClick(f.field, Qt::Key_O, Qt::ControlModifier);
        QCOMPARE(f.ran, QStringList{QStringLiteral("file.open")});
    }

    void theKeySheetHasEveryKey()
    {
        Fixture f;
        KeySheet sheet(*f.commands, &f.window);
        sheet.setAttribute(Qt::WA_DeleteOnClose, false);
        QStringList words;
        const QList<QLabel*> labels = sheet.findChildren<QLabel*>();
        for (const QLabel* label : labels)
            words << label->text();
        for (const Commands::Entry& entry : f.commands->all()) {
            const QString keys = entry.action->shortcut().toString(QKeySequence::NativeText);
            QCOMPARE(words.contains(keys), !keys.isEmpty());
        }
        const std::vector<KeyHelp> own = LaneKeys::all();
        for (const KeyHelp& one : own)
            QVERIFY(words.contains(one.keys) && words.contains(one.words));
        QVERIFY(words.contains(QStringLiteral("Critical path")));
        QVERIFY(!words.contains(QStringLiteral("Dark"))); // it has no key
    }
};

PW_WINDOW_TEST(TestCommandPalette)
#include "tst_command_palette.moc"
