// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/passes/pass_menu.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/per_page.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QMenu>

namespace pw::ui {

namespace {

using PassMenus = PerPage<PassMenu>;

QString whyNoPassMenu(const MainWindow& window, const PassMenus& menus)
{
    const PassMenu* menu = menus.of(window.schedulePage());
    return menu != nullptr ? menu->whyNot() : MainWindow::tr("No schedule is in front.");
}

PassMenu* makeMenu(MainWindow& window, SchedulePage& page)
{
    auto* menu = new PassMenu(
        page.document(), page.timeline(),
        [&window](QMenu& more) {
            for (const char* id : {"schedule.explain", "edit.strand", "edit.delete"})
                if (QAction* action = window.commands().action(QString::fromLatin1(id)))
                    more.addAction(action);
        },
        &page);
    menu->setLocked([&page] { return page.locked(); });
    QObject::connect(menu, &PassMenu::refused, &window, &MainWindow::refuse);
    return menu;
}

} // namespace

void addPasses(MainWindow& window)
{
    auto* menus =
        new PassMenus(window, [&window](SchedulePage& page) { return makeMenu(window, page); });
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
        {"passes.offload", MainWindow::tr("&Offload to the host"),
         MainWindow::tr("Copies the activations of the selected passes to the host's memory after "
                        "their forwards, and back for their backwards."),
         [](PassMenu& menu) { menu.offload(true, false); }},
        {"passes.on-device", MainWindow::tr("Keep on the &device"),
         MainWindow::tr("Leaves the activations of the selected passes on their device."),
         [](PassMenu& menu) { menu.offload(false, false); }},
        {"passes.offload-hidden", MainWindow::tr("Offload what is &hidden"),
         MainWindow::tr("Offloads every activation whose copies no pass waits for, and no other."),
         [](PassMenu& menu) { menu.offloadHidden(); }},
        {"passes.offload-fitting", MainWindow::tr("Offload as much as the limits &need"),
         MainWindow::tr("Offloads as few stages as the memory limits need, of what no pass waits "
                        "for."),
         [](PassMenu& menu) { menu.offloadFitting(); }},
        {"passes.host-link", MainWindow::tr("&Link to the host…"),
         MainWindow::tr("What a device's link to the host's memory carries."),
         [](PassMenu& menu) { menu.askHostLink(); }},
        {"passes.cap", MainWindow::tr("&Memory limit of the device…"),
         MainWindow::tr("What the device of the selected pass holds at most."),
         [](PassMenu& menu) { menu.askCap(); }},
    };
    for (const Row& row : rows)
        window.commands().add(
            {.id = QString::fromLatin1(row.id),
             .menu = Menu::Edit,
             .text = row.text,
             .tip = row.tip,
             .group = 30,
             .submenu = MainWindow::tr("Selected passes"),
             .whyNot = [&window, menus] { return whyNoPassMenu(window, *menus); }},
            menus, [&window, menus, run = row.run] {
                if (PassMenu* menu = menus->of(window.schedulePage()))
                    run(*menu);
            });
}

} // namespace pw::ui
