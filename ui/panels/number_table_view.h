// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/number_table.h"

#include <QTableView>

namespace pw::ui {

/// A table of numbers with the keys of a spreadsheet: copy, paste, Ctrl+D fills down, Delete
/// empties.
class NumberTableView : public QTableView
{
    Q_OBJECT

public:
    explicit NumberTableView(NumberTable& table, QWidget* parent = nullptr);

    void copy();
    void paste();
    void fillDown();

Q_SIGNALS:
    /// Something that is not an edit has to be said: what found no place.
    void told(const QString& sentence);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QModelIndexList cells() const;

    NumberTable& m_table;
};

} // namespace pw::ui
