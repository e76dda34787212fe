// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/document/schedule_document.h"

#include <QPointer>
#include <QWidget>

#include <functional>
#include <string>
#include <vector>

class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QSpinBox;

namespace pw::ui {

/// The shape and the costs of a schedule as fields. A value that cannot be is refused with the
/// reason under the fields, and the field goes back.
class SpecPanel : public QWidget
{
    Q_OBJECT

public:
    explicit SpecPanel(QWidget* parent = nullptr);

    void setDocument(ScheduleDocument* document);

Q_SIGNALS:
    /// From model and machine: a dialog of its own.
    void modelAsked();

protected:
    void changeEvent(QEvent* event) override;

private:
    struct ParameterField
    {
        std::string name;
        QWidget* row = nullptr;
        QDoubleSpinBox* box = nullptr;
    };

    QSpinBox* addCount(const QString& label, int most);
    QDoubleSpinBox* addTime(const QString& label);
    void showProject();
    void showParameters(const Project& project);
    void apply(const QString& text, int merge, const std::function<void(Project&)>& edit);
    void refuse(const QString& reason);

    QPointer<ScheduleDocument> m_document;
    QMetaObject::Connection m_connection;
    bool m_showing = false; ///< fields are being filled, not edited
    QFormLayout* m_form;
    QLabel* m_family;
    QSpinBox* m_devices;
    QSpinBox* m_microBatches;
    QSpinBox* m_steps;
    std::vector<ParameterField> m_parameters;
    std::string m_parametersOf; ///< family whose parameters have fields
    QDoubleSpinBox* m_forward;
    QDoubleSpinBox* m_backward;
    QDoubleSpinBox* m_weight;
    QDoubleSpinBox* m_hop;
    QDoubleSpinBox* m_activation;
    QLabel* m_tables;
    QLabel* m_refusal;
};

} // namespace pw::ui
