// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/lesson_editing.h"

#include "core/io/file_problem.h"
#include "core/store/stored_what_if.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/export/handout.h"
#include "ui/lesson/level_editor.h"
#include "ui/lesson/step_editor.h"
#include "ui/text.h"
#include "ui/window/commands.h"
#include "ui/window/file_name.h"
#include "ui/window/lesson_room.h"
#include "ui/window/main_window.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"

#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>

#include <functional>
#include <memory>

namespace pw::ui {

namespace {

/// Asks for a file and does something with its name.
/// @param proposed  a name to save under; empty: a file that is there is asked for
void askFile(QWidget* parent, const QString& proposed, const QString& title,
             std::function<void(const QString&)> use)
{
    auto* dialog = new QFileDialog(parent, title, QString(), MainWindow::tr("Lessons (*.json)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (proposed.isEmpty())
        dialog->setFileMode(QFileDialog::ExistingFile);
    else
        dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    if (!proposed.isEmpty())
        dialog->selectFile(proposed + QStringLiteral(".json"));
    QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                     [use](const QString& path) { use(path); });
    dialog->open();
}

void writeLesson(MainWindow& window, const QString& path, const std::string& lesson)
{
    if (const auto done = writeFile(path.toStdString(), lesson); !done)
        window.refuse(coreSentence(done.error().message));
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
        window.refuse(coreSentence(after.error().message));
    else
        writeLesson(window, path, *after);
}

/// Where it takes nothing from the timeline: over the panel of the schedule, and over the lesson
/// where there is no room for both.
void placeEditor(MainWindow& window, QDockWidget* editor)
{
    constexpr int roomy = 1500; // pixels, for a lesson, lanes and an editor beside each other
    if (editor->isFloating())
        return;
    const auto stands = [&window](const char* id) {
        QDockWidget* dock = window.dock(QString::fromLatin1(id));
        return dock != nullptr && dock->isVisible() && !dock->isFloating() ? dock : nullptr;
    };
    QDockWidget* lesson = stands("lesson");
    if (lesson != nullptr && window.width() < roomy)
        window.tabifyDockWidget(lesson, editor);
    else if (QDockWidget* schedule = stands("schedule"); schedule != nullptr && lesson == nullptr)
        window.tabifyDockWidget(schedule, editor);
    else
        window.addDockWidget(Qt::RightDockWidgetArea, editor);
}

/// An editor beside what it edits. It goes when it is closed.
QDockWidget* showEditor(MainWindow& window, QWidget* editor, const QString& title)
{
    auto* dock = new QDockWidget(title, &window);
    dock->setObjectName(QStringLiteral("lesson-editor"));
    dock->setAttribute(Qt::WA_DeleteOnClose);
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable |
                      QDockWidget::DockWidgetFloatable);
    dock->setWidget(editor);
    window.addDockWidget(Qt::RightDockWidgetArea, dock);
    placeEditor(window, dock);
    dock->show();
    dock->raise();
    // It is of this window's lessons; what is kept of the layout does not know it.
    QObject::connect(&window, &MainWindow::closing, dock, [dock] { delete dock; });
    return dock;
}

void editLevel(MainWindow& window, LessonRoom* room, LevelEditor::Origin origin)
{
    auto* editor = new LevelEditor(std::move(origin));
    QDockWidget* dock = showEditor(window, editor, MainWindow::tr("New level"));
    QObject::connect(editor, &LevelEditor::closeAsked, dock, &QDockWidget::close);
    QObject::connect(editor, &LevelEditor::tryAsked, room,
                     [&window, room, dock](const std::string& written) {
                         auto lesson = readLesson(written, "new-level");
                         if (!lesson)
                             return window.refuse(coreSentence(lesson.error().message));
                         room->show({std::move(*lesson), written, 0, {}});
                         placeEditor(window, dock);
                         room->dock().raise(); // what is tried is in front
                     });
    QObject::connect(editor, &LevelEditor::saveAsked, editor, [&window, editor] {
        const auto& draft = editor->provenDraft();
        askFile(editor, fileName(draft ? text(draft->title) : QString()),
                MainWindow::tr("Save the lesson"), [&window, editor](const QString& path) {
                    if (editor->proven())
                        writeLesson(window, path, editor->lessonText());
                });
    });
    QObject::connect(editor, &LevelEditor::addAsked, editor, [&window, editor] {
        askFile(editor, QString(), MainWindow::tr("Add to a lesson"),
                [&window, editor](const QString& path) {
                    if (editor->provenDraft())
                        addToLesson(window, path, *editor->provenDraft());
                });
    });
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
                return [&window, why = coreSentence(base.error().message)] { window.refuse(why); };
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

/// The lesson's file as the editor has it.
Result<std::string> editedLesson(const StepEditor& editor, const std::string& source,
                                 std::size_t step, const std::string& language)
{
    const auto words = withWords(source, step, editor.words(), language);
    return words ? withParts(*words, step, editor.parts(), language) : words;
}

/// What stands in the level that is edited goes to the editor.
void connectStands(MainWindow& window, LessonRoom* room, StepEditor* editor, int step)
{
    const auto give = [&window, room, editor, step](void (StepEditor::*take)(const Project&)) {
        const Project* stands = room->levelProject();
        if (stands == nullptr || room->step() != step)
            return window.refuse(MainWindow::tr("The level of this step is not open."));
        (editor->*take)(*stands);
    };
    QObject::connect(editor, &StepEditor::startAsked, room,
                     [give] { give(&StepEditor::takeStart); });
    QObject::connect(editor, &StepEditor::demonstrationAsked, room,
                     [give] { give(&StepEditor::takeDemonstration); });
}

/// The page of the level that is open; null: none is.
SchedulePage* pageOfLevel(MainWindow& window, const LessonRoom& room)
{
    for (Page* one : window.pages())
        if (auto* const page = qobject_cast<SchedulePage*>(one);
            page != nullptr && &page->document().project() == room.levelProject())
            return page;
    return nullptr;
}

/// What is done in the level while the editor records is its demonstration, act by act.
void connectRecording(MainWindow& window, LessonRoom* room, StepEditor* editor, int step)
{
    QObject::connect(
        editor, &StepEditor::recordToggled, room,
        [&window, room, editor, step, recording = QPointer<QObject>()](bool on) mutable {
            delete recording.data();
            if (!on)
                return editor->endRecording();
            SchedulePage* page = pageOfLevel(window, *room);
            if (page == nullptr || room->step() != step) {
                editor->endRecording();
                return window.refuse(MainWindow::tr("The level of this step is not open."));
            }
            const LessonLevel& level = *room->lesson().steps[static_cast<std::size_t>(step)].level;
            editor->beginRecording(level, page->document().project());
            recording = new QObject(editor);
            QObject::connect(
                &page->document(), &ScheduleDocument::resultChanged, recording.data(),
                [room, editor, step, document = &page->document()] {
                    if (room->step() != step || &document->project() != room->levelProject())
                        return editor->endRecording();
                    editor->record(*room->lesson().steps[static_cast<std::size_t>(step)].level,
                                   document->project());
                });
        });
}

/// Checks what the editor has beside the window.
void checkEdited(StepEditor* editor, const std::string& source, std::size_t step,
                 const std::string& language)
{
    auto edited = editedLesson(*editor, source, step, language);
    if (!edited)
        return editor->showCheck(fail(edited.error()));
    inBackground(editor, [editor, step, edited = *edited]() -> std::function<void()> {
        return [editor, check = std::make_shared<Result<StepCheck>>(checkStep(edited, step))] {
            editor->showCheck(*check);
        };
    });
}

void editStep(MainWindow& window, LessonRoom* room)
{
    const std::string source = room->source();
    const int step = room->step();
    const auto at = static_cast<std::size_t>(step);
    auto* editor = new StepEditor(room->lesson(), source, at, room->language());
    QDockWidget* dock = showEditor(window, editor, MainWindow::tr("Edit the step"));
    QObject::connect(editor, &StepEditor::closeAsked, dock, &QDockWidget::close);
    connectStands(window, room, editor, step);
    connectRecording(window, room, editor, step);
    const std::string language = room->language().toStdString();
    QObject::connect(editor, &StepEditor::checkAsked, editor,
                     [editor, source, at, language] { checkEdited(editor, source, at, language); });
    QObject::connect(editor, &StepEditor::saveAsked, editor,
                     [&window, room, editor, dock, source, step, at, language] {
                         const auto changed = editedLesson(*editor, source, at, language);
                         if (!changed)
                             return window.refuse(coreSentence(changed.error().message));
                         askFile(
                             editor, text(room->lesson().id), MainWindow::tr("Save the lesson"),
                             [&window, room, dock, written = *changed, step](const QString& path) {
                                 writeLesson(window, path, written);
                                 if (auto lesson = readLesson(
                                         written, QFileInfo(path).completeBaseName().toStdString()))
                                     room->show({std::move(*lesson), written, step, {}});
                                 dock->close();
                             });
                     });
}

/// The lesson that is open, on paper.
void saveHandout(MainWindow& window, LessonRoom* room)
{
    auto* dialog = new QFileDialog(&window, MainWindow::tr("Handout"), QString(),
                                   MainWindow::tr("PDF (*.pdf)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("pdf"));
    dialog->selectFile(text(room->lesson().id) + QStringLiteral(".pdf"));
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
                window.refuse(coreSentence(done.error().message));
        });
    dialog->open();
}

} // namespace

void addLessonEditing(MainWindow& window, LessonRoom* room)
{
    window.commands().add(
        {.id = QStringLiteral("learn.new-level"),
         .menu = Menu::Learn,
         .text = MainWindow::tr("New le&vel from this…"),
         .tip = MainWindow::tr("Makes a lesson file of the schedule or the run in front: its times "
                               "are locked, its order is to be reached or beaten."),
         .group = 25,
         .submenu = MainWindow::tr("Make lessons"),
         .whyNot = [&window] { return whyNoOrigin(window); }},
        room, [&window, room] { newLevel(window, room); });
    window.commands().add(
        {.id = QStringLiteral("learn.edit"),
         .menu = Menu::Learn,
         .text = MainWindow::tr("&Edit this step…"),
         .tip = MainWindow::tr(
             "Other words, goals, start and demonstration for the step that is open, in a "
             "file of your own."),
         .group = 25,
         .submenu = MainWindow::tr("Make lessons"),
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
         .submenu = MainWindow::tr("Make lessons"),
         .whyNot =
             [room] { return room->running() ? QString() : MainWindow::tr("No lesson is open."); }},
        room, [&window, room] { saveHandout(window, room); });
}

} // namespace pw::ui
