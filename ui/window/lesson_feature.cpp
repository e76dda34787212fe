// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/core_sentences.h"
#include "ui/lesson/medals_dialog.h"
#include "ui/text.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/file_name.h"
#include "ui/window/lesson_editing.h"
#include "ui/window/lesson_room.h"
#include "ui/window/main_window.h"
#include "ui/window/studio.h"

#include <QAction>
#include <QDir>
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
                     [&window](const QString& path) { window.open(path); });
    dialog->open();
}

void saveResults(MainWindow& window, LessonRoom& room)
{
    auto* dialog = new QFileDialog(&window, MainWindow::tr("Save my results"), QString(),
                                   MainWindow::tr("Results (*.json)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    // A class is told apart by it; whoever likes another one writes it.
    dialog->selectFile(fileName(QDir::home().dirName()) + QStringLiteral(".json"));
    QObject::connect(dialog, &QFileDialog::fileSelected, &room,
                     [&window, &room](const QString& path) {
                         // A class is told apart by the names of its files.
                         const auto saved = room.progress().save(path, QString());
                         if (saved)
                             window.tell(MainWindow::tr("Your results are in %1.").arg(path));
                         else
                             window.refuse(coreSentence(saved.error().message));
                     });
    dialog->open();
}

/// How one stands in the course, and the way to each of its levels.
void showMedals(MainWindow& window, LessonRoom& room)
{
    const LessonProgress& progress = room.progress();
    auto* dialog = new MedalsDialog(
        courseOf(progress.results(), room.language().toStdString()),
        besidesCourse(progress.results()),
        [&progress](const QString& lesson) { return progress.open(lesson); }, &window);
    if (room.running())
        dialog->setCurrent(text(room.lesson().id), room.step());
    QObject::connect(dialog, &MedalsDialog::chosen, &room,
                     [&room](const QString& lesson, int step) { room.open(lesson, step); });
    QObject::connect(dialog, &MedalsDialog::saveAsked, &room,
                     [&window, &room] { saveResults(window, room); });
    dialog->show();
}

void addLessonList(MainWindow& window, LessonRoom* room)
{
    const std::string language = room->language().toStdString();
    int place = 0;
    for (const ShippedLesson& shipped : shippedLessons()) {
        const auto lesson = readLesson(shipped.text, std::string(shipped.id));
        if (!lesson)
            continue; // a test keeps it from being shipped
        const QString id = text(shipped.id);
        const QString title = text(lesson->title.in(language));
        window.commands().add(
            {.id = QStringLiteral("learn.lesson.") + id,
             .menu = Menu::Learn,
             .text = QStringLiteral("%1  %2").arg(++place).arg(title),
             .tip = text(lesson->summary.in(language)),
             .group = 10,
             .submenu = MainWindow::tr("Less&ons"),
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
                  .submenu = MainWindow::tr("In a level"),
                  .whyNot = whyNot},
                 room, [room] { room->toggleReady(); });
    commands.add({.id = QStringLiteral("learn.place"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("Place the &first of them"),
                  .keys = QKeySequence(MainWindow::tr("Ctrl+Alt+P")),
                  .group = 5,
                  .submenu = MainWindow::tr("In a level"),
                  .whyNot = whyNot},
                 room, [room] { room->placeFirst(); });
    commands.add({.id = QStringLiteral("learn.run"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("Run until a &choice"),
                  .keys = QKeySequence(MainWindow::tr("Ctrl+Alt+R")),
                  .tip = MainWindow::tr("Places passes as long as a device has only one that can "
                                        "come next."),
                  .group = 5,
                  .submenu = MainWindow::tr("In a level"),
                  .whyNot = whyNot},
                 room, [room] { room->runUntilChoice(); });
}

/// Lessons beside those of the program, and what was done in all.
void addLessonFiles(MainWindow& window, LessonRoom* room)
{
    Commands& commands = window.commands();
    commands.add({.id = QStringLiteral("learn.practice"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("Pr&actice: another level"),
                  .tip = MainWindow::tr("A small level with random times, another one each time; "
                                        "its par is proven like all others."),
                  .group = 15,
                  .submenu = MainWindow::tr("In a level")},
                 room, [room] { room->practise(); });
    commands.add({.id = QStringLiteral("learn.open-file"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("Open a lesson f&ile…"),
                  .group = 20,
                  .submenu = MainWindow::tr("Make lessons")},
                 room, [&window, room] { chooseFile(window, *room); });
    commands.add({.id = QStringLiteral("learn.medals"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("My &medals…"),
                  .tip = MainWindow::tr("All lessons and levels: what is solved, which medals are "
                                        "won, and the way there."),
                  .group = 10,
                  .submenu = MainWindow::tr("My progress")},
                 room, [&window, room] { showMedals(window, *room); });
    commands.add({.id = QStringLiteral("learn.save-results"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("&Save my results…"),
                  .tip = MainWindow::tr("A file for a teacher: levels, medals, tries."),
                  .group = 20,
                  .submenu = MainWindow::tr("My progress")},
                 room, [&window, room] { saveResults(window, *room); });
}

} // namespace

void addLessons(Studio& studio, PalettePanel& palette)
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
                  .keys = QKeySequence(Qt::ALT | Qt::Key_PageDown),
                  .whyNot = noLesson},
                 room, [room] { room->walk(1); });
    commands.add({.id = QStringLiteral("learn.back"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("Step &back"),
                  .keys = QKeySequence(Qt::ALT | Qt::Key_PageUp),
                  .whyNot = noLesson},
                 room, [room] { room->walk(-1); });
    addOrderHelp(window, room);
    addLessonList(window, room);
    addLessonFiles(window, room);
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
                  .group = 30,
                  .submenu = MainWindow::tr("My progress")},
                 all);
    commands.add({.id = QStringLiteral("learn.language"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("In another lan&guage"),
                  .tip = MainWindow::tr("The next language that the open lesson has."),
                  .group = 30,
                  .submenu = MainWindow::tr("My progress"),
                  .whyNot = [room] { return room->whyNoLanguage(); }},
                 room, [room] { room->changeLanguage(); });
    commands.add({.id = QStringLiteral("learn.forget"),
                  .menu = Menu::Learn,
                  .text = MainWindow::tr("Forget my &progress"),
                  .group = 30,
                  .submenu = MainWindow::tr("My progress")},
                 room, [room] { room->forget(); });
}

} // namespace pw::ui
