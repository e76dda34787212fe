// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/palette_filter.h"

#include "ui/panels/palette_model.h"

namespace pw::ui {

void PaletteFilter::setFamilies(const QStringList& ids)
{
    m_families = ids;
    invalidate();
}

/// The heading above some families does not count all of them.
QVariant PaletteFilter::data(const QModelIndex& index, int role) const
{
    if (role == Qt::DisplayRole && !m_families.isEmpty() &&
        index.data(PaletteModel::KindRole).toInt() == static_cast<int>(PaletteKind::Section))
        return PaletteModel::tr("Families of this level");
    const QVariant value = QSortFilterProxyModel::data(index, role);
    const auto isSection = [](const QModelIndex& row) {
        return row.data(PaletteModel::KindRole).toInt() == static_cast<int>(PaletteKind::Section);
    };
    // What a search leaves is counted, not what there is.
    const QString title = role == Qt::DisplayRole ? value.toString() : QString();
    const QString before = QStringLiteral(" · ");
    if (filterRegularExpression().pattern().isEmpty() || !title.contains(before) ||
        !isSection(index))
        return value;
    int shown = 0;
    while (index.row() + shown + 1 < rowCount() &&
           !isSection(this->index(index.row() + shown + 1, 0)))
        ++shown;
    return title.left(title.lastIndexOf(before)) + before + QString::number(shown);
}

bool PaletteFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QAbstractItemModel* source = sourceModel();
    const auto matches = [&](int at) {
        const QModelIndex index = source->index(at, 0, parent);
        if (!m_families.isEmpty() &&
            (index.data(PaletteModel::KindRole).toInt() != static_cast<int>(PaletteKind::Family) ||
             !m_families.contains(index.data(PaletteModel::IdRole).toString())))
            return false;
        const QString text = filterRegularExpression().pattern();
        // Without a search the passes stand below the list.
        if (text.isEmpty())
            return index.data(PaletteModel::KindRole).toInt() !=
                   static_cast<int>(PaletteKind::Pass);
        for (const int role :
             {static_cast<int>(Qt::DisplayRole), static_cast<int>(PaletteModel::IdRole),
              static_cast<int>(PaletteModel::SummaryRole),
              static_cast<int>(PaletteModel::CitationRole)}) {
            const QString value = index.data(role).toString();
            if (filterRegularExpression().match(value).hasMatch())
                return true;
        }
        return false;
    };
    const auto isSection = [&](int at) {
        return source->index(at, 0, parent).data(PaletteModel::KindRole).toInt() ==
               static_cast<int>(PaletteKind::Section);
    };
    if (!isSection(row))
        return matches(row);
    for (int at = row + 1; at < source->rowCount(parent) && !isSection(at); ++at)
        if (matches(at))
            return true;
    return false;
}

} // namespace pw::ui
