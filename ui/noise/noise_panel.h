// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/noise/noise_study.h"

#include <QWidget>

class QDoubleSpinBox;
class QLabel;
class QTableWidget;

namespace pw::ui {

class SpreadChart;

/// How noisy it is, as the fields were left.
NoiseModel keptNoise();

/// How noisy it is, as fields; how the makespan spreads; what the end depends on.
class NoisePanel : public QWidget
{
    Q_OBJECT

public:
    /// @param study  outlives the panel
    explicit NoisePanel(NoiseStudy& study, QWidget* parent = nullptr);

    /// What the fields say.
    NoiseModel model() const;
    /// Why nothing can be looked at; empty: it can.
    void setProblem(const QString& why);
    /// What it says, for tests and those who hear it.
    QString sentence() const;

Q_SIGNALS:
    /// A field is another.
    void modelChanged();

private:
    QWidget* makeFields();
    void makeTable();
    void refresh();
    void showSensitivity();

    NoiseStudy& m_study;
    QString m_problem;
    QDoubleSpinBox* m_passes = nullptr;
    QDoubleSpinBox* m_messages = nullptr;
    QDoubleSpinBox* m_ranks = nullptr;
    SpreadChart* m_chart = nullptr;
    QLabel* m_sentence = nullptr;
    QTableWidget* m_table = nullptr;
};

} // namespace pw::ui
