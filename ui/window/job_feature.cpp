// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
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
         .tip =
             MainWindow::tr("Opens replicas, stages and steps of a run beside each other: who is "
                            "slow, why, and what repairs would gain."),
         .group = 70,
         .whyNot =
             [shownRun] {
                 return shownRun() == nullptr
                            ? MainWindow::tr(
                                  "No run is in front: open the run whose job is to be shown.")
                            : QString();
             }},
        &window, [&window, shownRun] {
            if (const RunPage* page = shownRun())
                openKeptJob(window, page->store(), page->run());
        });
}

} // namespace pw::ui
