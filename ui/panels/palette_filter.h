// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QSortFilterProxyModel>
#include <QStringList>

namespace pw::ui {

/// Finds a text in title, id, summary and citation; headings stay while something under them does.
class PaletteFilter : public QSortFilterProxyModel
{
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    /// Leaves these families alone, by id, and nothing else; empty: everything.
    void setFamilies(const QStringList& ids);
    QVariant data(const QModelIndex& index, int role) const override;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_families;
};

} // namespace pw::ui
