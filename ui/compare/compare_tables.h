// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/pass.h"
#include "ui/compare/compared.h"

#include <QTabWidget>

#include <vector>

class QComboBox;
class QLabel;
class QTableWidget;

namespace pw::ui {

class LengthsView;
class LossesView;

/// The figures of the timelines of a comparison, the passes that moved the end of one of them, and
/// how long passes of each kind take; and the losses of runs that train.
class CompareTables : public QTabWidget
{
    Q_OBJECT

public:
    explicit CompareTables(QWidget* parent = nullptr);

    void show(std::vector<ComparedRow> rows);
    /// The figures as lines of text.
    QString figureLines() const;

Q_SIGNALS:
    /// A pass of the list of what moved the end was chosen.
    void passChosen(const pw::Pass& pass);

private:
    void showFigures();
    void showPairs();
    void showShifts();
    void chooseShift();
    std::size_t shiftedRow() const;

    std::vector<ComparedRow> m_rows;
    QTableWidget* m_figures;
    QLabel* m_why;
    QComboBox* m_pairs;
    QTableWidget* m_shifts;
    LengthsView* m_lengths;
    LossesView* m_losses;
};

} // namespace pw::ui
