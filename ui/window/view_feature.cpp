// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/presentation.h"
#include "ui/timeline/find_bar.h"
#include "ui/timeline/playback.h"
#include "ui/window/command_palette.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/key_sheet.h"
#include "ui/window/main_window.h"
#include "ui/window/run_page.h"
#include "ui/window/schedule_page.h"
#include "ui/workspace/chart_stack.h"
#include "ui/workspace/timeline_workspace.h"

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QSettings>

#include <algorithm>

namespace pw::ui {

namespace {

/// What is shown the same way in the timelines of all pages, those to come too.
/// @param apply  called with a page's workspace, and whether it is shown
template<typename Apply>
QAction* addSwitch(MainWindow& window, const Command& command, Apply apply, bool usual = false)
{
    QAction* action = window.commands().add(command, &window, [] {});
    action->setCheckable(true);
    action->setChecked(usual);
    QObject::connect(action, &QAction::toggled, &window, [&window, apply](bool on) {
        for (Page* page : window.pages())
            if (TimelineWorkspace* workspace = page->workspace())
                apply(*workspace, on);
    });
    QObject::connect(&window, &MainWindow::pageAdded, action, [action, apply](Page* page) {
        if (TimelineWorkspace* workspace = page->workspace())
            apply(*workspace, action->isChecked());
    });
    return action;
}

/// How high the charts of pages of a kind are; remembered.
template<typename Kind>
void rememberSizes(MainWindow& window, const QString& key)
{
    QObject::connect(&window, &MainWindow::pageAdded, &window, [key](Page* page) {
        auto* one = qobject_cast<Kind*>(page);
        if (one == nullptr)
            return;
        one->charts().restoreState(QSettings().value(key).toByteArray());
        QObject::connect(&one->charts(), &QSplitter::splitterMoved, one,
                         [one, key] { QSettings().setValue(key, one->charts().saveState()); });
    });
}

/// Which charts are shown, and how high; remembered.
void addCharts(MainWindow& window)
{
    for (const TimelineChart& chart : timelineCharts()) {
        const auto id =
            QString::fromLatin1(chart.id.data(), static_cast<qsizetype>(chart.id.size()));
        const QString key = QStringLiteral("charts/") + id;
        QAction* action = addSwitch(
            window,
            {.id = QStringLiteral("view.chart.") + id,
             .menu = Menu::View,
             .text = chart.menuText(),
             .tip = MainWindow::tr("Shows or hides this chart below the timeline."),
             .group = 30,
             .submenu = MainWindow::tr("C&harts")},
            [which = chart.id](TimelineWorkspace& workspace, bool on) {
                workspace.charts().setShown(which, on);
            },
            QSettings().value(key, chart.usual).toBool());
        QObject::connect(action, &QAction::toggled, &window,
                         [key](bool on) { QSettings().setValue(key, on); });
    }
    // A run has more charts.
    rememberSizes<SchedulePage>(window, QStringLiteral("charts/sizes"));
    rememberSizes<RunPage>(window, QStringLiteral("charts/run-sizes"));
}

/// Of the page in front, of whatever kind the page is; null: it has none.
FindBar* findBarOf(const MainWindow& window)
{
    return window.page() != nullptr ? window.page()->findBar() : nullptr;
}

QLineEdit* searchFieldOf(const MainWindow& window)
{
    return window.page() != nullptr ? window.page()->searchField() : nullptr;
}

/// Finds on the page in front: opens its search, or goes on in it.
/// @param direction  0: opens it
void findIn(const MainWindow& window, int direction)
{
    FindBar* bar = findBarOf(window);
    if (QLineEdit* field = bar == nullptr ? searchFieldOf(window) : nullptr) {
        if (direction != 0 && !field->text().isEmpty()) {
            window.page()->findNext(direction);
        } else {
            field->setFocus(Qt::ShortcutFocusReason);
            field->selectAll();
        }
    } else if (bar != nullptr && direction != 0 && bar->isVisible()) {
        bar->go(direction);
    } else if (bar != nullptr) {
        bar->open();
    }
}

Playback* playbackOf(const MainWindow& window)
{
    return window.page() != nullptr ? window.page()->playback() : nullptr;
}

TimelineView* timelineOf(const MainWindow& window)
{
    const std::vector<TimelineView*> views =
        window.page() != nullptr ? window.page()->timelines() : std::vector<TimelineView*>{};
    return views.empty() ? nullptr : views.front();
}

/// Of the page in front, of whatever its lanes are made; null: it has none.
LaneView* laneViewOf(const MainWindow& window)
{
    const std::vector<LaneView*> views =
        window.page() != nullptr ? window.page()->laneViews() : std::vector<LaneView*>{};
    return views.empty() ? nullptr : views.front();
}

/// @param tool  of the page in front
template<typename Tool>
std::function<QString()> needs(const MainWindow& window, Tool* (*tool)(const MainWindow& window))
{
    return [&window, tool] {
        return tool(window) != nullptr ? QString() : MainWindow::tr("No timeline is in front.");
    };
}

void addFinding(MainWindow& window)
{
    const auto canFind = [&window](int direction) {
        return [&window, direction] {
            return direction != 0 && searchFieldOf(window) != nullptr ? QString()
                                                                      : needs(window, findBarOf)();
        };
    };
    QAction* find = window.commands().add(
        {.id = QStringLiteral("view.find"),
         .menu = Menu::Edit,
         .text = MainWindow::tr("&Find passes…"),
         .keys = QKeySequence(QKeySequence::Find),
         .tip = MainWindow::tr("Marks all passes that are meant by F3, BW2.1, mb 3, stage 2 …; "
                               "in a trace, what has such a name."),
         .group = 50,
         .submenu = MainWindow::tr("Find"),
         .whyNot = canFind(1)},
        &window, [&window] { findIn(window, 0); });
    find->setShortcuts({QKeySequence(QKeySequence::Find), QKeySequence(Qt::Key_Slash)});
    const auto go = [&window, canFind](const char* id, const QString& text,
                                       QKeySequence::StandardKey keys, int direction) {
        window.commands().add({.id = QString::fromLatin1(id),
                               .menu = Menu::Edit,
                               .text = text,
                               .keys = QKeySequence(keys),
                               .group = 50,
                               .submenu = MainWindow::tr("Find"),
                               .whyNot = canFind(direction)},
                              &window, [&window, direction] { findIn(window, direction); });
    };
    go("view.find-next", MainWindow::tr("Find ne&xt"), QKeySequence::FindNext, 1);
    go("view.find-previous", MainWindow::tr("Find pre&vious"), QKeySequence::FindPrevious, -1);
}

/// Keys without Ctrl belong to the timeline: in a field they write, on a button they press.
void onlyInTimelines(MainWindow& window, QAction* action)
{
    action->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(&window, &MainWindow::pageAdded, action, [action](Page* page) {
        const std::vector<TimelineView*> views = page->timelines();
        for (TimelineView* view : views)
            view->addAction(action);
    });
}

void addPlaying(MainWindow& window)
{
    struct Row
    {
        const char* id;
        QString text;
        QKeySequence keys;
        QString tip;
        int toolbar;
        void (*run)(Playback&);
    };
    const Row rows[] = {
        {"view.play", MainWindow::tr("&Play"), QKeySequence(Qt::Key_Space),
         MainWindow::tr("A cursor goes over the timeline and a line says what happens."), 30,
         [](Playback& playback) { playback.toggle(); }},
        {"view.step-forward",
         MainWindow::tr("To the &next event"),
         QKeySequence(Qt::SHIFT | Qt::Key_Right),
         {},
         0,
         [](Playback& playback) { playback.step(1); }},
        {"view.step-back",
         MainWindow::tr("To the event befo&re"),
         QKeySequence(Qt::SHIFT | Qt::Key_Left),
         {},
         0,
         [](Playback& playback) { playback.step(-1); }},
        {"view.stop",
         MainWindow::tr("End pla&ying"),
         {},
         {},
         0,
         [](Playback& playback) { playback.close(); }},
    };
    for (const Row& row : rows) {
        QAction* action = window.commands().add({.id = QString::fromLatin1(row.id),
                                                 .menu = Menu::View,
                                                 .text = row.text,
                                                 .keys = row.keys,
                                                 .tip = row.tip,
                                                 .group = 40,
                                                 .submenu = MainWindow::tr("Play"),
                                                 .toolbar = row.toolbar,
                                                 .whyNot = needs(window, playbackOf)},
                                                &window, [&window, run = row.run] {
                                                    if (auto* playback = playbackOf(window))
                                                        run(*playback);
                                                });
        onlyInTimelines(window, action);
    }
}

void addMarking(MainWindow& window)
{
    window.commands().add({.id = QStringLiteral("view.clear-markers"),
                           .menu = Menu::View,
                           .text = MainWindow::tr("C&lear markers"),
                           .tip = MainWindow::tr("Takes away A and B; Esc does it, too."),
                           .group = 20,
                           .whyNot =
                               [&window] {
                                   const LaneView* view = laneViewOf(window);
                                   return view == nullptr
                                              ? MainWindow::tr("No timeline is in front.")
                                          : !view->marks().any()
                                              ? MainWindow::tr("There is no marker.")
                                              : QString();
                               }},
                          &window, [&window] {
                              if (auto* view = laneViewOf(window))
                                  view->clearMarks();
                          });
    QObject::connect(&window, &MainWindow::pageAdded, &window, [&window](Page* page) {
        const std::vector<LaneView*> views = page->laneViews();
        for (LaneView* view : views)
            QObject::connect(view, &LaneView::marksChanged, page, [&window, view] {
                window.commands().refresh();
                const Marks& marks = view->marks();
                if (marks.a && marks.b)
                    window.tell((*marks.a <= *marks.b ? MainWindow::tr("A – B: %1, difference %2")
                                                      : MainWindow::tr("B – A: %1, difference %2"))
                                    .arg(view->stretchText(std::min(*marks.a, *marks.b),
                                                           std::max(*marks.a, *marks.b)),
                                         view->lengthText(*marks.b - *marks.a)));
            });
    });
}

void addFit(MainWindow& window)
{
    window.commands().add({.id = QStringLiteral("view.everything"),
                           .menu = Menu::View,
                           .text = MainWindow::tr("&Everything"),
                           .keys = QKeySequence(MainWindow::tr("Ctrl+0"))},
                          &window, [&window] {
                              if (auto* view = timelineOf(window))
                                  view->range().fit();
                          });
}

} // namespace

void addViewing(MainWindow& window)
{
    Commands& commands = window.commands();
    addFit(window);
    addSwitch(window,
              {.id = QStringLiteral("view.critical-path"),
               .menu = Menu::View,
               .text = MainWindow::tr("&Critical path"),
               .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+C")),
               .group = 10,
               .submenu = MainWindow::tr("On the lanes")},
              [](TimelineWorkspace& workspace, bool on) { workspace.setCriticalShown(on); });
    addSwitch(window,
              {.id = QStringLiteral("view.by-micro-batch"),
               .menu = Menu::View,
               .text = MainWindow::tr("Colour by &micro-batch"),
               .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+M")),
               .group = 10,
               .submenu = MainWindow::tr("On the lanes")},
              [](TimelineWorkspace& workspace, bool on) {
                  workspace.timeline().setColorBy(on ? ColorBy::MicroBatch : ColorBy::Kind);
              });
    addSwitch(
        window,
        {.id = QStringLiteral("view.strand"),
         .menu = Menu::View,
         .text = MainWindow::tr("&Whole micro-batch of the selected pass"),
         .tip = MainWindow::tr("Outlines the passes of the same micro-batch on all devices."),
         .group = 10,
         .submenu = MainWindow::tr("On the lanes")},
        [](TimelineWorkspace& workspace, bool on) { workspace.setStrandShown(on); }, true);
    QObject::connect(&window, &MainWindow::pageAdded, &window, [](Page* page) {
        if (TimelineWorkspace* workspace = page->workspace())
            workspace->setPhasesShown(true);
    });
    addMarking(window);
    addFinding(window);
    addPlaying(window);
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
