// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QSortFilterProxyModel>

namespace pw::ui {

/// Finds a text in title, id, summary and citation; headings stay while something under them does.
class PaletteFilter : public QSortFilterProxyModel
{
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
};

} // namespace pw::ui
