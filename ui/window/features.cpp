// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/features.h"

#include "ui/window/main_window.h"

#include <QDockWidget>

namespace pw::ui {

void addFeatures(MainWindow& window)
{
    // Before the layout is kept on closing, panels that have stepped back are where they were.
    addDocks(window);
    addKeeping(window);
    addImporting(window);
    addEditing(window);
    addComposing(window);
    addClipboard(window);
    addFinishing(window);
    addBench(window);
    addViewing(window);
    addSpec(window);
    addExplaining(window);
    addRuns(window);
    addQueries(window);
    addRunning(window);
    addImproving(window);
    addRanking(window);
    addPlanning(window);
    addWhatIf(window);
    addProblems(window);
    addNotes(window);
    addLessons(window);
    addSharing(window);
    addPresenting(window);
    addHelp(window);
    // Of the panels below the timeline the runs stand in front, and the timeline has the room.
    if (auto* runs = window.findChild<QDockWidget*>(QStringLiteral("runs"))) {
        runs->raise();
        window.resizeDocks({runs}, {window.fontMetrics().height() * 12}, Qt::Vertical);
    }
}

} // namespace pw::ui
