// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/alternatives/ranking.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace pw::ui {

class FieldBar;

/// What alternatives are asked for: costs, machine, shape, memory cap, noise.
class QuestionFields : public QWidget
{
    Q_OBJECT

public:
    /// @param project  whose shape, costs and cap the fields begin with
    explicit QuestionFields(Project project, QWidget* parent = nullptr);

    /// Without noise; whether there is any says `noisy`.
    RankQuestion question() const;
    bool noisy() const;
    /// Begins anew with another project.
    void setProject(Project project);
    /// Why no family can be made so; empty: some can.
    void refuse(const QString& why);
    /// A schedule's title for what is asked for: with another shape, where the fields have gone on
    /// from its own.
    QString named(QString name) const;
    QString capText() const;

Q_SIGNALS:
    void changed();

private:
    void makeFields();
    void showShape();
    void showCap();

    Project m_project;
    FieldBar* m_fields;
    QComboBox* m_costs = nullptr;
    QComboBox* m_machine = nullptr;
    QSpinBox* m_devices = nullptr;
    QSpinBox* m_microBatches = nullptr;
    QDoubleSpinBox* m_cap = nullptr;
    QCheckBox* m_searches = nullptr;
    QCheckBox* m_noise = nullptr;
};

} // namespace pw::ui
