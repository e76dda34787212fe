// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/passes/pass_menu.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QMenu>

namespace pw::ui {

namespace {

PassMenu* menuInFront(const MainWindow& window)
{
    SchedulePage* page = window.schedulePage();
    return page != nullptr ? page->findChild<PassMenu*>() : nullptr;
}

QString whyNoPassMenu(const MainWindow& window)
{
    const PassMenu* menu = menuInFront(window);
    return menu != nullptr ? menu->whyNot() : MainWindow::tr("No schedule is in front.");
}

void addMenuTo(MainWindow& window, SchedulePage& page)
{
    auto* menu = new PassMenu(
        page.document(), page.timeline(),
        [&window](QMenu& more) {
            for (const char* id : {"schedule.explain", "edit.strand", "edit.delete"})
                if (QAction* action = window.commands().action(QString::fromLatin1(id)))
                    more.addAction(action);
        },
        &page);
    menu->setLocked([&page] { return page.property("locked").toString(); });
    QObject::connect(menu, &PassMenu::refused, &window, &MainWindow::refuse);
}

} // namespace

void addPasses(MainWindow& window)
{
    QObject::connect(&window, &MainWindow::pageAdded, &window, [&window](Page* page) {
        if (auto* schedule = qobject_cast<SchedulePage*>(page))
            addMenuTo(window, *schedule);
    });
    struct Row
    {
        const char* id;
        QString text;
        QString tip;
        void (*run)(PassMenu&);
    };
    const Row rows[] = {
        {"passes.time", MainWindow::tr("&Time of the passes…"),
         MainWindow::tr("Gives the selected passes a time of their own; a double click on a pass "
                        "does it, too."),
         [](PassMenu& menu) { menu.askTime(); }},
        {"passes.recompute", MainWindow::tr("&Recompute"),
         MainWindow::tr("Runs the forwards of the selected passes once more before their "
                        "backwards, which keeps less meanwhile."),
         [](PassMenu& menu) { menu.recompute(true, false); }},
        {"passes.keep", MainWindow::tr("&Keep activations"),
         MainWindow::tr("Takes the recomputation of the selected passes away."),
         [](PassMenu& menu) { menu.recompute(false, false); }},
        {"passes.cap", MainWindow::tr("&Memory cap of the device…"),
         MainWindow::tr("What the device of the selected pass holds at most."),
         [](PassMenu& menu) { menu.askCap(); }},
    };
    for (const Row& row : rows)
        window.commands().add({.id = QString::fromLatin1(row.id),
                               .menu = Menu::Edit,
                               .text = row.text,
                               .tip = row.tip,
                               .group = 30,
                               .submenu = MainWindow::tr("Selected passes"),
                               .whyNot = [&window] { return whyNoPassMenu(window); }},
                              &window, [&window, run = row.run] {
                                  if (PassMenu* menu = menuInFront(window))
                                      run(*menu);
                              });
}

} // namespace pw::ui
