// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/plot_colours.h"

#include "ui/presentation.h"

#include <qcustomplot.h>

namespace pw::ui {

void colourGround(QCustomPlot& plot)
{
    plot.setBackground(color(Role::Panel));
    plot.axisRect()->setBackground(color(Role::Lane));
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setBasePen(QPen(color(Role::Line)));
        axis->setTickPen(QPen(color(Role::Line)));
        axis->setTickLabelColor(color(Role::Secondary));
        axis->setLabelColor(color(Role::Secondary));
        axis->grid()->setPen(QPen(color(Role::Line), 0.6));
    }
}

} // namespace pw::ui
