// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/run_store.h"
#include "ui/traces/shown_job.h"

#include <QString>

namespace pw::ui {

class JobPage;
class MainWindow;

/// A new tab with a job.
JobPage* openJob(MainWindow& window, const ShownJobPtr& job, const QString& title);

/// Reads the trace of a kept run beside the window's work, and opens a tab with its job; says so
/// where there is nothing to compare.
void openKeptJob(MainWindow& window, const QString& store, RunNumber run);

} // namespace pw::ui
