// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/step_chart.h"

#include "ui/presentation.h"
#include "ui/timeline/timeline_view.h"

#include <QEvent>
#include <QLocale>
#include <QPainter>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

/// Points of a series that a plot of so many columns needs: all where they are few; else the first,
/// least, greatest and last of each column, which draw the same picture.
void appendVisible(const StepSeries& series, const ViewRange& range, int columns,
                   QVector<double>& times, QVector<double>& values)
{
    const auto count = series.times.size();
    if (count == 0)
        return;
    const auto before = std::upper_bound(series.times.begin(), series.times.end(),
                                         static_cast<Ticks>(range.begin()));
    std::size_t i = before == series.times.begin()
                        ? 0
                        : static_cast<std::size_t>(before - series.times.begin()) - 1;
    const auto append = [&](std::size_t at) {
        times.append(static_cast<double>(series.times[at]));
        values.append(series.values[at]);
    };
    const double width = range.length() / std::max(1, columns);
    while (i < count && static_cast<double>(series.times[i]) <= range.end()) {
        const double edge = static_cast<double>(series.times[i]) + width;
        std::size_t least = i, greatest = i, last = i;
        for (std::size_t j = i; j < count && static_cast<double>(series.times[j]) < edge; ++j) {
            least = series.values[j] < series.values[least] ? j : least;
            greatest = series.values[j] > series.values[greatest] ? j : greatest;
            last = j;
        }
        append(i);
        for (const std::size_t at : {std::min(least, greatest), std::max(least, greatest)})
            if (at != i && at != last)
                append(at);
        if (last != i)
            append(last);
        i = last + 1;
    }
    times.append(std::max(range.end(), static_cast<double>(series.times[std::min(i, count) - 1])));
    values.append(values.last());
}

} // namespace

QString bytesText(double bytes)
{
    static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    int unit = 0;
    while (std::abs(bytes) >= 1024 && unit < 5) {
        bytes /= 1024;
        ++unit;
    }
    return QLocale::c().toString(bytes, 'f', unit == 0 || bytes >= 100 ? 0 : 1) +
           QStringLiteral(" ") + QString::fromLatin1(units[unit]);
}

/// Axis labels in bytes, with steps of powers of two.
class BytesTicker : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange& range) override
    {
        const double rough = std::max(1.0, range.size() / 4);
        return std::pow(2.0, std::ceil(std::log2(rough)));
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
        return tick == 0 ? QStringLiteral("0") : bytesText(tick);
    }
};

StepChart::StepChart(ViewRange& range, const QString& title, Unit unit, QWidget* parent)
    : QWidget(parent)
    , m_range(range)
    , m_title(title)
    , m_unit(unit)
    , m_plot(new QCustomPlot(this))
{
    setAccessibleName(title);
    setMinimumHeight(70);
    m_plot->setNoAntialiasingOnDrag(true);
    m_plot->setNotAntialiasedElements(QCP::aeAll);
    m_plot->axisRect()->setAutoMargins(QCP::msNone);
    m_plot->xAxis->setTickLabels(false);
    m_plot->xAxis->setTicks(false);
    m_plot->xAxis->grid()->setVisible(false);
    m_plot->yAxis->setSubTicks(false);
    m_plot->yAxis->setTickLength(0);
    QFont small = font();
    small.setPixelSize(10);
    m_plot->yAxis->setTickLabelFont(small);
    setUnit(unit);
    m_plot->yAxis->setLabelPadding(0);
    connect(m_plot, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
        Q_EMIT hovered(m_plot->xAxis->pixelToCoord(event->position().x()));
    });
    connect(&m_range, &ViewRange::changed, this, &StepChart::fill);
    applyColors();
}

StepChart::~StepChart() = default;

void StepChart::setSeries(std::vector<StepSeries> series)
{
    m_series = std::move(series);
    fill();
}

void StepChart::setTrial(std::vector<StepSeries> series)
{
    m_trial = std::move(series);
    fill();
}

void StepChart::setLimit(std::optional<double> limit, const QString& label)
{
    m_limit = limit;
    m_limitLabel = label;
    fill();
}

void StepChart::setSubtitle(const QString& subtitle)
{
    m_subtitle = subtitle;
    update();
}

void StepChart::setUnit(Unit unit)
{
    m_unit = unit;
    if (unit == Unit::Bytes) {
        m_plot->yAxis->setTicker(QSharedPointer<BytesTicker>::create());
    } else {
        auto ticker = QSharedPointer<QCPAxisTicker>::create();
        ticker->setTickCount(4);
        m_plot->yAxis->setTicker(ticker);
    }
}

void StepChart::scaleValues()
{
    double most = 0;
    for (const auto* all : {&m_series, &m_trial})
        for (const StepSeries& series : *all)
            for (const double value : series.values)
                most = std::max(most, value);
    if (m_limit && *m_limit < 3 * most)
        most = std::max(most, *m_limit);
    m_plot->yAxis->setRange(0, most > 0 ? 1.12 * most : 1);
}

void StepChart::fill()
{
    m_plot->clearGraphs();
    m_plot->clearItems();
    const int columns = std::max(1, m_plot->axisRect()->width());
    const auto add = [&](const StepSeries& series, bool trial, QCPGraph* below) {
        QCPGraph* graph = m_plot->addGraph();
        QVector<double> times, values;
        appendVisible(series, m_range, columns, times, values);
        graph->setData(times, values, true);
        graph->setLineStyle(QCPGraph::lsStepLeft);
        graph->setAdaptiveSampling(false);
        graph->setPen(QPen(series.color, 1.4, trial ? Qt::DashLine : Qt::SolidLine));
        if (series.filled && !trial) {
            QColor veil = series.color;
            veil.setAlphaF(0.45F);
            graph->setBrush(veil);
            if (below != nullptr)
                graph->setChannelFillGraph(below);
        }
        return graph;
    };
    QCPGraph* below = nullptr;
    for (const StepSeries& series : m_series) {
        QCPGraph* graph = add(series, false, series.filled ? below : nullptr);
        if (series.filled)
            below = graph;
    }
    for (const StepSeries& series : m_trial)
        add(series, true, nullptr);
    if (m_limit) {
        auto* line = new QCPItemStraightLine(m_plot);
        line->setPen(QPen(color(Role::Refusal), 1.2, Qt::DashLine));
        line->point1->setCoords(0, *m_limit);
        line->point2->setCoords(1, *m_limit);
        auto* text = new QCPItemText(m_plot);
        text->setText(m_limitLabel);
        text->setColor(color(Role::Refusal));
        text->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
        text->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
        text->position->setTypeY(QCPItemPosition::ptPlotCoords);
        text->position->setCoords(0.995, *m_limit);
    }
    m_plot->xAxis->setRange(m_range.begin(), m_range.end());
    scaleValues();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void StepChart::applyColors()
{
    m_plot->setBackground(QBrush(color(Role::Paper)));
    m_plot->axisRect()->setBackground(QBrush(color(Role::Lane)));
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setBasePen(Qt::NoPen);
        axis->setTickPen(Qt::NoPen);
        axis->setTickLabelColor(color(Role::Secondary));
        axis->grid()->setPen(QPen(color(Role::Line), 1));
        axis->grid()->setZeroLinePen(QPen(color(Role::Line), 1));
    }
    fill();
}

void StepChart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        applyColors();
    QWidget::changeEvent(event);
}

void StepChart::resizeEvent(QResizeEvent*)
{
    constexpr int labels = 46;
    m_plot->setGeometry(TimelineView::margin - labels, 0, width() - TimelineView::margin + labels,
                        height());
    m_plot->axisRect()->setMargins(QMargins(labels, 6, 0, 6));
    fill();
}

void StepChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(Role::Paper));
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    bold.setPixelSize(12);
    painter.setFont(bold);
    painter.setPen(color(Role::Text));
    painter.drawText(QRectF(14, 4, TimelineView::margin - 60, 16), Qt::AlignLeft, m_title);
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    painter.setPen(color(Role::Secondary));
    painter.drawText(QRectF(14, 21, TimelineView::margin - 60, height() - 24.0),
                     Qt::AlignLeft | Qt::TextWordWrap, m_subtitle);
}

} // namespace pw::ui
