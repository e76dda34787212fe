// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/drag_controller.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/no_schedule.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QUndoGroup>

namespace pw::ui {

namespace {

QString noPass(MainWindow& window)
{
    SchedulePage* page = window.schedulePage();
    if (page == nullptr)
        return noSchedule(window);
    return page->timeline().current().valid() ? QString() : MainWindow::tr("No pass is selected.");
}

/// Passes are moved by the mouse and by keys.
void addMoving(MainWindow& window)
{
    QObject::connect(&window, &MainWindow::pageAdded, &window, [&window](Page* page) {
        if (auto* schedule = qobject_cast<SchedulePage*>(page))
            QObject::connect(&schedule->drag(), &DragController::refused, &window,
                             &MainWindow::refuse);
    });
    const auto add = [&window](const QString& id, const QString& text, const QString& keys,
                               const QString& tip, auto run) {
        window.commands().add({.id = id,
                               .menu = Menu::Edit,
                               .text = text,
                               .keys = QKeySequence(keys),
                               .tip = tip,
                               .group = 30,
                               .submenu = MainWindow::tr("Select and move"),
                               .whyNot = [&window] { return noPass(window); }},
                              &window, [&window, run] {
                                  if (SchedulePage* page = window.schedulePage(); page != nullptr)
                                      run(page->drag());
                              });
    };
    add(QStringLiteral("edit.earlier"), MainWindow::tr("Move &earlier"), MainWindow::tr("Alt+Left"),
        MainWindow::tr("Moves the selected passes one place forward on their devices."),
        [](DragController& drag) { drag.moveByOne(-1); });
    add(QStringLiteral("edit.later"), MainWindow::tr("Move &later"), MainWindow::tr("Alt+Right"),
        MainWindow::tr("Moves the selected passes one place back on their devices."),
        [](DragController& drag) { drag.moveByOne(1); });
    add(QStringLiteral("edit.strand"), MainWindow::tr("Select whole &micro-batch"),
        MainWindow::tr("Ctrl+M"),
        MainWindow::tr("Selects every pass of the selected pass's micro-batch, on all devices."),
        [](DragController& drag) { drag.selectStrand(); });
}

void addFreeEdit(MainWindow& window)
{
    QAction* free = window.commands().add(
        {.id = QStringLiteral("schedule.free-edit"),
         .menu = Menu::Schedule,
         .text = MainWindow::tr("Free ed&it"),
         .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+F")),
         .tip = MainWindow::tr("Passes may go where they break a rule; what is broken is listed."),
         .whyNot = [&window] { return noSchedule(window); }},
        &window, [] {});
    free->setCheckable(true);
    const auto follow = [&window, free] {
        SchedulePage* page = window.schedulePage();
        free->setChecked(page != nullptr && page->document().freeEdit());
    };
    QObject::connect(free, &QAction::triggered, &window, [&window](bool on) {
        SchedulePage* page = window.schedulePage();
        if (page == nullptr)
            return;
        page->document().setFreeEdit(on);
        if (on)
            window.tell(MainWindow::tr("Passes go where they are put; what breaks a rule is "
                                       "listed under Problems."));
        else
            window.tell(page->document().problem().isEmpty()
                            ? MainWindow::tr("The rules are kept.")
                            : MainWindow::tr("The rules are kept from here on; what is wrong "
                                             "already stays until it is put right."));
    });
    QObject::connect(&window, &MainWindow::pageChanged, free, follow);
    QObject::connect(&window, &MainWindow::pageAdded, free, [free, follow](Page* page) {
        if (auto* schedule = qobject_cast<SchedulePage*>(page))
            QObject::connect(&schedule->document(), &ScheduleDocument::freeEditChanged, free,
                             follow);
    });
}

/// A family that takes long is computed beside the window's work; that can be stopped.
void addComputing(MainWindow& window)
{
    QObject::connect(&window, &MainWindow::pageAdded, &window, [&window](Page* page) {
        if (auto* schedule = qobject_cast<SchedulePage*>(page))
            QObject::connect(&schedule->document(), &ScheduleDocument::refused, &window,
                             &MainWindow::refuse);
    });
    window.commands().add(
        {.id = QStringLiteral("schedule.stop-computing"),
         .menu = Menu::Schedule,
         .text = MainWindow::tr("Stop &computing"),
         .tip = MainWindow::tr("Gives up the schedule that is being computed; what there was "
                               "stays."),
         .group = 10,
         .submenu = MainWindow::tr("Better order"),
         .whyNot =
             [&window] {
                 SchedulePage* page = window.schedulePage();
                 return page != nullptr && page->document().computing()
                            ? QString()
                            : MainWindow::tr("Nothing is being computed.");
             }},
        &window, [&window] {
            if (SchedulePage* page = window.schedulePage(); page != nullptr)
                page->document().cancelComputing();
        });
}

/// Undo takes back what was asked for last, also where that is still being computed.
void stopComputingFirst(MainWindow& window, QAction& undo)
{
    QUndoGroup& history = window.undoGroup();
    QObject::disconnect(&undo, nullptr, &history, nullptr);
    QObject::connect(&undo, &QAction::triggered, &history, [&window, &history] {
        SchedulePage* page = window.schedulePage();
        if (page != nullptr && page->document().computing() && !page->document().unmade())
            page->document().cancelComputing();
        else
            history.undo();
    });
}

} // namespace

void addEditing(MainWindow& window)
{
    QUndoGroup& history = window.undoGroup();
    QAction* undo = history.createUndoAction(&window, MainWindow::tr("Undo"));
    stopComputingFirst(window, *undo);
    window.commands().add({.id = QStringLiteral("edit.undo"),
                           .menu = Menu::Edit,
                           .text = MainWindow::tr("Undo"),
                           .keys = QKeySequence::Undo,
                           .toolbar = 10,
                           .whyNot =
                               [&history] {
                                   return history.canUndo() ? QString()
                                                            : MainWindow::tr("Nothing has been "
                                                                             "changed here yet.");
                               }},
                          undo);
    window.commands().add({.id = QStringLiteral("edit.redo"),
                           .menu = Menu::Edit,
                           .text = MainWindow::tr("Redo"),
                           .keys = QKeySequence::Redo,
                           .toolbar = 11,
                           .whyNot =
                               [&history] {
                                   return history.canRedo() ? QString()
                                                            : MainWindow::tr("Nothing has been "
                                                                             "undone.");
                               }},
                          history.createRedoAction(&window, MainWindow::tr("Redo")));
    const auto askAgain = [&window] { window.commands().refresh(); };
    QObject::connect(&history, &QUndoGroup::canUndoChanged, &window, askAgain);
    QObject::connect(&history, &QUndoGroup::canRedoChanged, &window, askAgain);
    addMoving(window);
    addComputing(window);
    addFreeEdit(window);
}

} // namespace pw::ui
