// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/runs/run_history.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/query_page.h"
#include "ui/window/studio.h"

namespace pw::ui {

void addQueries(Studio& studio)
{
    MainWindow& window = studio.window;
    const RunHistory* history = &studio.history;
    window.commands().add({.id = QStringLiteral("traces.sql"),
                           .menu = Menu::Traces,
                           .text = MainWindow::tr("Ask the store in &SQL"),
                           .tip = MainWindow::tr("Puts a question to the runs and traces that are "
                                                 "kept; they are only read."),
                           .group = 80},
                          &window, [&window, history] {
                              auto* page = new QueryPage(history->path());
                              window.addPage(page);
                              page->setFocus();
                          });
}

} // namespace pw::ui
