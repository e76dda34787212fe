// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/noise/adaptive_k.h"

#include <QStringList>
#include <QWidget>

class QDoubleSpinBox;
class QLineEdit;
class QSpinBox;

namespace pw::ui {

class FieldBar;

/// A training whose k follows the network, as it is asked for.
struct AdaptiveAsked
{
    GroupingProblem problem;
    int iterations = 100;
    int every = 5; ///< iterations between two choices of k
};

/// Such a training as fields.
class AdaptiveFields : public QWidget
{
    Q_OBJECT

public:
    explicit AdaptiveFields(QWidget* parent = nullptr);

    /// What the fields say. @error Syntax  the network over time is none
    Result<AdaptiveAsked> asked() const;
    /// The same as options of `pipewright run kfkb --adapt`.
    /// @param modelled  the backend takes the times of passes from here, too
    QStringList arguments(bool modelled) const;
    void setDevices(int devices);
    /// Why it cannot be; empty: it can.
    void refuse(const QString& reason);
    QString refusal() const;

Q_SIGNALS:
    void changed();

private:
    FieldBar* m_bar;
    QSpinBox* m_devices = nullptr;
    QSpinBox* m_samples = nullptr;
    QSpinBox* m_held = nullptr;
    QSpinBox* m_mostGroup = nullptr;
    QSpinBox* m_iterations = nullptr;
    QSpinBox* m_every = nullptr;
    QDoubleSpinBox* m_forward = nullptr;
    QDoubleSpinBox* m_backward = nullptr;
    QDoubleSpinBox* m_fixed = nullptr;
    QDoubleSpinBox* m_message = nullptr;
    QDoubleSpinBox* m_latency = nullptr;
    QLineEdit* m_trace = nullptr;
};

} // namespace pw::ui
