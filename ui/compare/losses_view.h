// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/compare/compared.h"

#include <QWidget>

#include <vector>

namespace pw::ui {

class LossCurves;

/// What the runs of a comparison have learnt: a curve a training, those that differ by their seed
/// alone as one with a band.
class LossesView : public QWidget
{
    Q_OBJECT

public:
    explicit LossesView(QWidget* parent = nullptr);

    void show(const std::vector<ComparedRow>& rows);
    const LossCurves& chart() const { return *m_chart; }

private:
    LossCurves* m_chart;
};

} // namespace pw::ui
