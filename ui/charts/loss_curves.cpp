// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/loss_curves.h"

#include "ui/charts/plot_colours.h"
#include "ui/presentation.h"

#include <QEvent>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace pw::ui {

namespace {

/// Of the curves, in turn: colours that are told apart on either ground.
constexpr std::array curveRoles{Role::Forward,      Role::Recompute,  Role::Backward,
                                Role::Weight,       Role::Accent,     Role::Secondary,
                                Role::BackwardTint, Role::ForwardTint};

constexpr int bandOpacity = 50; // of 255

} // namespace

LossCurves::LossCurves(QWidget* parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot(this))
{
    m_plot->setLocale(QLocale::c()); // as numbers are written everywhere in the window
    setAccessibleName(tr("Losses of several runs"));
    m_plot->xAxis->setLabel(tr("optimizer step"));
    m_plot->yAxis->setLabel(tr("loss"));
    m_plot->xAxis->grid()->setVisible(false);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setSubTicks(false);
        axis->setTickLength(0, 3);
        axis->setTickLabelFont(font());
        axis->setLabelFont(font());
    }
    // Beside the curves: over them it would hide their ends.
    m_plot->legend->setVisible(true);
    m_plot->legend->setFont(font());
    m_plot->axisRect()->insetLayout()->take(m_plot->legend);
    m_plot->plotLayout()->addElement(0, 1, m_plot->legend);
    constexpr double asWideAsItsWords = 0.001;
    m_plot->plotLayout()->setColumnStretchFactor(1, asWideAsItsWords);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 6, 14, 6);
    layout->addWidget(m_plot);
    draw();
}

void LossCurves::setCurves(std::vector<LossCurve> curves)
{
    m_curves = std::move(curves);
    draw();
}

void LossCurves::draw()
{
    colourGround(*m_plot);
    m_plot->legend->setBrush(color(Role::Panel));
    m_plot->legend->setBorderPen(QPen(color(Role::Line)));
    m_plot->legend->setTextColor(color(Role::Text));
    m_plot->clearGraphs();
    std::size_t number = 0;
    for (const LossCurve& curve : m_curves) {
        QVector<double> steps, means, lowest, highest;
        for (const LossCurve::Point& point : curve.points) {
            // What is not a number is a gap.
            const bool known = std::isfinite(point.loss);
            steps.append(point.step);
            means.append(known ? point.loss : qQNaN());
            lowest.append(known ? point.lowest : qQNaN());
            highest.append(known ? point.highest : qQNaN());
        }
        const QColor own = color(curveRoles[number++ % curveRoles.size()]);
        QColor band = own;
        band.setAlpha(bandOpacity);
        QCPGraph* const under = m_plot->addGraph();
        under->setData(steps, lowest, true);
        QCPGraph* const over = m_plot->addGraph();
        over->setData(steps, highest, true);
        over->setBrush(band);
        over->setChannelFillGraph(under);
        for (QCPGraph* edge : {under, over}) {
            edge->setPen(Qt::NoPen);
            edge->removeFromLegend();
        }
        QCPGraph* const mean = m_plot->addGraph();
        mean->setData(steps, means, true);
        mean->setPen(QPen(own, 1.6));
        mean->setName(curve.title);
    }
    m_plot->rescaleAxes();
    constexpr double room = 1.05;
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis})
        axis->scaleRange(room);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void LossCurves::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        draw();
    QWidget::changeEvent(event);
}

} // namespace pw::ui
