// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/problems_panel.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/no_schedule.h"
#include "ui/window/page_docks.h"
#include "ui/window/schedule_page.h"

#include <QDockWidget>

namespace pw::ui {

void addProblems(MainWindow& window)
{
    auto* panel = new ProblemsPanel(&window);
    QDockWidget* dock = window.addDock(QStringLiteral("problems"), MainWindow::tr("Problems"),
                                       panel, Qt::BottomDockWidgetArea, besideSchedules);
    // One place for lists below the timeline; what was there stays in front.
    if (auto* runs = window.dock(QStringLiteral("runs")); runs != nullptr) {
        window.tabifyDockWidget(runs, dock);
        runs->raise();
    }
    const auto bringUp = [dock] {
        dock->show();
        dock->raise();
    };
    QObject::connect(&window, &MainWindow::pageChanged, panel, [&window, panel] {
        SchedulePage* page = window.schedulePage();
        panel->setDocument(page != nullptr ? &page->document() : nullptr);
    });
    QObject::connect(&window, &MainWindow::pageAdded, panel, [bringUp, panel](Page* page) {
        if (auto* schedule = qobject_cast<SchedulePage*>(page))
            QObject::connect(schedule, &SchedulePage::problemsAsked, panel, [bringUp, panel] {
                bringUp();
                panel->setFocus();
            });
    });
    QObject::connect(
        panel, &ProblemsPanel::chosen, &window, [&window](SpanRef span, const QString& sentence) {
            if (SchedulePage* page = window.schedulePage(); page != nullptr && span.valid())
                page->timeline().select(span);
            window.tell(sentence);
        });
    window.commands().add(
        {.id = QStringLiteral("schedule.next-problem"),
         .menu = Menu::Edit,
         .text = MainWindow::tr("&Next problem"),
         .keys = QKeySequence(MainWindow::tr("F8")),
         .tip = MainWindow::tr("Selects the next pass that is missing something or breaks a rule."),
         .group = 10,
         .submenu = MainWindow::tr("Find"),
         .whyNot =
             [&window, panel] {
                 SchedulePage* page = window.schedulePage();
                 if (page == nullptr)
                     return noSchedule(window);
                 return page->document().problem().isEmpty() && !panel->any()
                            ? MainWindow::tr("Every pass has its place.")
                            : QString();
             }},
        panel, [bringUp, panel] {
            bringUp();
            panel->chooseNext();
        });
}

} // namespace pw::ui
