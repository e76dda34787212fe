// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QFrame>
#include <QPointer>
#include <QString>

#include <optional>
#include <vector>

class QAction;
class QLineEdit;
class QListView;
class QStandardItemModel;

namespace pw::ui {

class Commands;

/// How well typed letters fit words: all of them in their order, better at the beginnings of words
/// and in a row. None where a letter is missing; an empty text fits all alike.
std::optional<int> fitOf(const QString& typed, const QString& words);

/// Every command of the window in a list that is searched while typing: arrows choose, Enter runs,
/// Escape closes. A command that cannot be used says why.
class CommandPalette : public QFrame
{
    Q_OBJECT

public:
    /// Where in the model the palette keeps what a row shows.
    enum Data
    {
        KeysRole = Qt::UserRole + 1,
        NoteRole,  ///< the menu, or why the command cannot be used
        IndexRole, ///< in `Commands::all`
        UsableRole
    };

    CommandPalette(Commands& commands, QWidget* window);

    /// Shows the palette over the window, with all commands.
    void open();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    void run();
    void close();

    Commands& m_commands;
    QLineEdit* m_typed;
    QListView* m_list;
    QStandardItemModel* m_rows;
    QPointer<QWidget> m_before; ///< had the focus
};

} // namespace pw::ui
