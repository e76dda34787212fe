// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/commands.h"
#include "ui/window/comparisons.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/studio.h"

namespace pw::ui {

void addAlternatives(Studio& studio)
{
    MainWindow& window = studio.window;
    Comparisons* comparisons = &studio.comparisons;
    window.commands().add(
        {.id = QStringLiteral("schedule.alternatives"),
         .menu = Menu::Schedule,
         .text = MainWindow::tr("Alt&ernatives…"),
         .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+G")),
         .tip = MainWindow::tr("Every other way to run the schedule or the run in front: families "
                               "by time and memory, what-ifs, noise, better orders, sweeps."),
         .group = 15,
         .submenu = MainWindow::tr("Alternatives")},
        comparisons, [comparisons] { comparisons->openAlternatives(AlternativesTab::Families); });
    window.commands().add(
        {.id = QStringLiteral("schedule.what-if"),
         .menu = Menu::Schedule,
         .text = MainWindow::tr("&What if…"),
         .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+W")),
         .tip = MainWindow::tr("Predicts the schedule or the run in front with another link, "
                               "family, number of devices or micro-batches."),
         .group = 15,
         .submenu = MainWindow::tr("Alternatives"),
         .whyNot = [&window] { return whyNothingInFront(window); }},
        comparisons, [comparisons] { comparisons->openAlternatives(AlternativesTab::WhatIf); });
}

} // namespace pw::ui
