// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/edit.h"

#include <QWidget>

#include <functional>
#include <vector>

class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace pw::ui {

class FieldForm;
struct Field;
class SpecEdits;

/// The costs of a schedule as fields: those of equal stages to be edited, those of tables to be
/// read, and the memory cap of both.
class CostsFields : public QWidget
{
    Q_OBJECT

public:
    /// @param edits  outlives the fields
    explicit CostsFields(SpecEdits& edits, QWidget* parent = nullptr);

    void show(const Project& project);

private:
    void make();
    void makeEqual();
    void makeRare();
    void makeTables();
    void connectFields();
    void applyUniform(QWidget* box, const QString& what,
                      const std::function<void(UniformCosts&)>& edit);
    void applyCap();
    void showCap(const Project& project);
    void showNetwork(const Costs& costs);

    SpecEdits& m_edits;
    FieldForm* m_equal;   ///< costs of equal stages
    FieldForm* m_rare;    ///< those that are rarely needed
    FieldForm* m_tables;  ///< what a stage table has, to be read
    FieldForm* m_network; ///< and what its messages take, where they take any time
    FieldForm* m_limits;
    QLabel* m_from;
    QDoubleSpinBox* m_forward;
    QDoubleSpinBox* m_backward;
    QDoubleSpinBox* m_weight;
    QDoubleSpinBox* m_hop;
    QDoubleSpinBox* m_activation;
    QToolButton* m_more;
    QDoubleSpinBox* m_pair;
    QDoubleSpinBox* m_update;
    QDoubleSpinBox* m_kept;
    QDoubleSpinBox* m_stash;
    std::vector<QLabel*> m_ranges; ///< of F, B, W, the activation
    Field* m_link;
    Field* m_trace;
    QLineEdit* m_cap;
    QLabel* m_idleCap; ///< why the cap caps nothing
};

} // namespace pw::ui
