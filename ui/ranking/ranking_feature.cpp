// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/default_family.h"
#include "ui/ranking/ranking_page.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

namespace pw::ui {

namespace {

void openRanking(MainWindow& window)
{
    Project project = projectOf(defaultFamily, FamilyOptions{}, UniformCosts{});
    QString name = MainWindow::tr("equal stages");
    if (SchedulePage* page = window.schedulePage(); page != nullptr) {
        project = page->document().project();
        name = window.titleOf(*page);
    }
    auto* page = new RankingPage(std::move(project), name);
    QObject::connect(page, &RankingPage::openAsked, &window,
                     [&window](const Project& made) { window.openProject(made); });
    QObject::connect(page, &RankingPage::refused, &window, &MainWindow::refuse);
    window.addPage(page);
}

} // namespace

void addRanking(MainWindow& window)
{
    window.commands().add(
        {.id = QStringLiteral("schedule.ranking"),
         .menu = Menu::Schedule,
         .text = MainWindow::tr("Ran&king…"),
         .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+G")),
         .tip = MainWindow::tr("Ranks all families under the costs and the cap of the schedule in "
                               "front: time against memory, and sweeps."),
         .group = 15},
        &window, [&window] { openRanking(window); });
}

} // namespace pw::ui
