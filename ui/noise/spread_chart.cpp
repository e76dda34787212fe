// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/noise/spread_chart.h"

#include "ui/charts/plot_axis.h"
#include "ui/presentation.h"
#include "ui/timeline/time_scale.h"

#include <QPainter>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr std::size_t spreadColumns = 60;

} // namespace

SpreadChart::SpreadChart(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Spread of the makespan"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void SpreadChart::setSamples(const NoiseSamples* samples)
{
    m_columns.clear();
    if (samples != nullptr && !samples->makespans.empty()) {
        m_nominal = static_cast<double>(samples->nominal);
        m_low = samples->quantile(0.05);
        m_middle = samples->quantile(0.5);
        m_high = samples->quantile(0.95);
        // The last thousandth would leave the others no room.
        m_least = std::min(samples->quantile(0.001), m_nominal);
        m_most = std::max(samples->quantile(0.999), m_nominal);
        m_most = std::max(m_most, m_least + 1);
        m_columns.assign(spreadColumns, 0);
        for (const double makespan : samples->makespans) {
            const double part = (makespan - m_least) / (m_most - m_least);
            if (part < 0 || part > 1)
                continue;
            const auto column = static_cast<std::size_t>(part * spreadColumns);
            ++m_columns[std::min(column, spreadColumns - 1)];
        }
        setAccessibleDescription(
            tr("median %1, nine of ten between %2 and %3")
                .arg(durationText(m_middle), durationText(m_low), durationText(m_high)));
    }
    update();
}

void SpreadChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(Role::Paper));
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    const QFontMetricsF metrics(small);
    const QRectF box(8, metrics.height() + 6, width() - 16, height() - 2 * metrics.height() - 12);
    painter.fillRect(box, color(Role::Lane));
    if (m_columns.empty() || box.height() < 8)
        return;
    const auto x = [&](double time) {
        return box.left() + box.width() * (time - m_least) / (m_most - m_least);
    };
    const int most = *std::max_element(m_columns.begin(), m_columns.end());
    const double wide = box.width() / static_cast<double>(m_columns.size());
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const double left = box.left() + wide * static_cast<double>(i);
        const double middle =
            m_least + (m_most - m_least) * (static_cast<double>(i) + 0.5) / spreadColumns;
        const double high = box.height() * m_columns[i] / std::max(most, 1);
        painter.fillRect(
            QRectF(left, box.bottom() - high, std::max(1.0, wide - 1), high),
            color(middle < m_low || middle > m_high ? Role::ForwardTint : Role::Forward));
    }
    const auto line = [&](double time, const QColor& ink, Qt::PenStyle style) {
        painter.setPen(QPen(ink, 1.5, style));
        painter.drawLine(QPointF(x(time), box.top() - 2), QPointF(x(time), box.bottom()));
    };
    line(m_nominal, color(Role::Secondary), Qt::DashLine);
    line(m_middle, color(Role::Text), Qt::SolidLine);
    // Names above, where they do not lie over each other; times of the ends below.
    const auto write = [&](double time, double y, const QString& words, const QColor& ink) {
        const double half = metrics.horizontalAdvance(words) / 2 + 2;
        const double at = std::clamp(x(time), box.left() + half, box.right() - half);
        painter.setPen(ink);
        painter.drawText(QRectF(at - half, y, 2 * half, metrics.height()), Qt::AlignCenter, words);
        return QRectF(at - half, y, 2 * half, metrics.height());
    };
    const QRectF named =
        write(m_middle, 2, tr("median %1").arg(durationText(m_middle)), color(Role::Text));
    const QString still = tr("without noise");
    const double room = metrics.horizontalAdvance(still) + 4;
    if (x(m_nominal) + room / 2 < named.left() || named.left() - box.left() > room)
        write(std::min(m_nominal, m_least + (m_most - m_least) *
                                                (named.left() - room / 2 - box.left()) /
                                                box.width()),
              2, still, color(Role::Secondary));
    const double below = box.bottom() + 3;
    const QRectF low =
        write(m_low, below, tr("5 %: %1").arg(durationText(m_low)), color(Role::Secondary));
    const QString last = tr("95 %: %1").arg(durationText(m_high));
    if (low.right() + 8 < std::min(x(m_high), box.right() - metrics.horizontalAdvance(last) / 2) -
                              metrics.horizontalAdvance(last) / 2)
        write(m_high, below, last, color(Role::Secondary));
}

} // namespace pw::ui
