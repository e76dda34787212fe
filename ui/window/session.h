// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/colors.h"

#include <QStringList>

namespace pw::ui {

class MainWindow;

// What a session of the program begins with; a window of a test does without.

/// The ground that a person has chosen, else the desktop's.
Ground chosenGround();

/// Gives the window the place and the docks that it had.
void restoreLayout(MainWindow& window);

/// The command that shows the welcome.
void addWelcome(MainWindow& window);

/// After the program has become another version, says where its changes are told.
void tellNews(MainWindow& window);

/// Shows the window with files opened in it, and begins the welcome. The window comes first: a box
/// that says what is wrong with a file would stand behind it.
void beginSession(MainWindow& window, const QStringList& files);

/// Shows the welcome now, and from now on whenever nothing is open; looks for what a crash left.
void beginWelcome(MainWindow& window);

} // namespace pw::ui
