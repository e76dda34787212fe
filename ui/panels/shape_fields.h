// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/edit.h"

#include <QWidget>

#include <optional>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace pw::ui {

class FieldForm;
class SpecEdits;

/// The shape of a schedule as fields: family and its parameters, counts, segments, placement.
class ShapeFields : public QWidget
{
    Q_OBJECT

public:
    /// @param edits  outlives the fields
    explicit ShapeFields(SpecEdits& edits, QWidget* parent = nullptr);

    void show(const Project& project);

private:
    struct ParameterField
    {
        std::string name;
        QDoubleSpinBox* box = nullptr; ///< of a number
        QCheckBox* check = nullptr;    ///< of a flag
        QComboBox* choice = nullptr;   ///< of a choice

        QWidget* editor() const;
    };

    void make();
    void connectFields();
    std::optional<FamilyChoice> familyOf(const Project& project) const;
    void showShape(const Project& project);
    void showParameters(const Project& project);
    void makeParameters(const std::string& id);
    ParameterField makeParameter(FieldForm& form, const Parameter& parameter);
    void applyParameter(QWidget* editor, const Parameter& parameter, std::optional<double> value);
    void applyCount(QSpinBox* box, const QString& what, int FamilyOptions::*option,
                    int PipelineSpec::*count);
    void applyDevices(int devices);
    void applySegments();
    void applyPlacement();

    SpecEdits& m_edits;
    FieldForm* m_shape;
    FieldForm* m_parameterForm;
    FieldForm* m_more;
    QLabel* m_family;
    QSpinBox* m_devices;
    QSpinBox* m_microBatches;
    std::vector<ParameterField> m_parameters;
    std::string m_parametersOf; ///< family whose parameters have fields
    QLineEdit* m_segments;
    QSpinBox* m_steps;
    QCheckBox* m_updates;
    QLineEdit* m_placement;
};

} // namespace pw::ui
