// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QAbstractTableModel>

#include <functional>
#include <optional>
#include <vector>

namespace pw::ui {

/// A column of numbers in one unit.
struct NumberColumn
{
    QString title; ///< "F"
    QString unit;  ///< "ms"
    QString name;  ///< in sentences: "the time of F"
    QString tip;
    double least = 0;
    double most = 1e12;
    bool optional = false; ///< a cell may be empty
    /// Whether a row has a cell here; empty function: all have.
    std::function<bool(int row)> has{};
    /// What an empty cell counts as; empty function: nothing.
    std::function<std::optional<double>(int row)> fallback{};
};

/// A table that people type and paste numbers into. A cell that cannot be keeps what was typed,
/// with the reason, until it is put right.
class NumberTable : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// @param rows  titles: "stage 3"
    NumberTable(std::vector<NumberColumn> columns, QStringList rows, QObject* parent = nullptr);

    std::optional<double> value(int row, int column) const;
    /// Sets a cell as a program does: checked by nobody.
    void setValue(int row, int column, std::optional<double> value);
    /// What an empty cell counts as.
    std::optional<double> fallback(int row, int column) const;
    /// Why a cell cannot be; empty: it can.
    QString reason(int row, int column) const;
    /// The first cell that cannot be, in a sentence with its place; empty: all can.
    QString firstReason() const;

    /// Puts a spreadsheet's cells (tabs, semicolons or commas between; a line a row) at a place and
    /// behind it. A first line without numbers is taken for headings, and a first column headed
    /// "stage" is left out.
    /// @return  what did not find a place, in a sentence; empty: all did
    QString paste(const QModelIndex& at, const QString& cells);
    /// The cells' numbers, tabs between. @pre the cells make a rectangle
    QString copy(const QModelIndexList& cells) const;
    /// Gives the cells of a column the number of the topmost of them, for every column.
    void fillDown(const QModelIndexList& cells);
    /// Empties cells; those that need a number stay.
    void clear(const QModelIndexList& cells);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    /// Some cell is another.
    void edited();

private:
    struct Cell
    {
        std::optional<double> value;
        QString typed;  ///< what cannot be
        QString reason; ///< why; empty: the value counts
    };

    const Cell& cell(int row, int column) const;
    Cell& cell(int row, int column);
    bool has(int row, int column) const;
    /// Takes a text into a cell, or keeps it with the reason.
    void take(int row, int column, const QString& text);
    void tellChanged();

    std::vector<NumberColumn> m_columns;
    QStringList m_rows;
    std::vector<Cell> m_cells; ///< row by row
};

/// A number that a person typed: point or comma for decimals where it is clear, blanks around.
std::optional<double> numberOf(const QString& typed);

/// At most four significant digits.
QString shortNumber(double value);

} // namespace pw::ui
