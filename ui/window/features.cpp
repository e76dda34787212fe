// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/features.h"

namespace pw::ui {

void addFeatures(MainWindow& window)
{
    addKeeping(window);
    addEditing(window);
    addComposing(window);
    addClipboard(window);
    addFinishing(window);
    addBench(window);
    addViewing(window);
    addSpec(window);
    addRuns(window);
    addRunning(window);
    addProblems(window);
    addNotes(window);
}

} // namespace pw::ui
