// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/lesson_editing.h"

#include "core/io/file_problem.h"
#include "core/store/stored_what_if.h"
#include "ui/document/background.h"
#include "ui/export/handout.h"
#include "ui/lesson/level_editor.h"
#include "ui/lesson/step_editor.h"
#include "ui/text.h"
#include "ui/window/commands.h"
#include "ui/window/lesson_room.h"
#include "ui/window/main_window.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"

#include <QFileDialog>
#include <QFileInfo>

#include <functional>
#include <memory>

namespace pw::ui {

namespace {

/// Asks for a file and does something with its name.
void askFile(QWidget* parent, bool save, const QString& title,
             std::function<void(const QString&)> use)
{
    auto* dialog = new QFileDialog(parent, title, QString(), MainWindow::tr("Lessons (*.json)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (save)
        dialog->setAcceptMode(QFileDialog::AcceptSave);
    else
        dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                     [use](const QString& path) { use(path); });
    dialog->open();
}

void writeLesson(MainWindow& window, const QString& path, const std::string& lesson)
{
    if (const auto done = writeFile(path.toStdString(), lesson); !done)
        window.refuse(text(done.error().message));
    else
        window.tell(MainWindow::tr("The lesson is in %1.").arg(path));
}

/// The level as one more step of a lesson that is there.
void addToLesson(MainWindow& window, const QString& path, const LevelDraft& draft)
{
    const auto before = readFile(path.toStdString(), maxLessonBytes);
    const auto after =
        before ? withLevel(*before, draft) : Result<std::string>(fail(before.error()));
    if (!after)
        window.refuse(text(after.error().message));
    else
        writeLesson(window, path, *after);
}

void editLevel(MainWindow& window, LessonRoom* room, LevelEditor::Origin origin)
{
    auto* editor = new LevelEditor(std::move(origin), &window);
    editor->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(editor, &LevelEditor::tryAsked, room,
                     [&window, room](const std::string& written) {
                         if (auto lesson = readLesson(written, "new-level"))
                             room->showText(std::move(*lesson), written, 0);
                         else
                             window.refuse(text(lesson.error().message));
                     });
    QObject::connect(editor, &LevelEditor::saveAsked, editor, [&window, editor] {
        askFile(editor, true, MainWindow::tr("Save the lesson"),
                [&window, editor](const QString& path) {
                    if (editor->proven())
                        writeLesson(window, path, editor->lessonText());
                });
    });
    QObject::connect(editor, &LevelEditor::addAsked, editor, [&window, editor] {
        askFile(editor, false, MainWindow::tr("Add to a lesson"),
                [&window, editor](const QString& path) {
                    if (editor->provenDraft())
                        addToLesson(window, path, *editor->provenDraft());
                });
    });
    editor->show();
}

/// Of a run the usual times of its stages, worked out beside the window.
void editRun(MainWindow& window, LessonRoom* room, const RunPage& page)
{
    window.tell(MainWindow::tr("Reading what the run took …"));
    inBackground(
        room,
        [&window, room, store = page.store().toStdString(), run = page.run(),
         title = page.title()]() -> std::function<void()> {
            auto opened = RunStore::openToRead(store);
            auto base =
                opened ? whatIfBase(*opened, run) : Result<WhatIfBase>(fail(opened.error()));
            if (!base)
                return [&window, why = text(base.error().message)] { window.refuse(why); };
            LevelEditor::Origin origin{std::make_shared<const Schedule>(std::move(base->schedule)),
                                       std::move(base->costs), title, true};
            return [&window, room, origin] { editLevel(window, room, origin); };
        });
}

QString whyNoOrigin(MainWindow& window)
{
    if (const auto* run = qobject_cast<RunPage*>(window.page()); run != nullptr)
        return run->shown() ? QString() : MainWindow::tr("The run is not there yet.");
    const SchedulePage* page = window.schedulePage();
    if (page == nullptr)
        return MainWindow::tr("No schedule and no run is in front.");
    return page->document().schedule() ? QString() : page->document().problem();
}

void newLevel(MainWindow& window, LessonRoom* room)
{
    if (const auto* run = qobject_cast<RunPage*>(window.page()); run != nullptr)
        return editRun(window, room, *run);
    SchedulePage* page = window.schedulePage();
    if (page == nullptr || !page->document().schedule())
        return;
    editLevel(window, room,
              {page->document().schedule(), page->document().costs(), page->title(), false});
}

void editStep(MainWindow& window, LessonRoom* room)
{
    auto* editor = new StepEditor(room->lesson(), static_cast<std::size_t>(room->step()),
                                  room->language(), &window);
    editor->setAttribute(Qt::WA_DeleteOnClose);
    const std::string source = room->source();
    const int step = room->step();
    QObject::connect(editor, &StepEditor::saveAsked, editor, [&window, room, editor, source, step] {
        const auto changed = withWords(source, static_cast<std::size_t>(step), editor->words(),
                                       room->language().toStdString());
        if (!changed)
            return window.refuse(text(changed.error().message));
        askFile(editor, true, MainWindow::tr("Save the lesson"),
                [&window, room, editor, written = *changed, step](const QString& path) {
                    writeLesson(window, path, written);
                    if (auto lesson =
                            readLesson(written, QFileInfo(path).completeBaseName().toStdString()))
                        room->showText(std::move(*lesson), written, step);
                    editor->close();
                });
    });
    editor->show();
}

/// The lesson that is open, on paper.
void saveHandout(MainWindow& window, LessonRoom* room)
{
    auto* dialog = new QFileDialog(&window, MainWindow::tr("Handout"), QString(),
                                   MainWindow::tr("PDF (*.pdf)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("pdf"));
    QObject::connect(
        dialog, &QFileDialog::fileSelected, room, [&window, room](const QString& path) {
            const auto made = handoutOf(room->lesson(), room->language());
            const auto done =
                made ? writeFile(path.toStdString(),
                                 std::string_view(made->constData(),
                                                  static_cast<std::size_t>(made->size())))
                     : Result<void>(fail(made.error()));
            if (done)
                window.tell(MainWindow::tr("The handout is in %1.").arg(path));
            else
                window.refuse(text(done.error().message));
        });
    dialog->open();
}

} // namespace

void addLessonEditing(MainWindow& window, LessonRoom* room)
{
    window.commands().add(
        {.id = QStringLiteral("learn.new-level"),
         .menu = Menu::Learn,
         .text = MainWindow::tr("New &level from this…"),
         .tip = MainWindow::tr("Makes a lesson file of the schedule or the run in front: its times "
                               "are locked, its order is to be reached or beaten."),
         .group = 25,
         .whyNot = [&window] { return whyNoOrigin(window); }},
        room, [&window, room] { newLevel(window, room); });
    window.commands().add(
        {.id = QStringLiteral("learn.edit"),
         .menu = Menu::Learn,
         .text = MainWindow::tr("&Edit this step…"),
         .tip = MainWindow::tr("Other words for the step that is open, in a file of your own."),
         .group = 25,
         .whyNot =
             [room] { return room->running() ? QString() : MainWindow::tr("No lesson is open."); }},
        room, [&window, room] { editStep(window, room); });
    window.commands().add(
        {.id = QStringLiteral("learn.handout"),
         .menu = Menu::Learn,
         .text = MainWindow::tr("&Handout as PDF…"),
         .tip = MainWindow::tr("The lesson on paper, with lanes to draw in and the solutions "
                               "behind."),
         .group = 25,
         .whyNot =
             [room] { return room->running() ? QString() : MainWindow::tr("No lesson is open."); }},
        room, [&window, room] { saveHandout(window, room); });
}

} // namespace pw::ui
