// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/lengths_chart.h"

#include "core/base/text.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/value_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pw::ui {

namespace {

constexpr double panelGap = 16;    // between the histograms
constexpr double panelLeast = 250; // narrower there are fewer side by side
constexpr double columnsHigh = 84;

std::int64_t allOf(const std::vector<std::int64_t>& counts)
{
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

double partOf(std::int64_t count, std::int64_t all)
{
    return all == 0 ? 0 : static_cast<double>(count) / static_cast<double>(all);
}

/// The highest column of both, as a part.
double highestPart(const PassHistogram& one)
{
    double most = 0;
    for (const auto* counts : {&one.before, &one.after})
        for (const std::int64_t count : *counts)
            most = std::max(most, partOf(count, allOf(*counts)));
    return most;
}

/// Where a time stands among bins that are drawn equally wide, in bins.
double placeOf(const PassHistogram& one, Ticks time)
{
    const auto behind = std::upper_bound(one.edges.begin(), one.edges.end(), time);
    const auto bin = std::clamp<std::ptrdiff_t>(behind - one.edges.begin() - 1, 0,
                                                static_cast<std::ptrdiff_t>(one.before.size()) - 1);
    const auto at = static_cast<std::size_t>(bin);
    const auto wide = static_cast<double>(one.edges[at + 1] - one.edges[at]);
    return static_cast<double>(bin) +
           std::clamp(static_cast<double>(time - one.edges[at]) / std::max(wide, 1.0), 0.0, 1.0);
}

QString medianText(Ticks median)
{
    return median < 0 ? LengthsChart::tr("none") : durationText(static_cast<double>(median));
}

/// "F: median 2 ms → 2.3 ms (+15 %)"
QString headingOf(const PassHistogram& one)
{
    QString words =
        LengthsChart::tr("%1: median %2 → %3")
            .arg(text(name(one.kind)), medianText(one.medianBefore), medianText(one.medianAfter));
    if (one.medianBefore > 0 && one.medianAfter > 0)
        words += QStringLiteral(" (%1)").arg(offText(one.medianAfter, one.medianBefore));
    return words;
}

} // namespace

LengthsChart::LengthsChart(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("How long passes take, by kind"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void LengthsChart::setHistograms(std::vector<PassHistogram> histograms, const QString& before,
                                 const QString& after)
{
    m_histograms = std::move(histograms);
    m_before = before;
    m_after = after;
    setAccessibleDescription(sentences().join(QStringLiteral("; ")));
    setMinimumHeight(heightForWidth(width()));
    updateGeometry();
    update();
}

QStringList LengthsChart::sentences() const
{
    QStringList all;
    for (const PassHistogram& one : m_histograms)
        all += headingOf(one);
    return all;
}

QFont LengthsChart::smallFont() const
{
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    return small;
}

double LengthsChart::line() const
{
    return QFontMetricsF(smallFont()).height() + 2;
}

int LengthsChart::across(int width) const
{
    const auto most = static_cast<int>((width - panelGap) / (panelLeast + panelGap));
    return std::clamp(most, 1, std::max(static_cast<int>(m_histograms.size()), 1));
}

int LengthsChart::heightForWidth(int width) const
{
    const int columns = across(width);
    const int rows = (static_cast<int>(m_histograms.size()) + columns - 1) / columns;
    return static_cast<int>(std::ceil(line() + rows * (2 * line() + columnsHigh + panelGap)));
}

QSize LengthsChart::sizeHint() const
{
    constexpr int wide = 900;
    return {wide, heightForWidth(wide)};
}

QSize LengthsChart::minimumSizeHint() const
{
    return {static_cast<int>(panelLeast), heightForWidth(std::max(width(), 1))};
}

void LengthsChart::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    setMinimumHeight(heightForWidth(width()));
}

LengthsChart::Panel LengthsChart::panelOf(std::size_t index) const
{
    const int columns = across(width());
    const double wide = (width() - panelGap * (columns + 1)) / columns;
    const int column = static_cast<int>(index) % columns, row = static_cast<int>(index) / columns;
    const double left = panelGap + column * (wide + panelGap);
    const double top = line() + row * (2 * line() + columnsHigh + panelGap) + panelGap / 2;
    Panel panel;
    panel.heading = QRectF(left, top, wide, line());
    panel.columns = QRectF(left, panel.heading.bottom(), wide, columnsHigh);
    panel.marks = QRectF(left, panel.columns.bottom(), wide, line());
    return panel;
}

/// Both are in neutral ink here: each histogram has a colour of its own.
void LengthsChart::paintLegend(QPainter& painter) const
{
    const QFontMetricsF metrics(painter.font());
    const double side = metrics.height() * 0.7;
    double left = panelGap;
    const double room = (width() - 2 * panelGap) / 2 - side - 24;
    for (const bool later : {false, true}) {
        const QRectF box(left, (line() - side) / 2 + 2, side, side);
        const QColor ink = color(Role::Secondary);
        painter.setPen(QPen(ink, 1));
        painter.setBrush(later ? QBrush(ink) : QBrush(ink, Qt::BDiagPattern));
        painter.drawRect(box);
        const QString words =
            metrics.elidedText(later ? m_after : m_before, Qt::ElideMiddle, std::max(room, 20.0));
        painter.setPen(color(Role::Text));
        const double wide = metrics.horizontalAdvance(words) + 2;
        painter.drawText(QRectF(box.right() + 6, 2, wide, line()), Qt::AlignVCenter, words);
        left = box.right() + 6 + wide + 24;
    }
}

void LengthsChart::paintColumns(QPainter& painter, const PassHistogram& one,
                                const QRectF& box) const
{
    const double most = std::max(highestPart(one), 1e-9);
    const double wide = box.width() / static_cast<double>(one.before.size());
    const QColor ink = color(roleOf(one.kind, false));
    const auto allBefore = allOf(one.before), allAfter = allOf(one.after);
    for (std::size_t bin = 0; bin < one.before.size(); ++bin) {
        const double left = box.left() + wide * static_cast<double>(bin);
        const double half = std::max((wide - 3) / 2, 1.0);
        for (const bool later : {false, true}) {
            const double part =
                later ? partOf(one.after[bin], allAfter) : partOf(one.before[bin], allBefore);
            if (part <= 0)
                continue;
            const double high = std::max(box.height() * part / most, 1.5);
            const QRectF column(left + (later ? half + 1 : 1), box.bottom() - high, half, high);
            painter.setPen(QPen(ink, 1));
            painter.setBrush(later ? QBrush(ink) : QBrush(ink, Qt::BDiagPattern));
            painter.drawRect(column.adjusted(0.5, 0.5, -0.5, 0));
        }
    }
}

void LengthsChart::paintMedian(QPainter& painter, const PassHistogram& one, const QRectF& box,
                               Ticks median, Qt::PenStyle style) const
{
    if (median < 0)
        return;
    const double x =
        box.left() + box.width() * placeOf(one, median) / static_cast<double>(one.before.size());
    painter.setPen(QPen(color(Role::Text), 1.5, style));
    painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()));
}

void LengthsChart::paintPanel(QPainter& painter, std::size_t index) const
{
    const PassHistogram& one = m_histograms[index];
    const Panel panel = panelOf(index);
    const QFontMetricsF metrics(painter.font());
    painter.fillRect(panel.columns, color(Role::Lane));
    const QRectF inner = panel.columns.adjusted(4, 6, -4, 0);
    paintColumns(painter, one, inner);
    paintMedian(painter, one, inner, one.medianBefore, Qt::DashLine);
    paintMedian(painter, one, inner, one.medianAfter, Qt::SolidLine);
    painter.setPen(QPen(color(Role::Line), 1));
    painter.drawLine(panel.columns.bottomLeft(), panel.columns.bottomRight());
    painter.setPen(color(Role::Text));
    painter.drawText(panel.heading, Qt::AlignVCenter,
                     metrics.elidedText(headingOf(one), Qt::ElideRight, panel.heading.width()));
    painter.setPen(color(Role::Secondary));
    painter.drawText(panel.marks, Qt::AlignVCenter | Qt::AlignLeft,
                     durationText(static_cast<double>(one.edges.front())));
    painter.drawText(panel.marks, Qt::AlignVCenter | Qt::AlignRight,
                     durationText(static_cast<double>(one.edges.back())));
    // Where few are far longer the last bin is wider than the others.
    const std::size_t last = one.before.size() - 1;
    const bool far =
        last > 0 && one.edges[last + 1] - one.edges[last] > 2 * (one.edges[1] - one.edges[0]);
    const QString highest = tr("up to %1").arg(percentText(highestPart(one)));
    const double room = panel.marks.width() / 2;
    const QString middle =
        far ? tr("last column from %1").arg(durationText(static_cast<double>(one.edges[last])))
            : highest;
    if (metrics.horizontalAdvance(middle) < room)
        painter.drawText(panel.marks, Qt::AlignCenter, middle);
}

void LengthsChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), color(Role::Paper));
    if (m_histograms.empty())
        return;
    painter.setFont(smallFont());
    paintLegend(painter);
    for (std::size_t i = 0; i < m_histograms.size(); ++i)
        paintPanel(painter, i);
}

QString LengthsChart::binAt(QPointF point) const
{
    for (std::size_t i = 0; i < m_histograms.size(); ++i) {
        const PassHistogram& one = m_histograms[i];
        const QRectF box = panelOf(i).columns.adjusted(4, 0, -4, 0);
        if (!box.contains(point))
            continue;
        const auto bins = static_cast<double>(one.before.size());
        const auto bin =
            std::min(static_cast<std::size_t>(bins * (point.x() - box.left()) / box.width()),
                     one.before.size() - 1);
        const auto words = [bin](const std::vector<std::int64_t>& counts) {
            const std::int64_t all = allOf(counts);
            return tr("%1 of %2 (%3)")
                .arg(text(groupedNumber(counts[bin])), text(groupedNumber(all)),
                     percentText(partOf(counts[bin], all)));
        };
        return tr("%1 of %2\n%3: %4\n%5: %6")
            .arg(text(name(one.kind)),
                 spanText(static_cast<double>(one.edges[bin]),
                          static_cast<double>(one.edges[bin + 1])),
                 m_before, words(one.before), m_after, words(one.after));
    }
    return {};
}

bool LengthsChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString words = binAt(help->pos());
    if (words.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), words, this);
    return true;
}

} // namespace pw::ui
