// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/account.h"
#include "core/analysis/exposure.h"
#include "core/trace/align_clocks.h"

#include <QTableWidget>

#include <vector>

namespace pw::ui {

/// A table of figures to read and to copy: Ctrl+C takes the chosen rows, or all, with the headings
/// and tabs between, as spreadsheets take them.
class FigureTable : public QTableWidget
{
    Q_OBJECT

public:
    /// @param texts  columns from the left that hold words; the others are numbers, at the right
    FigureTable(const QStringList& heads, int texts, QWidget* parent = nullptr);

    void append(const QStringList& cells);
    /// What Ctrl+C copies.
    QString copied() const;
    void copy() const;
    /// Gives the columns their widths, once the rows are there.
    void fit();

protected:
    void keyPressEvent(QKeyEvent* event) override;
};

/// The time of every rank by cause; the cells of a row sum to its last one, the wall time. A cause
/// that nothing has is left out, but never what is unexplained.
FigureTable* accountTable(const Account& account, const QStringList& ranks, QWidget* parent);

/// Messages of every rank: waiting and transfer, exposed and hidden.
/// @param ranks  what people call them, by `Transfers::of`
template<typename Of>
FigureTable* transfersTable(const std::vector<Transfers<Of>>& transfers, const QStringList& ranks,
                            QWidget* parent);

/// What became of the clocks in a sentence, and what is added to the times of each rank, with its
/// band.
QWidget* clocksPage(const AlignedClocks& clocks, const QStringList& ranks, QWidget* parent);

} // namespace pw::ui
