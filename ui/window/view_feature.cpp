// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/presentation.h"
#include "ui/window/chart_stack.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QApplication>
#include <QMessageBox>
#include <QSettings>

namespace pw::ui {

namespace {

void showKeys(MainWindow& window)
{
    QMessageBox::information(
        &window, MainWindow::tr("Keys"),
        MainWindow::tr(
            "<table cellpadding=3>"
            "<tr><td><b>W S</b></td><td>zoom in and out at the pointer</td></tr>"
            "<tr><td><b>A D</b></td><td>move left and right</td></tr>"
            "<tr><td><b>F</b></td><td>the selected pass, then everything</td></tr>"
            "<tr><td><b>← →</b> or <b>, .</b></td><td>the pass before and behind on the "
            "device</td></tr>"
            "<tr><td><b>↑ ↓</b></td><td>the same time on the next device</td></tr>"
            "<tr><td><b>[ ]</b></td><td>along the arrows, to what it waits for and what waits for "
            "it</td></tr>"
            "<tr><td><b>M</b></td><td>mark the selected pass; drag on idle time to "
            "measure</td></tr>"
            "<tr><td><b>0</b></td><td>everything</td></tr>"
            "<tr><td><b>Ctrl+wheel</b></td><td>zoom; <b>Shift+wheel</b> moves sideways</td></tr>"
            "<tr><td><b>Ctrl+K</b></td><td>search the palette</td></tr></table>"));
}

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
    commands.add({.id = QStringLiteral("help.keys"),
                  .menu = Menu::Help,
                  .text = MainWindow::tr("&Keys"),
                  .keys = QKeySequence(MainWindow::tr("?"))},
                 &window, [&window] { showKeys(window); });
}

} // namespace pw::ui
