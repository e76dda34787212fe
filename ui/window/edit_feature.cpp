// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QUndoGroup>

namespace pw::ui {

void addEditing(MainWindow& window)
{
    QUndoGroup& history = window.undoGroup();
    window.commands().add({.id = QStringLiteral("edit.undo"),
                           .menu = Menu::Edit,
                           .text = MainWindow::tr("Undo"),
                           .keys = QKeySequence::Undo,
                           .toolbar = 10},
                          history.createUndoAction(&window, MainWindow::tr("Undo")));
    window.commands().add({.id = QStringLiteral("edit.redo"),
                           .menu = Menu::Edit,
                           .text = MainWindow::tr("Redo"),
                           .keys = QKeySequence::Redo,
                           .toolbar = 11},
                          history.createRedoAction(&window, MainWindow::tr("Redo")));
}

} // namespace pw::ui
