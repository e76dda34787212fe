// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/edit.h"

#include <QWidget>

#include <string>
#include <vector>

class QCheckBox;
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
        QDoubleSpinBox* box = nullptr;
    };

    void make();
    void connectFields();
    void showShape(const Project& project);
    void showParameters(const Project& project);
    void makeParameters(const std::string& id);
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
