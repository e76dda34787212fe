// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/bubble_chart.h"

#include "ui/presentation.h"
#include "ui/timeline/timeline_view.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>

namespace pw::ui {

namespace {

QString percent(double rate)
{
    return QLocale::c().toString(100 * rate, 'f', 1) + QStringLiteral(" %");
}

} // namespace

BubbleChart::BubbleChart(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Bubble"));
    setMinimumHeight(60);
}

void BubbleChart::setRows(std::vector<BubbleRow> rows)
{
    const bool resized = rows.size() != m_rows.size();
    m_rows = std::move(rows);
    if (resized)
        updateGeometry();
    update();
}

void BubbleChart::setTrial(std::vector<BubbleRow> rows)
{
    m_trial = std::move(rows);
    update();
}

QSize BubbleChart::sizeHint() const
{
    return {900, 12 + 20 * static_cast<int>(std::clamp<std::size_t>(m_rows.size(), 3, 6))};
}

double BubbleChart::rowHeight() const
{
    return std::min(20.0, (height() - 10.0) /
                              static_cast<double>(std::max<std::size_t>(1, m_rows.size())));
}

void BubbleChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(Role::Paper));
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    bold.setPixelSize(12);
    painter.setFont(bold);
    painter.setPen(color(Role::Text));
    painter.drawText(QRectF(14, 4, 100, 16), Qt::AlignLeft, tr("Bubble"));
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    painter.setPen(color(Role::Secondary));
    painter.drawText(QRectF(14, 21, 100, 16), Qt::AlignLeft, tr("idle ÷ time"));

    const QRectF area(TimelineView::margin, 2, width() - TimelineView::margin, height() - 4);
    painter.fillRect(area, color(Role::Lane));
    const double high = rowHeight();
    const bool named = high >= 11;
    // Bars of all devices share one scale, with room for the worst.
    double most = 0.25;
    for (const auto* rows : {&m_rows, &m_trial})
        for (const BubbleRow& row : *rows)
            most = std::max(most, row.wall);
    const double left = area.left() + 72;
    const double room = area.width() - 72 - (named ? 190 : 8);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const BubbleRow& row = m_rows[i];
        const double y = area.top() + 3 + static_cast<double>(i) * high;
        const double bar = std::max(1.0, high - 6);
        painter.fillRect(QRectF(left, y + (high - bar) / 2, room, bar),
                         color(Role::Line).lighter(ground() == Ground::Light ? 108 : 90));
        painter.fillRect(QRectF(left, y + (high - bar) / 2, room * row.wall / most, bar),
                         color(Role::Secondary));
        if (i < m_trial.size())
            painter.fillRect(
                QRectF(left, y + high / 2 + bar / 2 - 3, room * m_trial[i].wall / most, 3),
                color(Role::Accent));
        if (!named)
            continue;
        painter.setPen(color(Role::Secondary));
        painter.drawText(QRectF(area.left() + 8, y, 64, high), Qt::AlignVCenter, row.device);
        painter.setPen(color(Role::Text));
        painter.drawText(QRectF(left + room + 12, y, 180, high), Qt::AlignVCenter,
                         tr("wall %1   span %2").arg(percent(row.wall), percent(row.span)));
    }
}

} // namespace pw::ui
