// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/job/worker_map.h"

#include "ui/presentation.h"
#include "ui/timeline/heat_painter.h"
#include "ui/timeline/time_axis.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr double leastWidth = 5;
constexpr double mostWidth = 46;
constexpr double leastHeight = 8;
constexpr double mostHeight = 30;
constexpr double fullDeviation = 0.5; ///< from the median, that has the full colour at least

} // namespace

WorkerMap::WorkerMap(WorkerChoice& choice, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_choice(choice)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setBackgroundRole(QPalette::Base);
    setAccessibleName(tr("Map of all workers"));
    connect(&choice, &WorkerChoice::currentChanged, this, &WorkerMap::showCurrent);
}

void WorkerMap::setValues(WorkerValues values)
{
    m_values = std::move(values);
    m_low = m_high = 0;
    bool first = true;
    for (const std::optional<double>& value : m_values.values)
        if (value) {
            m_low = first ? *value : std::min(m_low, *value);
            m_high = first ? *value : std::max(m_high, *value);
            first = false;
        }
    scale();
    showCurrent();
}

void WorkerMap::showCurrent()
{
    if (const std::optional<Worker>& worker = m_choice.current()) {
        setAccessibleDescription(textOf(*worker));
        reveal(*worker);
    }
    viewport()->update();
}

double WorkerMap::margin() const
{
    return fontMetrics().horizontalAdvance(tr("stage %1").arg(QStringLiteral("000"))) + 10;
}

double WorkerMap::head() const
{
    return fontMetrics().height() + 2;
}

QSizeF WorkerMap::cell() const
{
    const double wide = (viewport()->width() - margin()) / std::max(1, replicas());
    const double high = (viewport()->height() - head()) / std::max(1, devices());
    return {std::clamp(std::floor(wide), leastWidth, mostWidth),
            std::clamp(std::floor(high), leastHeight, mostHeight)};
}

double WorkerMap::partOf(double value) const
{
    if (m_values.measure == WorkerMeasure::Work && !m_values.pass)
        return (value - 1) / std::max({fullDeviation, m_high - 1, 1 - m_low});
    return m_high > m_low ? (value - m_low) / (m_high - m_low) : 0;
}

QString WorkerMap::shortText(double value) const
{
    if (m_values.pass)
        return {};
    switch (m_values.measure) {
    case WorkerMeasure::Work:
        return m_values.axisText(value);
    case WorkerMeasure::Idle:
        return QLocale().toString(std::lround(value * 100));
    default:
        return {};
    }
}

QRectF WorkerMap::boxOf(const Worker& worker) const
{
    const QSizeF size = cell();
    return {margin() + worker.replica * size.width() - horizontalScrollBar()->value(),
            head() + worker.device.value * size.height() - verticalScrollBar()->value(),
            size.width() - 1, size.height() - 1};
}

std::optional<Worker> WorkerMap::workerAt(QPointF point) const
{
    if (point.x() < margin() || point.y() < head())
        return std::nullopt;
    const QSizeF size = cell();
    const int replica =
        static_cast<int>((point.x() - margin() + horizontalScrollBar()->value()) / size.width());
    const int device =
        static_cast<int>((point.y() - head() + verticalScrollBar()->value()) / size.height());
    if (replica >= replicas() || device >= devices())
        return std::nullopt;
    return Worker{replica, DeviceId(device)};
}

void WorkerMap::scale()
{
    const QSizeF size = cell();
    const double roomX = viewport()->width() - margin(), roomY = viewport()->height() - head();
    horizontalScrollBar()->setPageStep(static_cast<int>(roomX));
    verticalScrollBar()->setPageStep(static_cast<int>(roomY));
    horizontalScrollBar()->setSingleStep(static_cast<int>(size.width()));
    verticalScrollBar()->setSingleStep(static_cast<int>(size.height()));
    horizontalScrollBar()->setRange(
        0, std::max(0, static_cast<int>(std::ceil(replicas() * size.width() - roomX))));
    verticalScrollBar()->setRange(
        0, std::max(0, static_cast<int>(std::ceil(devices() * size.height() - roomY))));
}

void WorkerMap::reveal(const Worker& worker)
{
    const QRectF box = boxOf(worker);
    if (box.left() < margin())
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() -
                                        static_cast<int>(margin() - box.left()));
    else if (box.right() > viewport()->width())
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() +
                                        static_cast<int>(box.right() - viewport()->width() + 1));
    if (box.top() < head())
        verticalScrollBar()->setValue(verticalScrollBar()->value() -
                                      static_cast<int>(head() - box.top()));
    else if (box.bottom() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() +
                                      static_cast<int>(box.bottom() - viewport()->height() + 1));
}

void WorkerMap::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), color(Role::Paper));
    if (m_values.job == nullptr)
        return;
    QFont small = font();
    small.setPixelSize(TimeAxis::letters(11));
    painter.setFont(small);
    const QSizeF size = cell();
    const QFontMetrics letters(small);
    painter.save();
    painter.setClipRect(QRectF(margin(), head(), viewport()->width(), viewport()->height()));
    for (int r = 0; r < replicas(); ++r)
        for (int d = 0; d < devices(); ++d) {
            const Worker worker{r, DeviceId(d)};
            const QRectF box = boxOf(worker);
            const std::optional<double> value = m_values.valueOf(worker);
            if (!value) {
                painter.setPen(color(Role::Hatch));
                painter.drawLine(box.bottomLeft(), box.topRight());
                continue;
            }
            const double part = partOf(*value);
            const QColor ground = heatColor(part);
            painter.fillRect(box, ground);
            constexpr double notable = 0.1; // of the full colour
            const QString words = shortText(*value);
            if (std::abs(part) >= notable && letters.horizontalAdvance(words) < box.width() - 1 &&
                letters.height() <= box.height() + 2) {
                painter.setPen(inkOn(ground));
                painter.drawText(box, Qt::AlignCenter, words);
            }
        }
    if (m_choice.current()) {
        painter.setPen(QPen(color(Role::Accent), 2));
        painter.drawRect(boxOf(*m_choice.current()).adjusted(-0.5, -0.5, 0.5, 0.5));
    }
    painter.restore();
    painter.setPen(color(Role::Secondary));
    const int everyRow = std::max(1, static_cast<int>(std::ceil(letters.height() / size.height())));
    for (int d = 0; d < devices(); d += everyRow) {
        const QRectF box = boxOf({0, DeviceId(d)});
        if (box.top() >= head() - 1)
            painter.drawText(QRectF(0, box.center().y() - letters.height() / 2.0, margin() - 8,
                                    letters.height()),
                             Qt::AlignRight | Qt::AlignVCenter, tr("stage %1").arg(d));
    }
    const int widest = letters.horizontalAdvance(QString::number(std::max(0, replicas() - 1))) + 6;
    const int everyColumn = std::max(1, static_cast<int>(std::ceil(widest / size.width())));
    for (int r = 0; r < replicas(); r += everyColumn) {
        const QRectF box = boxOf({r, DeviceId(0)});
        if (box.left() >= margin() - 1)
            painter.drawText(QRectF(box.center().x() - widest, 0, 2.0 * widest, head() - 2),
                             Qt::AlignCenter, QString::number(r));
    }
    painter.drawText(QRectF(0, 0, margin() - 8, head() - 2), Qt::AlignRight | Qt::AlignVCenter,
                     tr("replica"));
}

void WorkerMap::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    scale();
}

void WorkerMap::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        if (const std::optional<Worker> worker = workerAt(event->position()))
            m_choice.choose(*worker);
}

void WorkerMap::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const std::optional<Worker> worker = workerAt(event->position()))
        m_choice.open(*worker);
}

void WorkerMap::mouseMoveEvent(QMouseEvent* event)
{
    const std::optional<Worker> worker = workerAt(event->position());
    m_choice.tell(worker ? textOf(*worker) : QString());
    viewport()->setToolTip(worker ? textOf(*worker) : QString());
}

void WorkerMap::leaveEvent(QEvent* event)
{
    m_choice.tell({});
    QAbstractScrollArea::leaveEvent(event);
}

void WorkerMap::keyPressEvent(QKeyEvent* event)
{
    Worker to = m_choice.current().value_or(Worker{0, DeviceId(0)});
    switch (event->key()) {
    case Qt::Key_Left:
        --to.replica;
        break;
    case Qt::Key_Right:
        ++to.replica;
        break;
    case Qt::Key_Up:
        to.device = DeviceId(to.device.value - 1);
        break;
    case Qt::Key_Down:
        to.device = DeviceId(to.device.value + 1);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        m_choice.openCurrent();
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    if (to.replica >= 0 && to.replica < replicas() && to.device.value >= 0 &&
        to.device.value < devices())
        m_choice.choose(to);
}

} // namespace pw::ui
