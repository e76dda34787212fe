// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/alternatives/alternative.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include <vector>

class QTableView;

namespace pw::ui {

/// Alternatives as rows of a table, in the order in which they were given.
class AlternativesModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        Name,
        Kind,
        Time,
        Spread,
        Bubble,
        Peak,
        Cap,
        Against,
        Why,
        Columns
    };
    /// Numbers to sort by, and words for the rest.
    static constexpr int sortRole = Qt::UserRole + 1;
    /// Length of the bar of a cell, 0 … 1.
    static constexpr int partRole = Qt::UserRole + 2;

    using QAbstractTableModel::QAbstractTableModel;

    /// @param baseline  makespan of 1F1B; 0: there is none
    void set(std::vector<Alternative> rows, const RankQuestion& question, Ticks baseline);
    const std::vector<Alternative>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString words(const Alternative& row, int column) const;
    QVariant sorted(const Alternative& row, int column) const;
    /// Part of the cap; 0: there is none.
    double partOfCap(const Alternative& row) const;
    /// How many times as fast as 1F1B; 0: not known.
    double speed(const Alternative& row) const;

    std::vector<Alternative> m_rows;
    Bytes m_capBytes = 0;
    Share m_capShare = 0;
    Ticks m_baseline = 0;
    double m_fastest = 0;
};

/// The rows that have some words and are of some kinds, sorted by a column or as they come.
class AlternativesOrder : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit AlternativesOrder(QObject* parent = nullptr);

    void setWords(const QString& words);
    void setShown(AlternativeKind kind, bool shown);
    bool shows(AlternativeKind kind) const
    {
        return (m_hidden & (1U << static_cast<int>(kind))) == 0;
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QString m_words;
    unsigned m_hidden = 0; ///< a bit a kind
};

/// A bar in front of the number of the column *against 1F1B*.
void drawBars(QTableView& table);

} // namespace pw::ui
