// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/presentation.h"
#include "ui/window/chart_stack.h"
#include "ui/window/command_palette.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/key_sheet.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QApplication>
#include <QSettings>

namespace pw::ui {

namespace {

/// What is shown the same way in all schedules, those to come too.
template<typename Apply>
QAction* addSwitch(MainWindow& window, const Command& command, Apply apply, bool usual = false)
{
    QAction* action = window.commands().add(command, &window, [] {});
    action->setCheckable(true);
    action->setChecked(usual);
    QObject::connect(action, &QAction::toggled, &window, [&window, apply](bool on) {
        for (Page* page : window.pages())
            if (auto* schedule = qobject_cast<SchedulePage*>(page))
                apply(*schedule, on);
    });
    QObject::connect(&window, &MainWindow::pageAdded, action, [action, apply](Page* page) {
        if (auto* schedule = qobject_cast<SchedulePage*>(page))
            apply(*schedule, action->isChecked());
    });
    return action;
}

/// Which charts are shown, and how high; remembered.
void addCharts(MainWindow& window)
{
    struct Row
    {
        Chart chart;
        const char* id;
        QString text;
        bool usual;
    };
    const Row rows[] = {{Chart::Memory, "memory", MainWindow::tr("&Memory"), true},
                        {Chart::Bubble, "bubble", MainWindow::tr("&Bubble"), true},
                        {Chart::InFlight, "in-flight", MainWindow::tr("&In flight"), false},
                        {Chart::Links, "links", MainWindow::tr("&Links"), false}};
    for (const Row& row : rows) {
        const QString key = QStringLiteral("charts/") + QString::fromLatin1(row.id);
        QAction* action = addSwitch(
            window,
            {.id = QStringLiteral("view.chart.") + QString::fromLatin1(row.id),
             .menu = Menu::View,
             .text = row.text,
             .tip = MainWindow::tr("Shows or hides this chart below the timeline."),
             .group = 30,
             .submenu = MainWindow::tr("C&harts")},
            [chart = row.chart](SchedulePage& page, bool on) { page.charts().setShown(chart, on); },
            QSettings().value(key, row.usual).toBool());
        QObject::connect(action, &QAction::toggled, &window,
                         [key](bool on) { QSettings().setValue(key, on); });
    }
    const QString sizes = QStringLiteral("charts/sizes");
    QObject::connect(&window, &MainWindow::pageAdded, &window, [sizes](Page* page) {
        auto* schedule = qobject_cast<SchedulePage*>(page);
        if (schedule == nullptr)
            return;
        schedule->charts().restoreState(QSettings().value(sizes).toByteArray());
        QObject::connect(
            &schedule->charts(), &QSplitter::splitterMoved, schedule,
            [schedule, sizes] { QSettings().setValue(sizes, schedule->charts().saveState()); });
    });
}

} // namespace

void addViewing(MainWindow& window)
{
    Commands& commands = window.commands();
    commands.add({.id = QStringLiteral("view.everything"),
                  .menu = Menu::View,
                  .text = MainWindow::tr("&Everything"),
                  .keys = QKeySequence(MainWindow::tr("Ctrl+0"))},
                 &window, [&window] {
                     if (window.schedulePage() != nullptr)
                         window.schedulePage()->range().fit();
                 });
    addSwitch(window,
              {.id = QStringLiteral("view.critical-path"),
               .menu = Menu::View,
               .text = MainWindow::tr("&Critical path"),
               .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+C")),
               .group = 10},
              [](SchedulePage& page, bool on) { page.setCriticalPathShown(on); });
    addSwitch(window,
              {.id = QStringLiteral("view.by-micro-batch"),
               .menu = Menu::View,
               .text = MainWindow::tr("Colour by &micro-batch"),
               .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+M")),
               .group = 10},
              [](SchedulePage& page, bool on) {
                  page.timeline().setColorBy(on ? ColorBy::MicroBatch : ColorBy::Kind);
              });
    addCharts(window);
    QAction* dark = commands.add({.id = QStringLiteral("view.dark"),
                                  .menu = Menu::View,
                                  .text = MainWindow::tr("&Dark"),
                                  .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+D")),
                                  .group = 80},
                                 &window, [] {});
    dark->setCheckable(true);
    dark->setChecked(ground() == Ground::Dark);
    QObject::connect(dark, &QAction::toggled, &window,
                     [](bool on) { applyGround(*qApp, on ? Ground::Dark : Ground::Light); });
    auto* palette = new CommandPalette(commands, &window);
    QAction* find = commands.add({.id = QStringLiteral("help.commands"),
                                  .menu = Menu::Help,
                                  .text = MainWindow::tr("&Commands…"),
                                  .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+P")),
                                  .tip = MainWindow::tr("Searches everything the window can do.")},
                                 palette, [palette] { palette->open(); });
    find->setShortcuts(
        {QKeySequence(MainWindow::tr("Ctrl+Shift+P")), QKeySequence(MainWindow::tr("Ctrl+P"))});
    commands.add({.id = QStringLiteral("help.keys"),
                  .menu = Menu::Help,
                  .text = MainWindow::tr("&Keys"),
                  .keys = QKeySequence(MainWindow::tr("?")),
                  .tip = MainWindow::tr("All keys on one sheet.")},
                 &window, [&window] { (new KeySheet(window.commands(), &window))->open(); });
}

} // namespace pw::ui
