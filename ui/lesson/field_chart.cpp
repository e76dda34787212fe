// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/field_chart.h"

#include "core/base/text.h"
#include "core/base/types.h"
#include "ui/plain_text.h"
#include "ui/presentation.h"
#include "ui/text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <optional>

namespace pw::ui {

namespace {

QString fieldText(const FieldPoint& point)
{
    return FieldChart::tr("%1: %2, %3 mb")
        .arg(text(point.title), text(timeText(point.makespan)),
             text(plainNumber(microBatchesFromShare(point.peak))));
}

} // namespace

FieldChart::FieldChart(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("lesson-field"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize FieldChart::sizeHint() const
{
    return {260, fontMetrics().height() * 12};
}

void FieldChart::setPoints(std::vector<FieldPoint> points, FieldPoint own)
{
    m_points = std::move(points);
    m_own = std::move(own);
    setAccessibleName(tr("Everyone: time and memory"));
    setAccessibleDescription(words());
    update();
}

QString FieldChart::words() const
{
    QStringList all;
    if (!m_points.empty())
        all << fieldText(m_own);
    for (const FieldPoint& point : m_points)
        all << fieldText(point);
    return all.join(QLatin1Char('\n'));
}

QRectF FieldChart::area() const
{
    const int em = fontMetrics().height();
    return QRectF(rect()).adjusted(em / 2.0, em * 2.4, -em / 2.0, -em * 1.4);
}

QPointF FieldChart::placeOf(const FieldPoint& point) const
{
    Ticks least = m_own.makespan, most = m_own.makespan;
    Share top = m_own.peak;
    for (const FieldPoint& one : m_points) {
        least = std::min(least, one.makespan);
        most = std::max(most, one.makespan);
        top = std::max(top, one.peak);
    }
    const QRectF within = area().adjusted(10, 6, -10, -2);
    const double wide = std::max<double>(1, static_cast<double>(most - least));
    const double high = std::max<double>(1, static_cast<double>(top));
    return {within.left() + static_cast<double>(point.makespan - least) / wide * within.width(),
            within.bottom() - static_cast<double>(point.peak) / high * within.height()};
}

void FieldChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int em = fontMetrics().height();
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(color(Role::Text));
    painter.drawText(QRectF(0, 0, width(), em * 1.2), Qt::AlignLeft | Qt::AlignTop, tr("Everyone"));
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    painter.setFont(small);
    painter.setPen(color(Role::Secondary));
    painter.drawText(QRectF(0, em * 1.2, width(), em * 1.2), Qt::AlignLeft | Qt::AlignTop,
                     tr("↑ peak, micro-batches"));
    painter.drawText(QRectF(0, height() - em * 1.3, width(), em * 1.2),
                     Qt::AlignRight | Qt::AlignBottom, tr("makespan →"));
    painter.fillRect(area(), color(Role::Lane));
    for (const FieldPoint& point : m_points)
        paintDot(painter, point, false);
    paintDot(painter, m_own, true);
    paintNames(painter, QFontMetricsF(small));
}

void FieldChart::paintDot(QPainter& painter, const FieldPoint& point, bool own) const
{
    painter.setPen(own ? QPen(color(Role::Accent), 2) : QPen(Qt::NoPen));
    painter.setBrush(own ? QBrush(color(Role::Paper))
                         : QBrush(mixedColor(color(Role::Forward), color(Role::Lane), 0.45)));
    painter.drawEllipse(placeOf(point), own ? 5.5 : 3.5, own ? 5.5 : 3.5);
}

QString FieldChart::ownName() const
{
    QStringList names{tr("you")};
    for (const FieldPoint& point : m_points)
        if (point.makespan == m_own.makespan && point.peak == m_own.peak && names.size() < 3)
            names << text(point.title);
    return names.join(QStringLiteral(" · "));
}

/// A name goes where no other name or point is; the tool tip has them all. One's own is always
/// there.
void FieldChart::paintNames(QPainter& painter, const QFontMetricsF& metrics) const
{
    std::vector<QRectF> taken;
    for (const FieldPoint& point : m_points)
        taken.push_back(QRectF(placeOf(point) - QPointF(4, 4), QSizeF(8, 8)));
    taken.push_back(QRectF(placeOf(m_own) - QPointF(6, 6), QSizeF(12, 12)));
    const auto put = [&](const FieldPoint& point, const QString& name, bool own) {
        const QPointF at = placeOf(point);
        const QSizeF size(metrics.horizontalAdvance(name) + 4, metrics.height());
        const double wide = size.width(), high = size.height();
        const std::array<QPointF, 8> places = {{{8, -high / 2},
                                                {-8 - wide, -high / 2},
                                                {-wide / 2, -8 - high},
                                                {-wide / 2, 8},
                                                {-4 - wide, 8},
                                                {4, 8},
                                                {-4 - wide, -8 - high},
                                                {4, -8 - high}}};
        std::optional<QRectF> chosen;
        for (const QPointF& by : places) {
            // Those at the border of the chart move inwards.
            QRectF box(at + by, size);
            box.moveTop(std::clamp(box.top(), area().top(), area().bottom() - size.height()));
            const bool free = std::none_of(taken.begin(), taken.end(),
                                           [&](const QRectF& one) { return one.intersects(box); });
            const bool inside = box.left() >= area().left() && box.right() <= area().right() + 0.5;
            if (inside && (free || (own && !chosen)))
                chosen = box;
            if (inside && free)
                break;
        }
        if (!chosen)
            return;
        painter.setPen(color(own ? Role::Accent : Role::Secondary));
        painter.drawText(*chosen, Qt::AlignCenter, name);
        taken.push_back(*chosen);
    };
    put(m_own, ownName(), true);
    for (const FieldPoint& point : m_points)
        if (point.makespan != m_own.makespan || point.peak != m_own.peak)
            put(point, text(point.title), false);
}

bool FieldChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QStringList near;
    if ((placeOf(m_own) - QPointF(help->pos())).manhattanLength() < 12)
        near << fieldText(m_own);
    for (const FieldPoint& point : m_points)
        if ((placeOf(point) - QPointF(help->pos())).manhattanLength() < 12)
            near << fieldText(point);
    QToolTip::showText(help->globalPos(), tipLines(near.join(QLatin1Char('\n'))), this);
    return true;
}

} // namespace pw::ui
