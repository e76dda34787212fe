// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/studio.h"

#include "ui/help/manual_window.h"
#include "ui/improve/improver.h"
#include "ui/keep/autosave.h"
#include "ui/remote/remote_files.h"
#include "ui/run/connection.h"
#include "ui/runs/run_history.h"
#include "ui/runs/store_setting.h"
#include "ui/window/comparisons.h"
#include "ui/window/jobs.h"
#include "ui/window/kept_traces.h"
#include "ui/window/main_window.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"

#include <QStandardPaths>

namespace pw::ui {

namespace {

/// Copies of the window's changed schedules.
Autosave& makeAutosave(MainWindow& window)
{
    auto* autosave = new Autosave(
        QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
            QStringLiteral("/recovery"),
        [&window](Project project, const QString& path) -> ScheduleDocument& {
            return window.openProject(std::move(project), path).document();
        },
        &window);
    QObject::connect(&window, &MainWindow::pageAdded, autosave, [autosave](Page* page) {
        if (auto* schedule = qobject_cast<SchedulePage*>(page))
            autosave->watch(schedule->document());
    });
    QObject::connect(&window, &MainWindow::pageClosing, autosave, [autosave](Page* page) {
        if (auto* schedule = qobject_cast<SchedulePage*>(page))
            autosave->forget(schedule->document());
    });
    QObject::connect(&window, &MainWindow::closing, autosave, &Autosave::end);
    QObject::connect(autosave, &Autosave::refused, &window, &MainWindow::refuse);
    return *autosave;
}

} // namespace

Studio::Studio(MainWindow& theWindow)
    : window(theWindow)
    , history(*new RunHistory(storeFile(), &theWindow))
    , comparisons(*new Comparisons(theWindow, history))
    , improver(*new Improver(&theWindow))
    , autosave(makeAutosave(theWindow))
    , connections(*new Connections(localProgram(), &theWindow))
    , remote(*new RemoteFiles(&theWindow))
{
    improver.setObjectName(QStringLiteral("improver"));
    QObject::connect(&history, &RunHistory::refused, &window, &MainWindow::refuse);
}

ManualWindow& Studio::openManual()
{
    if (m_manual == nullptr)
        m_manual = new ManualWindow(&window);
    m_manual->show();
    m_manual->raise();
    m_manual->activateWindow();
    return *m_manual;
}

void Studio::openRun(RunNumber number)
{
    for (Page* page : window.pages()) {
        const auto* one = qobject_cast<RunPage*>(page);
        if (one != nullptr && one->run() == number && one->store() == history.path()) {
            window.showPage(page);
            return;
        }
    }
    // A trace of which no order is known has rows, but no timeline.
    const StoredRun* known = history.run(number);
    if (known != nullptr && known->passes == 0 && known->environment.backend == "import") {
        openKeptTrace(window, history.path(), number);
        return;
    }
    auto* page = new RunPage(history, number);
    QObject::connect(page, &RunPage::compareAsked, &comparisons,
                     [this, page] { comparisons.compareWithPlan(*page); });
    QObject::connect(page, &RunPage::jobAsked, &window,
                     [this, page] { openKeptJob(window, page->store(), page->run()); });
    window.addPage(page);
}

} // namespace pw::ui
