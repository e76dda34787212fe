// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QStringList>

namespace pw::ui {

class MainWindow;

/// Reads files and folders as one trace. Where the order of its passes is found a dialog shows what
/// is in it, and offers to keep it as a run or to plan from it; else everything in it is a page at
/// once. A dialog with the progress comes where reading takes longer than a moment; the window is
/// shown on meanwhile and takes no input.
/// @param paths  not empty
void importTraces(MainWindow& window, const QStringList& paths);

} // namespace pw::ui
