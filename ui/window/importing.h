// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/activity_store.h"

#include <QStringList>

#include <string>

namespace pw::ui {

class MainWindow;
struct ImportedTrace;

/// Reads files and folders as one trace. Where the order of its passes is found a dialog shows what
/// is in it, and offers to keep it as a run or to plan from it; else everything in it is a page at
/// once. A dialog with the progress comes where reading takes longer than a moment; the window is
/// shown on meanwhile and takes no input.
/// @param paths  not empty
void importTraces(MainWindow& window, const QStringList& paths);

/// Keeps such a trace as a run of a store: its passes, where their order was found, and all else.
/// In any thread. @error  as of `keepWholeTrace`
Result<RunNumber> keepImported(const ImportedTrace& imported, const std::string& store,
                               const std::string& title, const KeepOn& goOn = {});

} // namespace pw::ui
