// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/text.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/lesson_editing.h"
#include "ui/window/lesson_room.h"
#include "ui/window/main_window.h"
#include "ui/window/studio.h"

#include <QAction>
#include <QFileDialog>

namespace pw::ui {

namespace {

void chooseFile(MainWindow& window, LessonRoom& room)
{
    auto* dialog = new QFileDialog(&window, MainWindow::tr("Open a lesson"), QString(),
                                   MainWindow::tr("Lessons (*.json)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    QObject::connect(dialog, &QFileDialog::fileSelected, &room,
                     [&room](const QString& path) { room.openFile(path); });
    dialog->open();
}

void saveResults(MainWindow& window, LessonRoom& room)
{
    auto* dialog = new QFileDialog(&window, MainWindow::tr("Save my results"), QString(),
                                   MainWindow::tr("Results (*.json)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    QObject::connect(dialog, &QFileDialog::fileSelected, &room,
                     [&window, &room](const QString& path) {
                         // A class is told apart by the names of its files.
                         const auto saved = room.progress().save(path, QString());
                         if (saved)
                             window.tell(MainWindow::tr("Your results are in %1.").arg(path));
                         else
                             window.refuse(text(saved.error().message));
                     });
    dialog->open();
}

void addLessonList(MainWindow& window, LessonRoom* room)
{
    int place = 0;
    for (const ShippedLesson& shipped : shippedLessons()) {
        const auto lesson = readLesson(shipped.text, std::string(shipped.id));
        if (!lesson)
            continue; // a test keeps it from being shipped
        const QString id = text(shipped.id);
        const QString title = text(lesson->title.in());
        window.commands().add(
            {.id = QStringLiteral("learn.lesson.") + id,
             .menu = Menu::Learn,
             .text = QStringLiteral("%1  %2").arg(++place).arg(title),
             .tip = text(lesson->summary.in()),
             .group = 10,
             .submenu = MainWindow::tr("L&essons"),
             .whyNot =
                 [room, id] {
                     return room->progress().open(id)
                                ? QString()
                                : MainWindow::tr("Comes later: finish or skip what is before it, "
                                                 "or unlock all lessons.");
                 }},
            room, [room, id] { room->open(id, 0); });
    }
}

/// What places passes for a person; by keys too.
void addOrderHelp(MainWindow& window, LessonRoom* room)
{
    const auto whyNot = [room] { return room->whyNoOrder(); };
    Commands& commands = window.commands();
    commands.add({.id = QStringLiteral("learn.ready"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("Show what is &ready"),
                  .keys = QKeySequence(MainWindow::tr("Ctrl+Alt+G")),
                  .tip = MainWindow::tr("Passes that can come next stand palely in their lanes."),
                  .group = 5,
                  .whyNot = whyNot},
                 room, [room] { room->toggleReady(); });
    commands.add({.id = QStringLiteral("learn.place"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("Place the &first of them"),
                  .keys = QKeySequence(MainWindow::tr("Ctrl+Alt+P")),
                  .group = 5,
                  .whyNot = whyNot},
                 room, [room] { room->placeFirst(); });
    commands.add({.id = QStringLiteral("learn.run"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("Run until a &choice"),
                  .keys = QKeySequence(MainWindow::tr("Ctrl+Alt+R")),
                  .tip = MainWindow::tr("Places passes as long as a device has only one that can "
                                        "come next."),
                  .group = 5,
                  .whyNot = whyNot},
                 room, [room] { room->runUntilChoice(); });
}

} // namespace

QDockWidget& addLessons(Studio& studio, PalettePanel& palette)
{
    MainWindow& window = studio.window;
    auto* room = new LessonRoom(studio, palette);
    Commands& commands = window.commands();
    commands.add({.id = QStringLiteral("learn.continue"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("&Learn"),
                  .tip = MainWindow::tr("Goes on with the lessons where you left them.")},
                 room, [room] { room->resume(); });
    const auto noLesson = [room] {
        return room->running() ? QString() : MainWindow::tr("No lesson is open.");
    };
    commands.add({.id = QStringLiteral("learn.next"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("&Next step"),
                  .keys = QKeySequence(MainWindow::tr("Ctrl+Alt+Right")),
                  .whyNot = noLesson},
                 room, [room] { room->walk(1); });
    commands.add({.id = QStringLiteral("learn.back"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("Step &back"),
                  .keys = QKeySequence(MainWindow::tr("Ctrl+Alt+Left")),
                  .whyNot = noLesson},
                 room, [room] { room->walk(-1); });
    addOrderHelp(window, room);
    addLessonList(window, room);
    commands.add({.id = QStringLiteral("learn.open-file"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("Open a lesson &file…"),
                  .group = 20},
                 room, [&window, room] { chooseFile(window, *room); });
    commands.add({.id = QStringLiteral("learn.save-results"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("Save my &results…"),
                  .tip = MainWindow::tr("A file for a teacher: levels, medals, tries."),
                  .group = 20},
                 room, [&window, room] { saveResults(window, *room); });
    addLessonEditing(window, room);
    auto* all = new QAction(MainWindow::tr("&Unlock all lessons"), room);
    all->setCheckable(true);
    all->setChecked(room->progress().allOpen());
    QObject::connect(all, &QAction::toggled, room, [main = &window, room](bool on) {
        room->progress().setAllOpen(on);
        main->commands().refresh();
    });
    commands.add({.id = QStringLiteral("learn.unlock-all"),
                  .menu = Menu::Learn,
                  .text = all->text(),
                  .tip = MainWindow::tr("For teachers, and for those who know what they look for."),
                  .group = 30},
                 all);
    commands.add({.id = QStringLiteral("learn.language"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("In another lan&guage"),
                  .tip = MainWindow::tr("The next language that the open lesson has."),
                  .group = 30,
                  .whyNot = [room] { return room->whyNoLanguage(); }},
                 room, [room] { room->changeLanguage(); });
    commands.add({.id = QStringLiteral("learn.forget"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("Forget my &progress"),
                  .group = 30},
                 room, [room] { room->forget(); });
    return room->dock();
}

} // namespace pw::ui
