// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/notes_panel.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/page_docks.h"
#include "ui/window/schedule_page.h"

#include <QDockWidget>

namespace pw::ui {

void addNotes(MainWindow& window)
{
    auto* notes = new NotesPanel(&window);
    QDockWidget* dock = window.addDock(
        QStringLiteral("notes"), MainWindow::tr("Notes"), notes, Qt::BottomDockWidgetArea,
        [](const InFront& front) { return front.level || besideSchedules(front); });
    // A tab of what is there already: beside it the window would have to be wide.
    if (auto* runs = window.dock(QStringLiteral("runs")))
        window.tabifyDockWidget(runs, dock);
    dock->hide();
    QObject::connect(&window, &MainWindow::pageChanged, notes, [&window, notes] {
        SchedulePage* page = window.schedulePage();
        notes->setDocument(page != nullptr ? &page->document() : nullptr);
    });
}

} // namespace pw::ui
