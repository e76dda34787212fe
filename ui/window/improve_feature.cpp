// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "ui/improve/improver.h"
#include "ui/text.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

namespace pw::ui {

namespace {

ScheduleDocument* documentInFront(const MainWindow& window)
{
    SchedulePage* page = window.schedulePage();
    return page != nullptr ? &page->document() : nullptr;
}

/// How far the search is, in the status line.
void tellProgress(MainWindow& window, const Improver& improver)
{
    if (!improver.searching() || improver.stopping())
        return;
    const ImproveState& state = improver.state();
    const QString now = text(timeText(state.best));
    window.tell(state.bound > 0 ? MainWindow::tr("Improving: %1 now, at least %2 in any order.")
                                      .arg(now, text(timeText(state.bound)))
                                : MainWindow::tr("Improving: %1 now.").arg(now));
}

} // namespace

void addImproving(Studio& studio)
{
    MainWindow& window = studio.window;
    Improver* improver = &studio.improver;
    QObject::connect(&window, &MainWindow::closing, improver, &Improver::stop);
    QObject::connect(improver, &Improver::changed, &window,
                     [&window, improver] { tellProgress(window, *improver); });
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
         .tip = MainWindow::tr("Looks for a shorter order of the same passes; each one that is "
                               "found is a step of the history. Alternatives has its fields."),
         .group = 10,
         .submenu = MainWindow::tr("Better order"),
         .toolbar = 41,
         .whyNot = [&window, improver] { return improver->whyNot(documentInFront(window)); }},
        improver, [&window, improver] { improver->start(*documentInFront(window), keptWish()); });
    commands.add({.id = QStringLiteral("schedule.stop-improving"),
                  .menu = Menu::Schedule,
                  .text = MainWindow::tr("Stop improvin&g"),
                  .tip = MainWindow::tr("Ends the search; what was found stays."),
                  .group = 10,
                  .submenu = MainWindow::tr("Better order"),
                  .whyNot =
                      [improver] {
                          return improver->searching() && !improver->stopping()
                                     ? QString()
                                     : MainWindow::tr("Nothing is being improved.");
                      }},
                 improver, [improver] { improver->stop(); });
}

} // namespace pw::ui
