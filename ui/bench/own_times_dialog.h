// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/costs.h"

#include <QDialog>

class QDoubleSpinBox;

namespace pw::ui {

/// Times and the activation of a device's share, as a person types them.
class OwnTimesDialog : public QDialog
{
    Q_OBJECT

public:
    explicit OwnTimesDialog(const UniformCosts& before, QWidget* parent = nullptr);

    UniformCosts costs() const;

private:
    UniformCosts m_before;
    QDoubleSpinBox* m_forward;
    QDoubleSpinBox* m_backward;
    QDoubleSpinBox* m_weight;
    QDoubleSpinBox* m_hop;
    QDoubleSpinBox* m_activation;
};

} // namespace pw::ui
