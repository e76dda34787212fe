// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/scatter_chart.h"

#include "ui/presentation.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pw::ui {

namespace {

constexpr double radius = 5;
constexpr double reach = 9; ///< pixels from a point within which it is meant

} // namespace

ScatterChart::ScatterChart(QWidget* parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Time against memory"));
    const auto plain = [](double value) { return QString::number(value, 'g', 4); };
    m_across.write = plain;
    m_up.write = plain;
}

void ScatterChart::setAxes(const PlotAxis& across, const PlotAxis& up)
{
    m_across = across;
    m_up = up;
    scale();
}

void ScatterChart::setPoints(std::vector<ScatterPoint> points)
{
    m_points = std::move(points);
    m_hovered = -1;
    m_current = std::min(m_current, count() - 1);
    scale();
}

void ScatterChart::setLimit(std::optional<double> limit, const QString& label)
{
    m_limit = limit;
    m_limitLabel = label;
    scale();
}

void ScatterChart::setUpFromZero(bool zero)
{
    m_fromZero = zero;
    scale();
}

void ScatterChart::setCurrent(int point)
{
    if (point == m_current)
        return;
    m_current = point;
    update();
}

void ScatterChart::setSentence(const QString& sentence)
{
    m_sentence = sentence;
    update();
}

void ScatterChart::scale()
{
    if (!m_points.empty()) {
        const auto byX = [](const ScatterPoint& a, const ScatterPoint& b) { return a.x < b.x; };
        const auto byY = [](const ScatterPoint& a, const ScatterPoint& b) { return a.y < b.y; };
        const auto [left, right] = std::minmax_element(m_points.begin(), m_points.end(), byX);
        const auto [low, high] = std::minmax_element(m_points.begin(), m_points.end(), byY);
        double top = high->y;
        // A limit far above everything would press all points to the ground.
        const double near = m_fromZero ? 0.6 * top : std::max(0.5 * (top - low->y), 0.05 * top);
        if (m_limit && *m_limit < top + near)
            top = std::max(top, *m_limit);
        double least = left->x;
        for (const ScatterPoint& one : m_points)
            if (one.high > one.low)
                least = std::min(least, one.low);
        m_across.span(least, right->x, false, std::max(3, width() / 130));
        m_up.span(m_fromZero ? 0 : low->y, top, m_fromZero, std::max(3, height() / 70));
    }
    update();
}

void ScatterChart::resizeEvent(QResizeEvent*)
{
    scale();
}

PlotArea ScatterChart::area() const
{
    return {m_box, &m_across, &m_up};
}

QPointF ScatterChart::placeOf(int point) const
{
    const ScatterPoint& one = m_points[static_cast<std::size_t>(point)];
    return area().point(one.x, one.y);
}

int ScatterChart::pointAt(QPointF place) const
{
    int best = -1;
    double least = reach;
    for (int i = 0; i < count(); ++i) {
        const QPointF off = placeOf(i) - place;
        const double distance = std::hypot(off.x(), off.y());
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

/// A name beside every point where there is room; points that lie on each other share one.
std::vector<ScatterChart::Label> ScatterChart::labels(const PlotArea& area,
                                                      const QFontMetricsF& metrics) const
{
    std::vector<Label> all;
    std::vector<bool> named(m_points.size(), false);
    const auto taken = [&](const QRectF& box) {
        if (!area.box.adjusted(0, -8, 8, 4).contains(box))
            return true;
        if (std::any_of(all.begin(), all.end(),
                        [&](const Label& label) { return label.box.intersects(box); }))
            return true;
        constexpr double near = radius + 1;
        return std::any_of(m_points.begin(), m_points.end(), [&](const ScatterPoint& one) {
            return box.adjusted(-near, -near, near, near).contains(area.point(one.x, one.y));
        });
    };
    const QPolygonF line = paretoLine(area);
    const auto struck = [&line](const QRectF& box) {
        for (qsizetype i = 1; i < line.size(); ++i)
            if (QRectF(line[i - 1], line[i]).normalized().adjusted(-1, -1, 1, 1).intersects(box))
                return true;
        return false;
    };
    // The best first, so that they have their names.
    std::vector<std::size_t> order(m_points.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
        return m_points[a].pareto > m_points[b].pareto;
    });
    for (const std::size_t i : order) {
        if (named[i])
            continue;
        const QPointF place = area.point(m_points[i].x, m_points[i].y);
        QStringList names;
        for (const std::size_t j : order) {
            const QPointF off = area.point(m_points[j].x, m_points[j].y) - place;
            if (named[j] || std::hypot(off.x(), off.y()) > 3)
                continue;
            named[j] = true;
            names << m_points[j].label;
        }
        names.removeDuplicates(); // variants of one that are as good
        constexpr int shown = 2;
        QString words = names.mid(0, shown).join(QStringLiteral(" · "));
        if (names.size() > shown)
            words += tr(" +%1").arg(names.size() - shown);
        const QSizeF size(metrics.horizontalAdvance(words) + 2, metrics.height());
        const double gap = radius + 4;
        // A place that the line runs through is better than none.
        std::optional<QRectF> found;
        for (const QPointF corner :
             {QPointF(gap, -size.height() / 2), QPointF(-gap - size.width(), -size.height() / 2),
              QPointF(-size.width() / 2, -gap - size.height()), QPointF(-size.width() / 2, gap)}) {
            const QRectF box(place + corner, size);
            if (taken(box) || (found && struck(box)))
                continue;
            found = box;
            if (!struck(box))
                break;
        }
        if (found)
            all.push_back({*found, words, i});
    }
    return all;
}

void ScatterChart::paintLimit(QPainter& painter, const PlotArea& area) const
{
    if (!m_limit || *m_limit > m_up.most)
        return;
    const double y = std::round(area.point(m_across.least, *m_limit).y()) + 0.5;
    painter.setPen(QPen(color(Role::Refusal), 1.2, Qt::DashLine));
    painter.drawLine(QPointF(area.box.left(), y), QPointF(area.box.right(), y));
    // Above the line, or below it where it is near the upper edge.
    const double line = QFontMetricsF(painter.font()).height();
    const double top = y - line - 2 >= area.box.top() ? y - line - 2 : y + 2;
    painter.drawText(QRectF(area.box.left(), top, area.box.width() - 6, line),
                     Qt::AlignRight | Qt::AlignVCenter, m_limitLabel);
}

/// Steps: what lies above and to the right of the line is beaten in both numbers.
QPolygonF ScatterChart::paretoLine(const PlotArea& area) const
{
    std::vector<QPointF> corners;
    for (const ScatterPoint& one : m_points)
        if (one.pareto)
            corners.push_back(area.point(one.x, one.y));
    if (corners.empty())
        return {};
    std::sort(corners.begin(), corners.end(),
              [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); });
    QPolygonF line;
    line << QPointF(corners.front().x(), area.box.top());
    for (const QPointF& corner : corners)
        line << QPointF(corner.x(), line.last().y()) << corner;
    line << QPointF(area.box.right(), line.last().y());
    return line;
}

void ScatterChart::paintPareto(QPainter& painter, const PlotArea& area) const
{
    const QPolygonF line = paretoLine(area);
    if (line.isEmpty())
        return;
    QColor ink = color(Role::Accent);
    ink.setAlphaF(0.55F);
    painter.setPen(QPen(ink, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
}

void ScatterChart::paintPoints(QPainter& painter, const PlotArea& area) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    const auto paintOne = [&](std::size_t i, double size) {
        const ScatterPoint& one = m_points[i];
        const QColor fill = one.muted    ? color(Role::Hatch)
                            : one.pareto ? color(Role::Accent)
                                         : mixedColor(color(Role::Accent), color(Role::Lane), 0.5);
        painter.setBrush(fill);
        painter.setPen(QPen(color(Role::Paper), 1));
        const QPointF place = area.point(one.x, one.y);
        if (one.square)
            painter.drawRect(QRectF(place.x() - size, place.y() - size, 2 * size, 2 * size));
        else
            painter.drawEllipse(place, size, size);
    };
    for (const ScatterPoint& one : m_points) {
        if (one.high <= one.low)
            continue;
        const double y = area.point(one.x, one.y).y();
        QColor band = color(one.muted ? Role::Hatch : Role::Accent);
        band.setAlphaF(0.35F);
        painter.setPen(QPen(band, 4, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(QPointF(std::max(area.box.left(), area.point(one.low, one.y).x()), y),
                         QPointF(area.point(one.high, one.y).x(), y));
    }
    for (std::size_t i = 0; i < m_points.size(); ++i)
        paintOne(i, radius);
    for (const int marked : {m_hovered, m_current}) {
        if (marked < 0)
            continue;
        paintOne(static_cast<std::size_t>(marked), radius + 1);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color(Role::Text), 1.4));
        painter.drawEllipse(placeOf(marked), radius + 3, radius + 3);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const Label& label : labels(area, QFontMetricsF(painter.font()))) {
        const bool muted = m_points[label.point].muted;
        painter.fillRect(label.box, color(Role::Lane)); // no line runs through letters
        painter.setPen(color(muted ? Role::Secondary : Role::Text));
        painter.drawText(label.box, Qt::AlignCenter | Qt::TextDontClip, label.words);
    }
}

void ScatterChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_points.empty()) {
        painter.fillRect(rect(), color(Role::Paper));
        painter.setPen(color(Role::Secondary));
        painter.drawText(QRectF(rect()).adjusted(40, 20, -40, -20),
                         Qt::AlignCenter | Qt::TextWordWrap, m_sentence);
        return;
    }
    const PlotArea area = paintAxes(painter, QRectF(rect()), m_across, m_up);
    m_box = area.box;
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    paintLimit(painter, area);
    paintPareto(painter, area);
    paintPoints(painter, area);
    if (hasFocus()) {
        painter.setPen(QPen(color(Role::Accent), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(area.box);
    }
}

void ScatterChart::mouseMoveEvent(QMouseEvent* event)
{
    const int point = pointAt(event->position());
    if (point == m_hovered)
        return;
    m_hovered = point;
    setCursor(point < 0 ? Qt::ArrowCursor : Qt::PointingHandCursor);
    update();
    Q_EMIT hovered(point);
}

void ScatterChart::leaveEvent(QEvent*)
{
    if (m_hovered < 0)
        return;
    m_hovered = -1;
    update();
    Q_EMIT hovered(-1);
}

void ScatterChart::mousePressEvent(QMouseEvent* event)
{
    const int point = pointAt(event->position());
    if (event->button() != Qt::LeftButton || point < 0)
        return;
    setCurrent(point);
    Q_EMIT chosen(point);
    Q_EMIT activated(point);
}

/// To the next point on the right or left.
void ScatterChart::goAlong(int step)
{
    if (m_points.empty())
        return;
    std::vector<int> order(m_points.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [this](int a, int b) {
        return m_points[static_cast<std::size_t>(a)].x < m_points[static_cast<std::size_t>(b)].x;
    });
    const auto here = std::find(order.begin(), order.end(), m_current);
    const auto last = static_cast<std::ptrdiff_t>(order.size()) - 1;
    const std::ptrdiff_t next =
        here == order.end() ? 0 : std::clamp(here - order.begin() + step, std::ptrdiff_t(0), last);
    setCurrent(order[static_cast<std::size_t>(next)]);
    Q_EMIT chosen(m_current);
}

void ScatterChart::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Right || event->key() == Qt::Key_Down)
        goAlong(1);
    else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Up)
        goAlong(-1);
    else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_current >= 0)
        Q_EMIT activated(m_current);
    else
        QWidget::keyPressEvent(event);
}

} // namespace pw::ui
