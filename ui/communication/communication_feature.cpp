// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/communication/communication_page.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

namespace pw::ui {

namespace {

QString whyNoCommunication(const MainWindow& window)
{
    const SchedulePage* page = window.schedulePage();
    if (page == nullptr)
        return MainWindow::tr("No schedule is in front.");
    const ScheduleDocument& document = page->document();
    if (document.schedule() != nullptr)
        return {};
    return document.problem().isEmpty() ? MainWindow::tr("The schedule is empty.")
                                        : document.problem();
}

} // namespace

void addCommunication(MainWindow& window)
{
    window.commands().add(
        {.id = QStringLiteral("schedule.communication"),
         .menu = Menu::Schedule,
         .text = MainWindow::tr("Comm&unication"),
         .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+U")),
         .tip = MainWindow::tr("Opens every device into its passes, sends, receives and gathers, "
                               "as an engine executes them; they can be moved."),
         .group = 15,
         .whyNot = [&window] { return whyNoCommunication(window); }},
        &window, [&window] {
            const ScheduleDocument& document = window.schedulePage()->document();
            window.addPage(
                new CommunicationPage(document.title(), document.schedule(), document.costs()));
        });
}

} // namespace pw::ui
