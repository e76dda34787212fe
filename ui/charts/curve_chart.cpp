// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/curve_chart.h"

#include "ui/presentation.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr double nameRoom = 130; ///< at the right of the curves

} // namespace

CurveChart::CurveChart(QWidget* parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setAccessibleName(tr("Sweep"));
}

void CurveChart::setAxes(const PlotAxis& across, const PlotAxis& up)
{
    m_across = across;
    m_up = up;
    scale();
}

void CurveChart::setCurves(std::vector<PlotCurve> curves)
{
    m_curves = std::move(curves);
    std::erase_if(m_curves, [](const PlotCurve& curve) { return curve.points.empty(); });
    m_hovered = -1;
    scale();
}

void CurveChart::setCurrent(const QString& name)
{
    m_current = name;
    update();
}

void CurveChart::setSentence(const QString& sentence)
{
    m_sentence = sentence;
    update();
}

void CurveChart::scale()
{
    double left = 1e300, right = -1e300, low = 1e300, high = -1e300;
    for (const PlotCurve& curve : m_curves)
        for (const QPointF& point : curve.points) {
            left = std::min(left, point.x());
            right = std::max(right, point.x());
            low = std::min(low, point.y());
            high = std::max(high, point.y());
        }
    if (left <= right) {
        m_across.span(left, right, false, std::max(3, width() / 110));
        m_up.span(low, high, low < 0.35 * high, std::max(3, height() / 60));
    }
    update();
}

void CurveChart::resizeEvent(QResizeEvent*)
{
    scale();
}

/// The families in the colours of passes would say something else: hues of their own, evenly.
QColor CurveChart::inkOf(std::size_t curve) const
{
    const auto hue = static_cast<int>(curve * 137 + 210) % 360;
    return QColor::fromHsl(hue, 130, ground() == Ground::Dark ? 165 : 95);
}

void CurveChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_curves.empty()) {
        painter.fillRect(rect(), color(Role::Paper));
        painter.setPen(color(Role::Secondary));
        painter.drawText(QRectF(rect()).adjusted(40, 20, -40, -20),
                         Qt::AlignCenter | Qt::TextWordWrap, m_sentence);
        return;
    }
    painter.fillRect(rect(), color(Role::Paper));
    const PlotArea area =
        paintAxes(painter, QRectF(rect()).adjusted(0, 0, -nameRoom, 0), m_across, m_up);
    m_box = area.box;
    painter.setRenderHint(QPainter::Antialiasing);
    const bool any = m_hovered >= 0 ||
                     std::any_of(m_curves.begin(), m_curves.end(),
                                 [this](const PlotCurve& one) { return one.name == m_current; });
    const auto stands = [&](std::size_t i) {
        return m_hovered >= 0 ? static_cast<std::size_t>(m_hovered) == i
                              : m_curves[i].name == m_current;
    };
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        QPolygonF line;
        for (const QPointF& point : m_curves[i].points)
            line << area.point(point.x(), point.y());
        QColor ink = inkOf(i);
        if (any && !stands(i))
            ink.setAlphaF(0.35F);
        painter.setPen(QPen(ink, stands(i) ? 2.4 : 1.4));
        painter.drawPolyline(line);
        painter.setBrush(ink);
        painter.setPen(Qt::NoPen);
        const double size = stands(i) ? 3.5 : 2.2;
        for (const QPointF& place : line)
            painter.drawEllipse(place, size, size);
        painter.setBrush(Qt::NoBrush);
    }
    // Names at the ends, moved apart where they would meet.
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    const double line = QFontMetricsF(small).height();
    std::vector<std::pair<double, std::size_t>> ends;
    for (std::size_t i = 0; i < m_curves.size(); ++i)
        ends.emplace_back(area.point(0, m_curves[i].points.back().y()).y(), i);
    std::sort(ends.begin(), ends.end());
    double below = area.box.top() - line;
    for (auto& [y, i] : ends) {
        y = std::max(y - line / 2, below);
        below = y + line;
    }
    double floor = area.box.bottom() + line;
    for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
        end->first = std::min(end->first, floor - line);
        floor = end->first;
    }
    for (const auto& [y, i] : ends) {
        if (y < -line)
            continue;
        QColor ink = inkOf(i);
        if (any && !stands(i))
            ink.setAlphaF(0.5F);
        painter.setPen(ink);
        painter.drawText(
            QRectF(area.box.right() + 8, y, nameRoom - 4, line), Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(small).elidedText(m_curves[i].name, Qt::ElideRight, nameRoom + 4));
    }
}

int CurveChart::nearest(QPointF place, QPointF& value) const
{
    const PlotArea area{m_box, &m_across, &m_up};
    int best = -1;
    double least = 14;
    for (std::size_t i = 0; i < m_curves.size(); ++i)
        for (const QPointF& point : m_curves[i].points) {
            const QPointF off = area.point(point.x(), point.y()) - place;
            const double distance = std::hypot(off.x(), off.y());
            if (distance < least) {
                least = distance;
                best = static_cast<int>(i);
                value = point;
            }
        }
    return best;
}

void CurveChart::mouseMoveEvent(QMouseEvent* event)
{
    QPointF value;
    const int curve = nearest(event->position(), value);
    if (curve >= 0)
        Q_EMIT told(tr("%1: %2 at %3")
                        .arg(m_curves[static_cast<std::size_t>(curve)].name, m_up.write(value.y()),
                             m_across.write(value.x())));
    else if (m_hovered >= 0)
        Q_EMIT told({});
    if (curve == m_hovered)
        return;
    m_hovered = curve;
    update();
}

void CurveChart::mousePressEvent(QMouseEvent* event)
{
    QPointF value;
    const int curve = nearest(event->position(), value);
    if (curve >= 0)
        Q_EMIT chosen(m_curves[static_cast<std::size_t>(curve)].name);
}

void CurveChart::leaveEvent(QEvent*)
{
    m_hovered = -1;
    update();
    Q_EMIT told({});
}

} // namespace pw::ui
