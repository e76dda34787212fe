// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/step_chart.h"

#include "ui/charts/bytes_ticker.h"
#include "ui/charts/step_veil.h"
#include "ui/presentation.h"
#include "ui/timeline/time_axis.h"
#include "ui/timeline/wheel_turn.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr int plotEdge = 6; ///< pixels above and below the curves

} // namespace

StepChart::StepChart(ViewRange& range, const QString& title, Unit unit, QWidget* parent)
    : QWidget(parent)
    , m_range(range)
    , m_title(title)
    , m_unit(unit)
    , m_plot(new QCustomPlot(this))
{
    m_plot->setLocale(QLocale::c()); // as numbers are written everywhere in the window
    setAccessibleName(title);
    m_plot->setNoAntialiasingOnDrag(true);
    m_plot->setNotAntialiasedElements(QCP::aeAll);
    m_plot->axisRect()->setAutoMargins(QCP::msNone);
    m_plot->xAxis->setTickLabels(false);
    m_plot->xAxis->setTicks(false);
    m_plot->xAxis->grid()->setVisible(false);
    m_plot->yAxis->setSubTicks(false);
    m_plot->yAxis->setTickLength(0);
    takeLetters();
    setUnit(unit);
    m_plot->yAxis->setLabelPadding(0);
    m_veil = new StepVeil(*this, *m_plot, m_range, m_curves,
                          [this](double value) { return valueText(value); });
    m_plot->installEventFilter(this);
    m_plot->setMouseTracking(true);
    connect(&m_range, &ViewRange::changed, this, &StepChart::fill);
    applyColors();
}

StepChart::~StepChart() = default;

void StepChart::setSeries(std::vector<StepSeries> series)
{
    m_curves.series = std::move(series);
    measure();
    fill();
}

void StepChart::setTrial(std::vector<StepSeries> series)
{
    // A drag tries many orders: they are drawn over the plot.
    m_curves.trial = std::move(series);
    fillWhereMeasured();
}

void StepChart::setBand(StepBand band)
{
    if (band.times.empty() && m_curves.band.times.empty())
        return;
    m_curves.band = std::move(band);
    fillWhereMeasured();
}

void StepChart::fillWhereMeasured()
{
    const double before = m_most;
    measure();
    if (m_most != before)
        fill();
    else
        m_veil->update();
}

void StepChart::setGrown(std::optional<double> until)
{
    if (until == m_curves.grown)
        return;
    m_curves.grown = until;
    fill();
}

void StepChart::setLimit(std::optional<double> limit, const QString& label)
{
    m_curves.limit = limit;
    m_curves.limitLabel = label;
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
    } else if (unit == Unit::Whole) {
        auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
        ticker->setTickStep(1);
        ticker->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
        m_plot->yAxis->setTicker(ticker);
    } else {
        m_plot->yAxis->setTicker(QSharedPointer<QCPAxisTicker>::create());
    }
    place();
}

void StepChart::measure()
{
    m_most = m_curves.greatest();
    place();
}

void StepChart::scaleValues()
{
    double most = m_most;
    if (m_curves.limit && *m_curves.limit < 3 * most)
        most = std::max(most, *m_curves.limit);
    // The names have a line of their own above the curves.
    const double room = m_plot->height() - 2.0 * plotEdge; // the plot itself lays out later
    const double names = QFontMetricsF(font()).height() + 6;
    const double head = room > 2 * names ? room / (room - names) : 1.12;
    m_plot->yAxis->setRange(0, most > 0 ? head * most : 1);
    // No more numbers than stand under each other; there may be one more than is asked for.
    const double line = QFontMetricsF(m_plot->yAxis->tickLabelFont()).height();
    m_plot->yAxis->ticker()->setTickCount(std::clamp(static_cast<int>(room / line) - 1, 2, 4));
    place();
}

void StepChart::fill()
{
    m_plot->clearGraphs();
    m_plot->clearItems();
    const auto add = [&](const StepSeries& series, QCPGraph* below) {
        QCPGraph* graph = m_plot->addGraph();
        QVector<double> times, values;
        m_curves.appendShown(series, m_range, m_veil->columns(), times, values);
        graph->setData(times, values, true);
        graph->setLineStyle(QCPGraph::lsStepLeft);
        graph->setAdaptiveSampling(false);
        graph->setPen(QPen(series.color, 1.4));
        if (series.filled) {
            QColor veil = series.color;
            veil.setAlphaF(0.45F);
            graph->setBrush(veil);
            if (below != nullptr)
                graph->setChannelFillGraph(below);
        }
        return graph;
    };
    QCPGraph* below = nullptr;
    for (const StepSeries& series : m_curves.series) {
        QCPGraph* graph = add(series, series.filled ? below : nullptr);
        if (series.filled)
            below = graph;
    }
    if (m_curves.limit && m_most > *m_curves.limit)
        addOverflow();
    scaleValues();
    if (m_curves.limit) {
        auto* line = new QCPItemStraightLine(m_plot);
        line->setPen(QPen(color(Role::Refusal), 1.2, Qt::DashLine));
        line->point1->setCoords(0, *m_curves.limit);
        line->point2->setCoords(1, *m_curves.limit);
    }
    m_plot->xAxis->setRange(m_range.begin(), m_range.end());
    m_plot->replot(QCustomPlot::rpQueuedReplot);
    m_veil->update();
}

/// What is above the limit, in red.
void StepChart::addOverflow()
{
    const auto top = std::find_if(m_curves.series.rbegin(), m_curves.series.rend(),
                                  [](const StepSeries& series) { return series.filled; });
    if (top == m_curves.series.rend())
        return;
    QVector<double> times, values;
    m_curves.appendShown(*top, m_range, m_veil->columns(), times, values);
    for (double& value : values)
        value = std::max(value, *m_curves.limit);
    QCPGraph* limit = m_plot->addGraph();
    limit->setData({m_range.begin(), m_range.end()}, {*m_curves.limit, *m_curves.limit}, true);
    limit->setPen(Qt::NoPen);
    QCPGraph* over = m_plot->addGraph();
    over->setData(times, values, true);
    over->setLineStyle(QCPGraph::lsStepLeft);
    over->setAdaptiveSampling(false);
    over->setPen(Qt::NoPen);
    over->setBrush(color(Role::Refusal));
    over->setChannelFillGraph(limit);
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

void StepChart::takeLetters()
{
    // The title and two lines of what it is about; a line of names over the curves.
    setMinimumHeight(TimeAxis::letters(56));
    QFont small = font();
    small.setPixelSize(TimeAxis::letters(10));
    m_plot->yAxis->setTickLabelFont(small);
}

void StepChart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        applyColors();
    if (event->type() == QEvent::FontChange && m_veil != nullptr) {
        takeLetters();
        place();
        fill();
    }
    QWidget::changeEvent(event);
}

void StepChart::resizeEvent(QResizeEvent*)
{
    place();
    fill();
}

void StepChart::place()
{
    const int labels = labelRoom();
    m_plot->setGeometry(TimeAxis::margin(m_range) - labels, 0,
                        width() - TimeAxis::margin(m_range) + labels, height());
    m_plot->axisRect()->setMargins(QMargins(labels, plotEdge, TimeAxis::gutter(*this), plotEdge));
    if (m_veil != nullptr)
        m_veil->setGeometry(m_plot->rect());
}

/// For the longest number that stands beside the axis, in the font that it is written in.
int StepChart::labelRoom() const
{
    const QCPAxis& axis = *m_plot->yAxis;
    const QFontMetrics metrics(axis.tickLabelFont());
    QVector<double> marks;
    QVector<QString> labels;
    axis.ticker()->generate(axis.range(), m_plot->locale(), QLatin1Char('g'),
                            axis.numberPrecision(), marks, nullptr, &labels);
    // Few digits leave the room to what the chart is about; sizes do not move it with each edit.
    if (m_unit == Unit::Bytes)
        labels << QStringLiteral("88.8 MiB");
    int longest = 0;
    for (const QString& label : labels)
        longest = std::max(longest, metrics.horizontalAdvance(label));
    return longest + axis.tickLabelPadding() + 4;
}

QString StepChart::valueText(double value) const
{
    return m_unit == Unit::Bytes ? bytesText(value) : QLocale::c().toString(value, 'g', 4);
}

void StepChart::setPointer(std::optional<double> time)
{
    if (time == m_curves.pointer)
        return;
    m_curves.pointer = time;
    m_veil->update();
}

QStringList StepChart::legend() const
{
    return m_curves.names([this](double value) { return valueText(value); });
}

bool StepChart::eventFilter(QObject* watched, QEvent* event)
{
    return (watched == m_plot && pointAt(*event)) || QWidget::eventFilter(watched, event);
}

bool StepChart::pointAt(QEvent& event)
{
    const QRectF area = m_veil->area();
    const TimeScale scale = m_veil->scale();
    switch (event.type()) {
    case QEvent::MouseMove: {
        const auto& mouse = static_cast<QMouseEvent&>(event);
        const double x = mouse.position().x();
        if ((mouse.buttons() & (Qt::LeftButton | Qt::MiddleButton)) != 0) {
            m_range.pan((m_grabbed - x) * scale.ticksPerPixel);
            m_grabbed = x;
        }
        if (area.contains(mouse.position()))
            Q_EMIT hovered(scale.time(x));
        else
            Q_EMIT hovered(std::nullopt);
        return true;
    }
    case QEvent::MouseButtonPress:
        m_grabbed = static_cast<QMouseEvent&>(event).position().x();
        return true;
    case QEvent::Leave:
        Q_EMIT hovered(std::nullopt);
        return false;
    case QEvent::Wheel: {
        auto& wheel = static_cast<QWheelEvent&>(event);
        const WheelTurn turn = turnOf(wheel, false);
        if (turn.what == WheelTurn::What::Pan)
            m_range.pan(turn.amount * m_range.length());
        else
            m_range.zoom(turn.amount, scale.time(std::max(area.left(), wheel.position().x())));
        wheel.accept();
        return true;
    }
    default:
        return false;
    }
}

void StepChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(Role::Paper));
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    bold.setPixelSize(TimeAxis::letters(12));
    painter.setFont(bold);
    painter.setPen(color(Role::Text));
    const double wide = TimeAxis::margin(m_range) - labelRoom() - 16;
    painter.drawText(QRectF(14, 4, wide, TimeAxis::letters(16)), Qt::AlignLeft, m_title);
    QFont small = font();
    small.setPixelSize(TimeAxis::letters(11));
    painter.setFont(small);
    painter.setPen(color(Role::Secondary));
    // Whole lines: the lower half of one tells nothing.
    const int top = TimeAxis::letters(17) + 4;
    const int line = painter.fontMetrics().lineSpacing();
    const int lines = std::max(1, (height() - top) / line);
    painter.drawText(QRectF(14, top, wide, lines * line), Qt::AlignLeft | Qt::TextWordWrap,
                     m_subtitle);
}

} // namespace pw::ui
