// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/adaptive/adaptive_page.h"
#include "ui/core_sentences.h"
#include "ui/run/connection.h"
#include "ui/text.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

namespace pw::ui {

namespace {

void runAdaptive(MainWindow& window, AdaptivePage& page)
{
    // The choice beside the Run button, which is kept in the settings.
    const Connections connections;
    const Result<QStringList> words = commandWords(connections.current().command);
    if (!words)
        window.refuse(coreSentence(words.error().message));
    else
        page.run(*words);
}

void openAdaptive(MainWindow& window)
{
    auto* page = new AdaptivePage;
    if (SchedulePage* front = window.schedulePage(); front != nullptr)
        if (const int devices = front->document().draft().spec.devices; devices > 1)
            page->fields().setDevices(devices);
    QObject::connect(page, &AdaptivePage::runAsked, page,
                     [&window, page] { runAdaptive(window, *page); });
    QObject::connect(page, &AdaptivePage::refused, &window, &MainWindow::refuse);
    QObject::connect(&window, &MainWindow::closing, page, &AdaptivePage::stop);
    window.addPage(page);
}

} // namespace

void addAdaptive(MainWindow& window)
{
    window.commands().add(
        {.id = QStringLiteral("schedule.adaptive"),
         .menu = Menu::Schedule,
         .text = MainWindow::tr("A&daptive k…"),
         .tip = MainWindow::tr("kFkB whose k follows the network: simulated, and run on the "
                               "connection with k and the network over time."),
         .group = 15,
         .submenu = MainWindow::tr("Alternatives")},
        &window, [&window] { openAdaptive(window); });
}

} // namespace pw::ui
