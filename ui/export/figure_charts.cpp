// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/step_chart.h"
#include "ui/core_words.h"
#include "ui/document/schedule_document.h"
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

void FigureDrawing::Parts::paintMemory(QPainter& painter) const
{
    const bool bytes = !content.memory.empty();
    const QRectF box(left, memoryTop + line(), right - left, memoryHeight);
    painter.setPen(textColor());
    painter.setFont(bold);
    const QString heading = bytes ? FigureWords::tr("Memory") : FigureWords::tr("Activations");
    painter.drawText(QRectF(left, memoryTop, right - left, line()), Qt::AlignLeft, heading);
    painter.setFont(font);
    painter.setPen(quietColor());
    const double headingWidth = QFontMetricsF(bold).horizontalAdvance(heading) + 8;
    const QString what = bytes ? FigureWords::tr("of %1, by kind").arg(content.memoryOf)
                               : FigureWords::tr("of %1, in micro-batches").arg(content.memoryOf);
    painter.drawText(QRectF(left + headingWidth, memoryTop, right - left - headingWidth, line()),
                     Qt::AlignLeft, what);
    if (!paper())
        painter.fillRect(box, color(Role::Lane));

    double most = 0;
    for (const MemoryPoint& point : content.memory)
        most = std::max(most, static_cast<double>(point.total()));
    for (const auto& [time, value] : content.microBatches)
        most = std::max(most, bytes ? 0.0 : value);
    const double peak = most;
    const double cap = static_cast<double>(content.memoryCap.value_or(0));
    const bool capShown = bytes && cap > 0 && cap < 3 * most;
    if (capShown)
        most = std::max(most, cap);
    most = most > 0 ? 1.1 * most : 1;

    const auto fill = [&](const QPainterPath& curve, const QPainterPath& below, const QColor& ink) {
        QPainterPath area = curve;
        area.connectPath(below.toReversed());
        area.closeSubpath();
        painter.fillPath(area, ink);
    };
    QPainterPath below;
    below.moveTo(box.bottomLeft());
    below.lineTo(box.bottomRight());
    double legendX = right;
    const auto name = [&](const QString& kind, const QColor& ink) {
        const double wide = metrics.horizontalAdvance(kind);
        legendX -= wide + line() + 14;
        if (legendX < left + headingWidth + metrics.horizontalAdvance(what) + 10)
            return;
        painter.fillRect(QRectF(legendX, memoryTop + line() * 0.15, line() * 0.7, line() * 0.7),
                         ink);
        painter.setPen(quietColor());
        painter.drawText(QRectF(legendX + line(), memoryTop, wide + 2, line()), Qt::AlignLeft,
                         kind);
    };
    if (bytes) {
        std::vector<double> sums(content.memory.size(), 0.0);
        for (int kind = 0; kind < memoryKindCount; ++kind) {
            bool any = false;
            for (std::size_t i = 0; i < sums.size(); ++i) {
                const Bytes own = content.memory[i].bytes[static_cast<std::size_t>(kind)];
                any = any || own > 0;
                sums[i] += static_cast<double>(own);
            }
            if (!any)
                continue;
            const QPainterPath curve = stepsOf(
                sums.size(), [&](std::size_t i) { return content.memory[i].time; },
                [&](std::size_t i) { return sums[i]; }, scale, box, most);
            const QColor ink = color(static_cast<MemoryKind>(kind));
            fill(curve, below, ink);
            name(coreWords(pw::name(static_cast<MemoryKind>(kind))), ink);
            below = curve;
        }
    } else {
        const QPainterPath curve = stepsOf(
            content.microBatches.size(),
            [&](std::size_t i) { return content.microBatches[i].first; },
            [&](std::size_t i) { return content.microBatches[i].second; }, scale, box, most);
        fill(curve, below, color(Role::ForwardTint));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color(Role::Forward), 1.2));
        painter.drawPath(curve);
    }
    painter.setPen(QPen(quietColor(), 0.7));
    painter.drawLine(box.bottomLeft(), box.bottomRight());
    const auto mark = [&](double value, const QString& label) {
        const double y = box.bottom() - value / most * box.height();
        painter.drawLine(QPointF(left - 3, y), QPointF(left, y));
        painter.drawText(QRectF(pad, y - line() / 2, left - pad - 6, line()),
                         Qt::AlignRight | Qt::AlignVCenter, label);
    };
    const auto valueText = [bytes](double value) {
        return bytes ? bytesText(value) : QLocale::c().toString(value, 'g', 3);
    };
    mark(0, QStringLiteral("0"));
    if (peak > 0)
        mark(peak, valueText(peak));
    if (capShown) {
        const double y = box.bottom() - cap / most * box.height();
        painter.setPen(QPen(color(Role::Refusal), 1, Qt::DashLine));
        painter.drawLine(QPointF(left, y), QPointF(right, y));
        const QString label = FigureWords::tr("cap %1").arg(bytesText(cap));
        painter.drawText(QRectF(left, y - line(), right - left - 4, line()), Qt::AlignRight, label);
    }
}

void FigureDrawing::Parts::paintBubbles(QPainter& painter) const
{
    painter.setPen(textColor());
    painter.setFont(bold);
    const QString heading = FigureWords::tr("Bubble");
    painter.drawText(QRectF(left, bubblesTop, right - left, line()), Qt::AlignLeft, heading);
    painter.setFont(font);
    painter.setPen(quietColor());
    const double headingWidth = QFontMetricsF(bold).horizontalAdvance(heading) + 8;
    painter.drawText(QRectF(left + headingWidth, bubblesTop, right - left - headingWidth, line()),
                     Qt::AlignLeft,
                     FigureWords::tr("idle part of the makespan (wall) and of the "
                                     "device's own span"));
    const bool named = bubbleRow >= line();
    const double words = named ? metrics.horizontalAdvance(ratesText({{}, 0.888, 0.888})) + 22 : 0;
    const double room = std::max(20.0, right - left - words);
    const double top = bubblesTop + line() + 2;
    const double bottom = top + static_cast<double>(content.bubbles.size()) * bubbleRow;
    // The axis goes to 100 %, so that bars of two figures can be held against each other.
    for (const int mark : {0, 25, 50, 75, 100}) {
        const double x = left + room * mark / 100;
        painter.setPen(QPen(paper() ? QColor(0xb0, 0xb0, 0xb0) : color(Role::Line), 0.7));
        painter.drawLine(QPointF(x, top), QPointF(x, bottom + 3));
        painter.setPen(quietColor());
        painter.drawText(QRectF(x - 30, bottom + 3, 60, line()), Qt::AlignCenter,
                         mark == 0 ? QStringLiteral("0") : QStringLiteral("%1 %").arg(mark));
    }
    for (std::size_t i = 0; i < content.bubbles.size(); ++i) {
        const BubbleRow& row = content.bubbles[i];
        const double y = top + static_cast<double>(i) * bubbleRow;
        const QRectF bar(left, y + 0.2 * bubbleRow, room, 0.6 * bubbleRow);
        painter.fillRect(QRectF(bar.topLeft(), QSizeF(room * row.wall, bar.height())),
                         color(Role::Secondary));
        if (!named)
            continue;
        painter.setPen(textColor());
        painter.drawText(QRectF(pad, y, left - pad - 8, bubbleRow),
                         Qt::AlignRight | Qt::AlignVCenter, row.device);
        painter.drawText(QRectF(right - words, y, words, bubbleRow),
                         Qt::AlignRight | Qt::AlignVCenter, ratesText(row));
    }
}

void FigureDrawing::Parts::paintLegend(QPainter& painter) const
{
    double ignored = 0;
    QRectF note;
    const double swatch = line() * 0.9;
    painter.setFont(font);
    for (const auto& [box, kind] : legendBoxes(&ignored, &note)) {
        double x = box.left();
        for (const int tint : key.tints(kind)) {
            const QRectF patch(x, box.top() + 0.05 * line(), swatch, swatch);
            const QColor ink = spanColor(ColorBy::Kind, kind, tint, 0);
            painter.fillRect(patch, ink);
            QRectF pattern = patch;
            if (kind == PassKind::BW) {
                QRectF stripe = patch;
                stripe.setTop(patch.bottom() - swatch * 0.25);
                painter.fillRect(stripe, spanColor(ColorBy::Kind, PassKind::W, tint, 0));
                pattern.setBottom(stripe.top());
            }
            if (paper())
                paintPattern(painter, pattern, kind, ink);
            x += swatch + 2;
        }
        painter.setPen(textColor());
        painter.drawText(QRectF(x + 3, box.top(), box.right() - x, line()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         text(name(kind)) + QLatin1Char(' ') + meaningOf(kind));
    }
    painter.setPen(quietColor());
    painter.drawText(note, Qt::AlignLeft | Qt::AlignVCenter,
                     key.anyTint() ? tintNote() : QString());
}

} // namespace pw::ui
