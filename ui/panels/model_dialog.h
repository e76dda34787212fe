// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/layer_split.h"
#include "ui/panels/cost_dialog.h"

#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QSpinBox;
class QTableWidget;

namespace pw::ui {

/// Times and bytes from a model, a machine and the split of the layers, with what comes out.
class ModelDialog : public CostDialog
{
    Q_OBJECT

public:
    explicit ModelDialog(const Project& project, QWidget* parent = nullptr);
    ~ModelDialog() override;

    /// What the fields say now.
    CostOrigin origin() const;

private:
    struct NumberField
    {
        int TransformerModel::*member;
        QSpinBox* box;
    };
    struct FlagField
    {
        bool TransformerModel::*member;
        QCheckBox* box;
    };

    void addNumber(QFormLayout& form, const QString& label, int TransformerModel::*member,
                   int least, int most, const QString& tip);
    void addFlag(QFormLayout& form, const QString& label, bool TransformerModel::*member,
                 const QString& tip);
    void makeFields(QFormLayout& form);
    void showModel();
    void choosePreset(int index);
    void openModel();
    void fieldEdited();
    void preview();
    void showStages(const Costs& costs, const LayerSplit& split);
    QString summary(const Costs& costs) const;
    void applyModel();

    PipelineSpec m_spec;
    RecomputeIn m_recomputeIn;
    EngineMemory m_engine; ///< of the costs that are there
    LanguageModel m_model;
    Result<Costs> m_costs;
    bool m_filling = false; ///< fields are being filled, not edited
    std::vector<NumberField> m_numbers;
    std::vector<FlagField> m_flags;
    QComboBox* m_preset;
    QComboBox* m_precision;
    QComboBox* m_recompute;
    QComboBox* m_machine;
    QComboBox* m_split;
    QTableWidget* m_stages;
    QLabel* m_summary;
};

} // namespace pw::ui
