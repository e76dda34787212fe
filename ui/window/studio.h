// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/store/run_store.h"

#include <QString>

#include <functional>

namespace pw::ui {

class Autosave;
class Comparisons;
class Connections;
class Improver;
class MainWindow;
class ManualWindow;
class RemoteFiles;
class RunHistory;

/// What the features of a window share beside the window itself: services, each made once and
/// before the first feature. A feature takes what it uses when it is made.
class Studio
{
public:
    /// Makes the services; the window owns them.
    explicit Studio(MainWindow& window);

    /// Shows a run of the store in its tab.
    void openRun(RunNumber number);
    /// Brings the manual to the front, in a window beside this one that stays open; there is one.
    ManualWindow& openManual();

    MainWindow& window;
    RunHistory& history;      ///< the runs of the store that is in use
    Comparisons& comparisons; ///< of open schedules and runs
    Improver& improver;       ///< looks for better orders of an open schedule
    Autosave& autosave;       ///< copies of changed schedules
    Connections& connections; ///< ways to executors, as they are kept
    RemoteFiles& remote;      ///< what was brought from other machines
    /// Opens a lesson of a file in the dock of lessons, which sets it. @error as of `readLesson`
    std::function<Result<void>(const QString& path)> openLesson;

private:
    ManualWindow* m_manual = nullptr; ///< null: was not opened yet
};

} // namespace pw::ui
