// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/run_store.h"
#include "ui/traces/shown_activity.h"

#include <QString>

namespace pw::ui {

class ActivityPage;
class MainWindow;

/// A new tab with everything that a trace holds, from which it can be kept as a run.
ActivityPage* openActivity(MainWindow& window, const ShownActivityPtr& activity,
                           const QString& title);

/// Reads the trace of a kept run beside the window's work, and opens a tab with everything in it.
void openKeptTrace(MainWindow& window, const QString& store, RunNumber run);

} // namespace pw::ui
