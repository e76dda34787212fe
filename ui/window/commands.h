// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QKeySequence>
#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <memory>
#include <vector>

class QAction;
class QMenu;
class QMenuBar;
class QToolBar;
class QWidget;

namespace pw::ui {

/// The menus of the window, as they stand in its bar.
enum class Menu
{
    File,
    Edit,
    Schedule,
    View,
    Run,
    Traces,
    Learn,
    Help
};

/// What a person can ask the window for.
struct Command
{
    QString id; ///< "edit.undo"; never translated
    Menu menu = Menu::File;
    QString text; ///< in the menu: "Save &as…"
    QKeySequence keys{};
    QString tip{}; ///< a sentence; empty: the text says it
    /// Commands of a menu stand by group, then as they came; a line stands between groups.
    int group = 0;
    QString submenu{}; ///< title of a menu within the menu; empty: none
    int toolbar = 0;   ///< place in the tool bar, a space between tens; 0: not there
    bool act = false;  ///< stands out in the tool bar: what a person most likely wants to do
    /// Why the command cannot be used now, in a sentence; empty: it can. Asked on `refresh`.
    std::function<QString()> whyNot{};
};

/// The one list of what the window can do. Menu bar, tool bar, command palette and key sheet are
/// made from it.
class Commands : public QObject
{
    Q_OBJECT

public:
    struct Entry
    {
        Command command;
        QAction* action = nullptr;
    };

    /// @param window  gets the actions, so that their keys work everywhere in it
    Commands(QWidget* window, QMenuBar* menus, QToolBar* tools);
    ~Commands() override;

    /// Adds a command. @param context  the command runs while it lives
    QAction* add(const Command& command, QObject* context, std::function<void()> run);
    /// Adds a command whose action exists: undo, the switch of a dock.
    QAction* add(const Command& command, QAction* action);
    /// A field in the tool bar. Widgets and commands from place 100 on stand at its right end.
    void addTool(QWidget* widget, int place);

    const std::vector<Entry>& all() const { return m_entries; }
    /// The action of a command; null: there is none.
    QAction* action(const QString& id) const;
    /// The words of a menu without a mnemonic: "File".
    static QString title(Menu menu);

    /// Asks every command again whether it can be used.
    void refresh();

private:
    struct Shelf; ///< a menu and the group of each action in it

    Shelf& shelf(Menu menu, const QString& submenu);
    void place(const Command& command, QAction* action);
    void addTool(QAction* action, int place);

    QWidget* m_window;
    QMenuBar* m_menuBar;
    QToolBar* m_tools;
    std::vector<Entry> m_entries;
    std::vector<std::unique_ptr<Shelf>> m_shelves;
    std::vector<std::pair<int, QAction*>> m_toolPlaces; ///< by place
    std::map<int, QAction*> m_spaces;                   ///< by ten
};

} // namespace pw::ui
