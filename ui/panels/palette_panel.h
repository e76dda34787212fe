// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/palette_model.h"

#include <QWidget>

class QLineEdit;
class QListView;
class QSortFilterProxyModel;

namespace pw::ui {

/// The palette: a search field over families, building blocks and passes. A row is dragged into the
/// timeline, or chosen by double click or Enter.
class PalettePanel : public QWidget
{
    Q_OBJECT

public:
    explicit PalettePanel(QWidget* parent = nullptr);

    void focusSearch();
    QListView* list() const { return m_list; }

Q_SIGNALS:
    void chosen(pw::ui::PaletteKind kind, const QString& id);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QModelIndex best() const;
    void choose(const QModelIndex& index);

    PaletteModel* m_model;
    QSortFilterProxyModel* m_filter;
    QLineEdit* m_search;
    QListView* m_list;
};

} // namespace pw::ui
