// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/runs/run_history.h"
#include "ui/window/activity_page.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/jobs.h"
#include "ui/window/main_window.h"
#include "ui/window/run_page.h"
#include "ui/window/studio.h"

namespace pw::ui {

void addJobs(Studio& studio)
{
    MainWindow& window = studio.window;
    const auto shownRun = [&window] { return qobject_cast<RunPage*>(window.page()); };
    window.commands().add(
        {.id = QStringLiteral("traces.job"),
         .menu = Menu::Traces,
         .text = MainWindow::tr("Show the &job of this run"),
         .tip = MainWindow::tr("Opens replicas, stages and steps of an imported run beside each "
                               "other: who is slow, why, and what repairs would gain."),
         .group = 70,
         .whyNot =
             [&studio, shownRun] {
                 const RunPage* page = shownRun();
                 const StoredRun* run = page != nullptr ? studio.history.run(page->run()) : nullptr;
                 return page == nullptr
                            ? MainWindow::tr(
                                  "No run is in front: open the run whose job is to be shown.")
                        : run != nullptr && run->environment.backend != "import"
                            ? MainWindow::tr("This run was not imported from a trace.")
                            : QString();
             }},
        &window, [&window, shownRun] {
            if (const RunPage* page = shownRun())
                openKeptJob(window, page->store(), page->run());
        });
}

} // namespace pw::ui
