// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/step_chart.h"

#include "ui/charts/bytes_ticker.h"
#include "ui/charts/step_points.h"
#include "ui/presentation.h"
#include "ui/timeline/time_axis.h"

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
    m_veil = new QWidget(m_plot);
    m_veil->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_plot->installEventFilter(this);
    m_veil->installEventFilter(this);
    m_plot->setMouseTracking(true);
    connect(&m_range, &ViewRange::changed, this, &StepChart::fill);
    applyColors();
}

StepChart::~StepChart() = default;

void StepChart::setSeries(std::vector<StepSeries> series)
{
    m_series = std::move(series);
    measure();
    fill();
}

void StepChart::setTrial(std::vector<StepSeries> series)
{
    m_trial = std::move(series);
    // A drag tries many orders: they are drawn over the plot, which is plotted anew only where the
    // axis has to reach further.
    const double before = m_most;
    measure();
    if (m_most != before)
        fill();
    else
        m_veil->update();
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
    m_most = 0;
    for (const auto* all : {&m_series, &m_trial})
        for (const StepSeries& series : *all)
            for (const double value : series.values)
                m_most = std::max(m_most, value);
    for (const double value : m_band.high)
        m_most = std::max(m_most, value);
    place();
}

void StepChart::scaleValues()
{
    double most = m_most;
    if (m_limit && *m_limit < 3 * most)
        most = std::max(most, *m_limit);
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
        appendShown(series, times, values);
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
    for (const StepSeries& series : m_series) {
        QCPGraph* graph = add(series, series.filled ? below : nullptr);
        if (series.filled)
            below = graph;
    }
    if (m_limit && m_most > *m_limit)
        addOverflow();
    scaleValues();
    if (m_limit) {
        auto* line = new QCPItemStraightLine(m_plot);
        line->setPen(QPen(color(Role::Refusal), 1.2, Qt::DashLine));
        line->point1->setCoords(0, *m_limit);
        line->point2->setCoords(1, *m_limit);
    }
    m_plot->xAxis->setRange(m_range.begin(), m_range.end());
    m_plot->replot(QCustomPlot::rpQueuedReplot);
    m_veil->update();
}

/// What is above the limit, in red.
void StepChart::addOverflow()
{
    const auto top = std::find_if(m_series.rbegin(), m_series.rend(),
                                  [](const StepSeries& series) { return series.filled; });
    if (top == m_series.rend())
        return;
    QVector<double> times, values;
    appendShown(*top, times, values);
    for (double& value : values)
        value = std::max(value, *m_limit);
    QCPGraph* limit = m_plot->addGraph();
    limit->setData({m_range.begin(), m_range.end()}, {*m_limit, *m_limit}, true);
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

/// Of the plot, which begins left of the axis.
TimeScale StepChart::scale() const
{
    TimeScale scale = TimeAxis::of(m_range, *this);
    scale.left -= m_plot->x();
    return scale;
}

QRectF StepChart::curves() const
{
    return QRectF(m_plot->axisRect()->rect());
}

QString StepChart::valueText(double value) const
{
    return m_unit == Unit::Bytes ? bytesText(value) : QLocale::c().toString(value, 'g', 4);
}

void StepChart::setPointer(std::optional<double> time)
{
    if (time == m_pointer)
        return;
    m_pointer = time;
    m_veil->update();
}

void StepChart::paintVeil() const
{
    QPainter painter(m_veil);
    const QRectF area = curves();
    const TimeScale scale = this->scale();
    painter.setClipRect(area);
    if (!m_band.times.empty())
        paintBand(painter);
    for (const StepSeries& series : m_trial)
        paintTrial(painter, series);
    painter.setClipping(false);
    if (m_pointer) {
        const double x = std::round(scale.x(*m_pointer));
        if (x >= area.left() && x <= area.right()) {
            painter.setPen(QPen(color(Role::Secondary), 1));
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        }
    }
    QFont small = font();
    small.setPixelSize(TimeAxis::letters(11));
    small.setWeight(QFont::DemiBold);
    painter.setFont(small);
    const QFontMetricsF metrics(small);
    QColor ground = color(Role::Lane);
    ground.setAlphaF(0.8F);
    double x = area.left() + 8;
    const auto write = [&](const QString& words, const QColor& ink) {
        const QRectF box(x, area.top() + 2, metrics.horizontalAdvance(words), metrics.height());
        painter.fillRect(box.adjusted(-3, 0, 3, 0), ground);
        painter.setPen(ink);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, words);
        x = box.right() + 18;
    };
    if (m_pointer)
        write(durationText(*m_pointer), color(Role::Secondary));
    const QStringList names = legend();
    qsizetype next = 0;
    for (const StepSeries& series : m_series) {
        if (series.name.isEmpty())
            continue;
        // A swatch, since tints are too light to be read as text.
        if (x > area.right() - 40)
            break;
        painter.fillRect(QRectF(x, area.top() + 5, TimeAxis::letters(8), metrics.height() - 6),
                         series.color);
        x += TimeAxis::letters(12);
        write(names[next++], color(Role::Text));
    }
    if (!m_band.times.empty() && x < area.right() - 40) {
        painter.fillRect(QRectF(x, area.top() + 5, TimeAxis::letters(8), metrics.height() - 6),
                         bandColor());
        x += TimeAxis::letters(12);
        write(m_band.name, color(Role::Text));
    }
    // Beside the names there is no need to give way to them.
    const double label = area.right() - metrics.horizontalAdvance(m_limitLabel) - 10;
    if (m_limit)
        paintLimit(painter, x - 18 > label ? area.top() + 2 + metrics.height() : area.top());
}

/// The name of the limit, above its line where that is no place of the names, else below it.
void StepChart::paintLimit(QPainter& painter, double names) const
{
    const QRectF area = curves();
    const double line = m_plot->yAxis->coordToPixel(*m_limit);
    if (line < area.top())
        return;
    const QFontMetricsF metrics(painter.font());
    const double wide = metrics.horizontalAdvance(m_limitLabel), high = metrics.height();
    const double top = line - high - 1 >= names ? line - high - 1 : line + 2;
    const QRectF box(area.right() - wide - 4, top, wide, high);
    QColor ground = color(Role::Lane);
    ground.setAlphaF(0.8F);
    painter.fillRect(box.adjusted(-3, 0, 3, 0), ground);
    painter.setPen(color(Role::Refusal));
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, m_limitLabel);
}

bool StepChart::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_veil && event->type() == QEvent::Paint) {
        paintVeil();
        return true;
    }
    if (watched != m_plot)
        return QWidget::eventFilter(watched, event);
    const QRectF area = curves();
    const TimeScale scale = this->scale();
    switch (event->type()) {
    case QEvent::MouseMove: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const double x = mouse->position().x();
        if ((mouse->buttons() & (Qt::LeftButton | Qt::MiddleButton)) != 0) {
            m_range.pan((m_grabbed - x) * scale.ticksPerPixel);
            m_grabbed = x;
        }
        if (area.contains(mouse->position()))
            Q_EMIT hovered(scale.time(x));
        else
            Q_EMIT hovered(std::nullopt);
        return true;
    }
    case QEvent::MouseButtonPress:
        m_grabbed = static_cast<QMouseEvent*>(event)->position().x();
        return true;
    case QEvent::Leave:
        Q_EMIT hovered(std::nullopt);
        return false;
    case QEvent::Wheel: {
        auto* wheel = static_cast<QWheelEvent*>(event);
        const QPoint angle = wheel->angleDelta();
        if ((wheel->modifiers() & Qt::ShiftModifier) != 0 || angle.y() == 0)
            m_range.pan(-(angle.x() != 0 ? angle.x() : angle.y()) / 1200.0 * m_range.length());
        else
            m_range.zoom(std::pow(0.8, angle.y() / 120.0),
                         scale.time(std::max(area.left(), wheel->position().x())));
        wheel->accept();
        return true;
    }
    default:
        return QWidget::eventFilter(watched, event);
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
