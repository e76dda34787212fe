// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/project_file.h"
#include "core/plan/search.h"
#include "ui/plan/plan_line.h"

#include <QWidget>

#include <functional>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QSpinBox;
class QToolButton;

namespace pw::ui {

class FieldBar;

/// A model, a cluster, and what is wished of a plan.
struct PlanAsked
{
    LanguageModel model;
    plan::Cluster cluster;
    plan::Wish wish;
};

/// What is planned in one line, and how sure its times are.
QString headlineOf(const PlanAsked& asked);

/// What is to be planned, as fields: model and cluster; behind a switch, values that narrow the
/// search.
class PlanFields : public QWidget
{
    Q_OBJECT

public:
    explicit PlanFields(QWidget* parent = nullptr);

    /// What the fields say. @error BadValue  the first field that cannot be, with its limit
    Result<PlanAsked> asked() const;
    /// The command line that asks the same.
    QString question() const;
    /// Fills the fields from a command line of `pipewright plan`.
    /// @return  what of it no field can say, the fields being as they were; empty: they say all
    QString take(const QString& question);
    /// Why what was asked for cannot be; empty: it can.
    void refuse(const QString& reason);
    QString refusal() const;
    /// Whether the fields are there that narrow the search.
    bool narrowShown() const;
    void setNarrowShown(bool shown);

Q_SIGNALS:
    /// Return was pressed in a field.
    void planAsked();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void makeBasics();
    void makeDegrees();
    void makeChoices();
    void makeNarrow();
    void makeOptions();
    void showNarrow();
    void showModel();
    void showKinds();
    Result<void> replaceDeviceFields(Accelerator& device) const;
    Result<plan::Cluster> askedCluster() const;

    FieldBar* m_bar;
    FieldBar* m_more;
    PlanLine m_line;
    QToolButton* m_narrow;
    std::vector<std::function<bool()>> m_isSet; ///< whether a field of m_more has another value
    QComboBox* m_model = nullptr;
    QComboBox* m_hardware = nullptr;
    QComboBox* m_precision = nullptr;
    QSpinBox* m_gpus = nullptr;
    QSpinBox* m_batch = nullptr;
    QSpinBox* m_sequence = nullptr;
    QDoubleSpinBox* m_memory = nullptr;
    QSpinBox* m_tensor = nullptr;
    QSpinBox* m_pipeline = nullptr;
    QSpinBox* m_data = nullptr;
    QSpinBox* m_context = nullptr;
    QSpinBox* m_expert = nullptr;
    QSpinBox* m_microBatch = nullptr;
    QComboBox* m_family = nullptr;
    QSpinBox* m_chunks = nullptr;
    QComboBox* m_recompute = nullptr;
    QComboBox* m_offload = nullptr;
    QComboBox* m_zero = nullptr;
    QSpinBox* m_perNode = nullptr;
    QDoubleSpinBox* m_network = nullptr;
};

} // namespace pw::ui
