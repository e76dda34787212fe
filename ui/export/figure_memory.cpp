// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/step_chart.h"
#include "ui/core_words.h"
#include "ui/export/figure_parts.h"

#include <QLocale>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace pw::ui {

namespace {

/// A step curve over the whole width, from the lower edge of a box; the last value holds to the
/// end.
template<typename Time, typename Value>
QPainterPath stepsOf(std::size_t count, Time time, Value value, const TimeScale& scale,
                     const QRectF& box, double most)
{
    const auto y = [&](double v) { return box.bottom() - v / most * box.height(); };
    QPainterPath path;
    path.moveTo(box.left(), y(count > 0 ? value(std::size_t{0}) : 0));
    double drawn = box.left();
    double least = path.currentPosition().y();
    double greatest = least;
    for (std::size_t i = 0; i < count; ++i) {
        const double x = std::clamp(scale.x(time(i)), box.left(), box.right());
        const double next = y(value(i));
        // What happens within a quarter of a pixel is one line from the least to the greatest.
        if (x - drawn < 0.25 && i + 1 < count) {
            least = std::min(least, next);
            greatest = std::max(greatest, next);
            continue;
        }
        if (greatest - least > 0.5) {
            path.lineTo(drawn, least);
            path.lineTo(drawn, greatest);
        }
        path.lineTo(x, path.currentPosition().y());
        path.lineTo(x, next);
        drawn = x;
        least = greatest = next;
    }
    path.lineTo(box.right(), path.currentPosition().y());
    return path;
}

} // namespace

/// The memory of one device over time: by kind where bytes are known, else in micro-batches.
class FigureDrawing::Parts::MemoryChart
{
public:
    MemoryChart(const Parts& parts, QPainter& painter)
        : m_parts(parts)
        , m_content(parts.content)
        , m_painter(painter)
        , m_bytes(!parts.content.memory.empty())
        , m_box(parts.left, parts.memoryTop + parts.line(), parts.right - parts.left, memoryHeight)
        , m_cap(static_cast<double>(parts.content.memoryCap.value_or(0)))
    {
        for (const MemoryPoint& point : m_content.memory)
            m_most = std::max(m_most, static_cast<double>(point.total()));
        for (const auto& [time, value] : m_content.microBatches)
            m_most = std::max(m_most, m_bytes ? 0.0 : value);
        m_peak = m_most;
        m_capShown = m_bytes && m_cap > 0 && m_cap < 3 * m_most;
        if (m_capShown)
            m_most = std::max(m_most, m_cap);
        m_most = m_most > 0 ? 1.1 * m_most : 1;
    }

    void paint()
    {
        paintHeading();
        if (!m_parts.paper())
            m_painter.fillRect(m_box, color(Role::Lane));
        if (m_bytes)
            paintKinds();
        else
            paintMicroBatches();
        paintScale();
        if (m_capShown)
            paintCap();
    }

private:
    void paintHeading()
    {
        const double from = m_parts.left;
        const double top = m_parts.memoryTop;
        const double wide = m_parts.right - from;
        m_painter.setPen(m_parts.textColor());
        m_painter.setFont(m_parts.bold);
        const QString heading =
            m_bytes ? FigureWords::tr("Memory") : FigureWords::tr("Activations");
        m_painter.drawText(QRectF(from, top, wide, m_parts.line()), Qt::AlignLeft, heading);
        m_painter.setFont(m_parts.font);
        m_painter.setPen(m_parts.quietColor());
        const double used = QFontMetricsF(m_parts.bold).horizontalAdvance(heading) + 8;
        const QString what =
            m_bytes ? FigureWords::tr("of %1, by kind").arg(m_content.memoryOf)
                    : FigureWords::tr("of %1, in micro-batches").arg(m_content.memoryOf);
        m_painter.drawText(QRectF(from + used, top, wide - used, m_parts.line()), Qt::AlignLeft,
                           what);
        m_headingEnd = from + used + m_parts.metrics.horizontalAdvance(what);
    }

    /// The kinds above each other, and their names from the right until the heading is reached.
    void paintKinds()
    {
        std::vector<double> sums(m_content.memory.size(), 0.0);
        QPainterPath below = ground();
        double legend = m_parts.right;
        for (int kind = 0; kind < memoryKindCount; ++kind) {
            bool any = false;
            for (std::size_t i = 0; i < sums.size(); ++i) {
                const Bytes own = m_content.memory[i].bytes[static_cast<std::size_t>(kind)];
                any = any || own > 0;
                sums[i] += static_cast<double>(own);
            }
            if (!any)
                continue;
            const QPainterPath curve = stepsOf(
                sums.size(), [&](std::size_t i) { return m_content.memory[i].time; },
                [&](std::size_t i) { return sums[i]; }, m_parts.scale, m_box, m_most);
            const QColor ink = color(static_cast<MemoryKind>(kind));
            fill(curve, below, ink);
            legend = nameKind(coreWords(pw::name(static_cast<MemoryKind>(kind))), ink, legend);
            below = curve;
        }
    }

    void paintMicroBatches()
    {
        const QPainterPath curve = stepsOf(
            m_content.microBatches.size(),
            [&](std::size_t i) { return m_content.microBatches[i].first; },
            [&](std::size_t i) { return m_content.microBatches[i].second; }, m_parts.scale, m_box,
            m_most);
        fill(curve, ground(), color(Role::ForwardTint));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(color(Role::Forward), 1.2));
        m_painter.drawPath(curve);
    }

    void paintScale()
    {
        m_painter.setPen(QPen(m_parts.quietColor(), 0.7));
        m_painter.drawLine(m_box.bottomLeft(), m_box.bottomRight());
        mark(0, QStringLiteral("0"));
        if (m_peak > 0)
            mark(m_peak, m_bytes ? bytesText(m_peak) : QLocale::c().toString(m_peak, 'g', 3));
    }

    void paintCap()
    {
        const double level = y(m_cap);
        m_painter.setPen(QPen(color(Role::Refusal), 1, Qt::DashLine));
        m_painter.drawLine(QPointF(m_box.left(), level), QPointF(m_box.right(), level));
        const QString label = FigureWords::tr("cap %1").arg(bytesText(m_cap));
        m_painter.drawText(
            QRectF(m_box.left(), level - m_parts.line(), m_box.width() - 4, m_parts.line()),
            Qt::AlignRight, label);
    }

    /// @return  where the next name to the left ends
    double nameKind(const QString& kind, const QColor& ink, double end)
    {
        const double line = m_parts.line();
        const double wide = m_parts.metrics.horizontalAdvance(kind);
        const double begin = end - (wide + line + 14);
        if (begin < m_headingEnd + 10)
            return begin;
        const double top = m_parts.memoryTop;
        m_painter.fillRect(QRectF(begin, top + line * 0.15, line * 0.7, line * 0.7), ink);
        m_painter.setPen(m_parts.quietColor());
        m_painter.drawText(QRectF(begin + line, top, wide + 2, line), Qt::AlignLeft, kind);
        return begin;
    }

    void mark(double value, const QString& label)
    {
        const double axis = m_parts.left;
        m_painter.drawLine(QPointF(axis - 3, y(value)), QPointF(axis, y(value)));
        m_painter.drawText(
            QRectF(pad, y(value) - m_parts.line() / 2, axis - pad - 6, m_parts.line()),
            Qt::AlignRight | Qt::AlignVCenter, label);
    }

    void fill(const QPainterPath& curve, const QPainterPath& below, const QColor& ink)
    {
        QPainterPath area = curve;
        area.connectPath(below.toReversed());
        area.closeSubpath();
        m_painter.fillPath(area, ink);
    }

    QPainterPath ground() const
    {
        QPainterPath path;
        path.moveTo(m_box.bottomLeft());
        path.lineTo(m_box.bottomRight());
        return path;
    }

    double y(double value) const { return m_box.bottom() - value / m_most * m_box.height(); }

    const Parts& m_parts;
    const FigureContent& m_content;
    QPainter& m_painter;
    bool m_bytes;
    QRectF m_box;
    double m_cap;
    bool m_capShown = false;
    double m_most = 0; ///< at the upper edge
    double m_peak = 0;
    double m_headingEnd = 0;
};

void FigureDrawing::Parts::paintMemory(QPainter& painter) const
{
    MemoryChart(*this, painter).paint();
}

} // namespace pw::ui
