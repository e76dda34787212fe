// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/features.h"

#include "ui/window/main_window.h"
#include "ui/window/studio.h"

#include <QDockWidget>

namespace pw::ui {

void addFeatures(Studio& studio)
{
    MainWindow& window = studio.window;
    // First: before the layout is kept on closing, panels are where they are beside schedules.
    addDocks(window);
    addKeeping(studio);
    addRemote(window);
    addImporting(window);
    addEditing(window);
    PalettePanel& palette = addComposing(window);
    addPasses(window);
    addAnnotating(window);
    addClipboard(window);
    addFinishing(window);
    addBench(window);
    addViewing(window);
    rememberGround(window);
    addSpec(window);
    addExplaining(studio);
    addRuns(studio);
    addQueries(studio);
    addKeptTraces(studio);
    addJobs(studio);
    addRunning(studio);
    addImproving(studio);
    addAlternatives(studio);
    addNoise(window);
    addPlanning(window);
    addAdvice(studio);
    addAdaptive(window);
    addCommunication(window);
    addProblems(window);
    addNotes(window);
    addLessons(studio, palette);
    addSharing(window);
    addPresenting(window);
    addHelp(studio);
    // Of the panels below the timeline the runs stand in front, and the timeline has the room.
    if (auto* runs = window.dock(QStringLiteral("runs"))) {
        runs->raise();
        window.resizeDocks({runs}, {window.fontMetrics().height() * 13}, Qt::Vertical);
    }
}

} // namespace pw::ui
