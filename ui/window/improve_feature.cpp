// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/improve/improve_panel.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/page_docks.h"
#include "ui/window/schedule_page.h"

#include <QDockWidget>

namespace pw::ui {

namespace {

ScheduleDocument* documentInFront(const MainWindow& window)
{
    SchedulePage* page = window.schedulePage();
    return page != nullptr ? &page->document() : nullptr;
}

} // namespace

Improver& addImproving(MainWindow& window)
{
    auto* improver = new Improver(&window);
    improver->setObjectName(QStringLiteral("improver"));
    auto* panel = new ImprovePanel(*improver, &window);
    QDockWidget* dock = window.addDock(QStringLiteral("improve"), MainWindow::tr("Improve"), panel,
                                       Qt::BottomDockWidgetArea, besideSchedules);
    if (auto* run = window.dock(QStringLiteral("run")))
        window.tabifyDockWidget(run, dock);
    const auto start = [&window, improver, panel, dock] {
        dock->show();
        dock->raise();
        ScheduleDocument* document = documentInFront(window);
        if (const QString why = improver->whyNot(document); !why.isEmpty())
            window.refuse(why);
        else
            improver->start(*document, panel->wish());
    };
    QObject::connect(panel, &ImprovePanel::startAsked, &window, start);
    const auto follow = [&window, panel] { panel->setDocument(documentInFront(window)); };
    QObject::connect(&window, &MainWindow::pageChanged, panel, follow);
    QObject::connect(&window, &MainWindow::figuresChanged, panel, follow);
    QObject::connect(&window, &MainWindow::closing, improver, &Improver::stop);
    QObject::connect(improver, &Improver::ended, &window,
                     [&window](const QString& sentence, bool refusal) {
                         if (refusal)
                             window.refuse(sentence);
                         else
                             window.tell(sentence);
                         // What was proven is said wherever the bound of the schedule is.
                         window.noteProven();
                     });
    Commands& commands = window.commands();
    QObject::connect(improver, &Improver::changed, &commands, &Commands::refresh);
    commands.add(
        {.id = QStringLiteral("schedule.improve"),
         .menu = Menu::Schedule,
         .text = MainWindow::tr("Impro&ve"),
         .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+I")),
         .tip = MainWindow::tr("Looks for a shorter order of the same passes; each one that "
                               "is found is a step of the history."),
         .group = 10,
         .toolbar = 41,
         .whyNot = [&window, improver] { return improver->whyNot(documentInFront(window)); }},
        improver, start);
    commands.add({.id = QStringLiteral("schedule.stop-improving"),
                  .menu = Menu::Schedule,
                  .text = MainWindow::tr("Stop improvin&g"),
                  .tip = MainWindow::tr("Ends the search; what was found stays."),
                  .group = 10,
                  .whyNot =
                      [improver] {
                          return improver->searching() && !improver->stopping()
                                     ? QString()
                                     : MainWindow::tr("Nothing is being improved.");
                      }},
                 improver, [improver] { improver->stop(); });
    return *improver;
}

} // namespace pw::ui
