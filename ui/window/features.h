// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

class QString;

namespace pw {
struct StoredAnswer;
}

namespace pw::ui {

class MainWindow;
class PalettePanel;
class Studio;

// A feature is one file NAME_feature.cpp: it makes its panels, docks and commands and connects
// them. It is given the window, or the services that the features share, and what else it works on;
// what others work on it gives back.

void addAdaptive(MainWindow& window);
void addAdvice(Studio& studio);
void addAlternatives(Studio& studio);
void addAnnotating(MainWindow& window);
void addBench(MainWindow& window);
void addClipboard(MainWindow& window);
void addCommunication(MainWindow& window);
PalettePanel& addComposing(MainWindow& window);
void addDocks(MainWindow& window);
void addEditing(MainWindow& window);
void addExplaining(Studio& studio);
void addFinishing(MainWindow& window);
void addHelp(Studio& studio);
void addImporting(MainWindow& window);
void addImproving(Studio& studio);
void addJobs(Studio& studio);
void addKeeping(Studio& studio);
void addKeptTraces(Studio& studio);
void addLessons(Studio& studio, PalettePanel& palette);
void addNoise(MainWindow& window);
void addNotes(MainWindow& window);
void addRemote(MainWindow& window);
void addRunning(Studio& studio);
void addPasses(MainWindow& window);
void addPlanning(MainWindow& window);
/// A new tab with a kept plan, asked again; false, and no tab, where the page has no fields for the
/// question.
bool reopenPlan(MainWindow& window, const StoredAnswer& answer);
void addPresenting(MainWindow& window);
void addProblems(MainWindow& window);
void addQueries(Studio& studio);
void addRuns(Studio& studio);
void addSharing(MainWindow& window);
void addSpec(MainWindow& window);
void addViewing(MainWindow& window);

/// Asks for a file of another machine in a dialog. @param url  brought at once; empty: none yet
void openRemote(MainWindow& window, const QString& url);

/// Keeps the choice of the switch of dark and light, which `addViewing` makes.
void rememberGround(MainWindow& window);

/// All of them.
void addFeatures(Studio& studio);

} // namespace pw::ui
