// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/alternatives/alternative.h"
#include "ui/noise/noise_study.h"

#include <QWidget>

namespace pw::ui {

class NoisePanel;

/// How noisy it is, and what noise does to one alternative.
class NoisePart : public QWidget
{
    Q_OBJECT

public:
    explicit NoisePart(QWidget* parent = nullptr);

    /// The alternative that is looked at.
    void set(const Alternative& row);
    NoiseModel model() const;
    NoisePanel& panel() { return *m_panel; }

Q_SIGNALS:
    /// It is more or less noisy.
    void modelChanged();

private:
    void look();

    NoiseStudy m_study;
    NoisePanel* m_panel;
    std::shared_ptr<const Schedule> m_schedule; ///< null: nothing can be looked at
    Costs m_costs;
};

} // namespace pw::ui
