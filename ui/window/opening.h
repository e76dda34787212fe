// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>
#include <QStringList>

namespace pw::ui {

class MainWindow;

/// Opens a file of any format that is read in a new tab; one that is open comes to the front. A
/// project keeps its path; what is read from another format is saved as a project of its own. A
/// costs file becomes the costs of the schedule in front, a lesson opens in its dock. A large file
/// is read in a thread. A trace of another program or a folder of them is imported in a dialog.
/// What a file is `fileContent` says, by its content. A place on another machine (ssh://host/path)
/// is brought in a dialog first.
///
/// A file that cannot be read is told, with its problems, and changes nothing.
///
/// @return  false: it cannot be read; true: it is open, or is being read
bool openFile(MainWindow& window, const QString& path);

/// Opens several; those that are traces are the ranks of one.
void openFiles(MainWindow& window, const QStringList& paths);

/// What the file dialog offers.
QString readableFilter();

} // namespace pw::ui
