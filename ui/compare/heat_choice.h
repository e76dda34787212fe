// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/compare/compared.h"
#include "ui/workspace/timeline_source.h"

#include <QWidget>

#include <vector>

class QComboBox;

namespace pw::ui {

class HeatLegend;

/// What the colour of a compared pass stands for, with the scale of it.
class HeatChoice : public QWidget
{
    Q_OBJECT

public:
    enum class Colour
    {
        Moved, ///< how much later it ends
        Grown, ///< how much longer it takes
        Kind
    };

    explicit HeatChoice(QWidget* parent = nullptr);

    void choose(Colour colour);
    /// The colours of each of some timelines, on one scale, so that they can be compared too; the
    /// legend shows it.
    /// @param differences  to what stands above each; null: there is none, or not yet
    std::vector<HeatShown> heats(const std::vector<DifferencePtr>& differences);

Q_SIGNALS:
    void changed();

private:
    QComboBox* m_colour;
    HeatLegend* m_legend;
};

} // namespace pw::ui
