// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/plan/plan_page.h"
#include "ui/runs/run_history.h"
#include "ui/text.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

namespace pw::ui {

namespace {

/// A new tab for a plan.
PlanPage& openPlanning(MainWindow& window)
{
    auto* page = new PlanPage;
    QObject::connect(page, &PlanPage::openAsked, &window,
                     [&window](const Project& made) { window.openProject(made); });
    QObject::connect(page, &PlanPage::refused, &window, &MainWindow::refuse);
    QObject::connect(page, &PlanPage::keepAsked, &window,
                     [&window, page] { window.studio().history.keep(page->answer()); });
    window.addPage(page);
    return *page;
}

} // namespace

bool reopenPlan(MainWindow& window, const StoredAnswer& answer)
{
    PlanFields fields;
    return fields.take(text(answer.question)).isEmpty() && openPlanning(window).reopen(answer);
}

void addPlanning(MainWindow& window)
{
    window.commands().add(
        {.id = QStringLiteral("schedule.plan"),
         .menu = Menu::Schedule,
         .text = MainWindow::tr("P&lan…"),
         .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+L")),
         .tip = MainWindow::tr("Looks for the best parallelism, layer split and schedule for a "
                               "model on a cluster."),
         .group = 15},
        &window, [&window] { openPlanning(window); });
}

} // namespace pw::ui
