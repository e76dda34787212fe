// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/compare/compared.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;

namespace pw::ui {

class LengthsChart;

/// How long passes of each kind take in one timeline of a comparison and in the one above it.
class LengthsView : public QWidget
{
    Q_OBJECT

public:
    explicit LengthsView(QWidget* parent = nullptr);

    void show(const std::vector<ComparedRow>& rows);
    const LengthsChart& chart() const { return *m_chart; }

private:
    void compare();
    QString sentence(const ComparedRow& before, const ComparedRow& after) const;

    std::vector<ComparedRow> m_rows;
    int m_wanted = 0; ///< answers of earlier questions are dropped
    QComboBox* m_pairs;
    QLabel* m_what;
    LengthsChart* m_chart;
};

} // namespace pw::ui
