// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/loss_chart.h"

#include "ui/charts/plot_colours.h"
#include "ui/presentation.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace pw::ui {

LossChart::LossChart(QWidget* parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot(this))
    , m_last(new QLabel(this))
    , m_empty(new QLabel(this))
{
    m_plot->setLocale(QLocale::c()); // as numbers are written everywhere in the window
    setAccessibleName(tr("Losses"));
    m_plot->addGraph();
    m_plot->addGraph();
    m_plot->xAxis->setLabel(tr("optimizer step"));
    m_plot->xAxis->grid()->setVisible(false);
    auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
    ticker->setTickStep(1);
    ticker->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    m_plot->xAxis->setTicker(ticker);
    m_plot->xAxis->setNumberFormat(QStringLiteral("f"));
    m_plot->xAxis->setNumberPrecision(0);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setSubTicks(false);
        axis->setTickLength(0, 3);
        axis->setTickLabelFont(font());
        axis->setLabelFont(font());
    }
    m_last->setTextFormat(Qt::PlainText);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 6, 14, 6);
    layout->setSpacing(2);
    layout->addWidget(m_last);
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_empty, 1);
    setEmptyText(tr("The losses of a run that trains appear here as a curve."));
    applyColors();
    fill();
}

void LossChart::setLosses(const std::vector<StepLoss>& losses, int warmup)
{
    m_losses = losses;
    m_warmup = warmup;
    const auto earlier = [](const StepLoss& a, const StepLoss& b) { return a.step < b.step; };
    if (!std::is_sorted(m_losses.begin(), m_losses.end(), earlier))
        std::stable_sort(m_losses.begin(), m_losses.end(), earlier);
    fill();
}

void LossChart::setEmptyText(const QString& text)
{
    m_empty->setText(text);
}

void LossChart::fill()
{
    const bool any = !m_losses.empty();
    m_plot->setVisible(any);
    m_last->setVisible(any);
    m_empty->setVisible(!any);
    if (!any)
        return;
    QVector<double> warmSteps, warm, steps, values;
    double least = HUGE_VAL;
    double most = -HUGE_VAL;
    for (const StepLoss& one : m_losses) {
        const double step = one.step + 1;
        const bool number = std::isfinite(one.loss);
        if (number) {
            least = std::min(least, one.loss);
            most = std::max(most, one.loss);
        }
        const double value = number ? one.loss : qQNaN();
        // The curve goes on from the last step of the warm-up.
        if (one.step <= m_warmup && m_warmup > 0) {
            warmSteps.append(step);
            warm.append(value);
        }
        if (one.step >= m_warmup) {
            steps.append(step);
            values.append(value);
        }
    }
    m_plot->graph(0)->setData(warmSteps, warm, true);
    m_plot->graph(1)->setData(steps, values, true);
    constexpr qsizetype few = 40;
    for (int i = 0; i < 2; ++i)
        m_plot->graph(i)->setScatterStyle(static_cast<qsizetype>(m_losses.size()) <= few
                                              ? QCPScatterStyle(QCPScatterStyle::ssDisc, 5)
                                              : QCPScatterStyle(QCPScatterStyle::ssNone));
    if (least > most)
        least = most = 0;
    const double room = std::max((most - least) * 0.12, std::abs(most) * 0.01 + 1e-9);
    m_plot->yAxis->setRange(least - room, most + room);
    const double first = m_losses.front().step + 1;
    const double last = m_losses.back().step + 1;
    const double side = std::max(0.5, (last - first) * 0.02);
    m_plot->xAxis->setRange(first - side, last + side);
    m_last->setText(tr("loss %1 at step %2, from %3")
                        .arg(QString::number(m_losses.back().loss, 'g', 4))
                        .arg(m_losses.back().step + 1)
                        .arg(QString::number(m_losses.front().loss, 'g', 4)));
    m_plot->replot(QCustomPlot::rpQueuedRefresh);
}

void LossChart::applyColors()
{
    colourGround(*m_plot);
    m_plot->graph(0)->setPen(QPen(color(Role::ForwardTint), 1.6));
    m_plot->graph(1)->setPen(QPen(color(Role::Forward), 1.6));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void LossChart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        applyColors();
    QWidget::changeEvent(event);
}

void LossChart::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace pw::ui
