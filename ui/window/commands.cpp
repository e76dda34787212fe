// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/commands.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QWidgetAction>

#include <algorithm>
#include <utility>

namespace pw::ui {

struct Commands::Shelf
{
    Menu menu = Menu::File;
    QString submenu;
    QMenu* widget = nullptr;
    std::vector<std::pair<int, QAction*>> actions; ///< by group
};

namespace {

constexpr int rightEnd = 100;

/// Behind those of the same key, so that they stay as they came.
void insert(std::vector<std::pair<int, QAction*>>& actions, int key, QAction* action)
{
    const auto next = std::find_if(actions.begin(), actions.end(),
                                   [key](const auto& one) { return one.first > key; });
    actions.insert(next, {key, action});
}

} // namespace

Commands::Commands(QWidget* window, QMenuBar* menus, QToolBar* tools)
    : QObject(window)
    , m_window(window)
    , m_menuBar(menus)
    , m_tools(tools)
{
    // All of them, so that they stand in their order; an empty one is not shown.
    const std::pair<Menu, QString> titles[] = {
        {Menu::File, tr("&File")},   {Menu::Edit, tr("&Edit")}, {Menu::Schedule, tr("&Schedule")},
        {Menu::View, tr("&View")},   {Menu::Run, tr("&Run")},   {Menu::Traces, tr("&Traces")},
        {Menu::Learn, tr("&Learn")}, {Menu::Help, tr("&Help")}};
    for (const auto& [menu, title] : titles) {
        auto shelf = std::make_unique<Shelf>();
        shelf->menu = menu;
        shelf->widget = m_menuBar->addMenu(title);
        shelf->widget->setToolTipsVisible(true);
        shelf->widget->menuAction()->setVisible(false);
        m_shelves.push_back(std::move(shelf));
    }
    auto* space = new QWidget(m_tools);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_toolPlaces.emplace_back(rightEnd - 1, m_tools->addWidget(space));
}

Commands::~Commands() = default;

QString Commands::title(Menu menu)
{
    switch (menu) {
    case Menu::File:
        return tr("File");
    case Menu::Edit:
        return tr("Edit");
    case Menu::Schedule:
        return tr("Schedule");
    case Menu::View:
        return tr("View");
    case Menu::Run:
        return tr("Run");
    case Menu::Traces:
        return tr("Traces");
    case Menu::Learn:
        return tr("Learn");
    case Menu::Help:
        return tr("Help");
    }
    return {};
}

Commands::Shelf& Commands::shelf(Menu menu, const QString& submenu)
{
    for (const auto& one : m_shelves)
        if (one->menu == menu && one->submenu == submenu)
            return *one;
    auto made = std::make_unique<Shelf>();
    made->menu = menu;
    made->submenu = submenu;
    made->widget = new QMenu(submenu, m_window);
    made->widget->setToolTipsVisible(true);
    m_shelves.push_back(std::move(made));
    return *m_shelves.back();
}

void Commands::place(const Command& command, QAction* action)
{
    // Made anew, since a line stands before the first command of every group but the first.
    const auto put = [](Shelf& where, int group, QAction* what) {
        insert(where.actions, group, what);
        where.widget->clear();
        int last = where.actions.front().first;
        for (const auto& [of, one] : where.actions) {
            if (std::exchange(last, of) != of)
                where.widget->addSeparator();
            where.widget->addAction(one);
        }
        where.widget->menuAction()->setVisible(true);
    };
    Shelf& menu = shelf(command.menu, {});
    if (command.submenu.isEmpty()) {
        put(menu, command.group, action);
        return;
    }
    Shelf& inner = shelf(command.menu, command.submenu);
    const bool isNew = inner.actions.empty();
    put(inner, 0, action);
    if (isNew)
        put(menu, command.group, inner.widget->menuAction());
}

void Commands::addTool(QAction* action, int place)
{
    const int ten = place / 10;
    const auto next = std::find_if(m_toolPlaces.begin(), m_toolPlaces.end(),
                                   [place](const auto& one) { return one.first > place; });
    QAction* before = next == m_toolPlaces.end() ? nullptr : next->second;
    // The space of a ten stands before its first tool, and so behind this one.
    if (before != nullptr && next->first / 10 != ten && m_spaces.count(next->first / 10) > 0)
        before = m_spaces[next->first / 10];
    m_tools->insertAction(before, action);
    if (place < rightEnd && m_spaces.count(ten) == 0) {
        auto* space = new QWidget(m_tools);
        space->setFixedWidth(m_tools->fontMetrics().height() / 2);
        m_spaces[ten] = m_tools->insertWidget(action, space);
    }
    insert(m_toolPlaces, place, action);
}

void Commands::addTool(QWidget* widget, int place)
{
    auto* holder = new QWidgetAction(m_tools);
    holder->setDefaultWidget(widget);
    addTool(holder, place);
}

QAction* Commands::add(const Command& command, QObject* context, std::function<void()> run)
{
    auto* action = new QAction(command.text, m_window);
    connect(action, &QAction::triggered, context, std::move(run));
    return add(command, action);
}

QAction* Commands::add(const Command& command, QAction* action)
{
    if (!command.keys.isEmpty())
        action->setShortcut(command.keys);
    if (!command.tip.isEmpty())
        action->setToolTip(command.tip);
    action->setObjectName(command.id);
    m_window->addAction(action);
    place(command, action);
    if (command.toolbar > 0) {
        // The button keeps its width where the text in the menu changes ("Undo Move F3").
        action->setIconText(QString(command.text).remove(QLatin1Char('&')));
        addTool(action, command.toolbar);
        m_tools->widgetForAction(action)->setProperty("act", command.act);
    }
    m_entries.push_back({command, action});
    return action;
}

QAction* Commands::action(const QString& id) const
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&](const Entry& entry) { return entry.command.id == id; });
    return found == m_entries.end() ? nullptr : found->action;
}

void Commands::refresh()
{
    for (const Entry& entry : m_entries) {
        if (!entry.command.whyNot)
            continue;
        const QString reason = entry.command.whyNot();
        entry.action->setEnabled(reason.isEmpty());
        entry.action->setToolTip(reason.isEmpty() ? entry.command.tip : reason);
    }
}

} // namespace pw::ui
