// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QStringList>

namespace pw::ui {

class MainWindow;

/// Reads files and folders as one trace, in a dialog that shows what is in it and offers to keep it
/// as a run or to plan from it. The window is shown on meanwhile and takes no input.
/// @param paths  not empty
void importTraces(MainWindow& window, const QStringList& paths);

} // namespace pw::ui
