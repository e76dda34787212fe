// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/heat_legend.h"

#include "ui/presentation.h"
#include "ui/timeline/heat_painter.h"
#include "ui/timeline/value_text.h"

#include <QPainter>

namespace pw::ui {

namespace {

constexpr int legendBand = 120;
constexpr int space = 6;

} // namespace

HeatLegend::HeatLegend(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
}

void HeatLegend::setScale(Ticks most, const QString& less, const QString& more)
{
    m_left = shiftText(-most) + QLatin1Char(' ') + less;
    m_right = shiftText(most) + QLatin1Char(' ') + more;
    setAccessibleName(tr("Colours from %1 to %2").arg(m_left, m_right));
    updateGeometry();
    update();
}

QSize HeatLegend::sizeHint() const
{
    const QFontMetrics metrics = fontMetrics();
    return {metrics.horizontalAdvance(m_left) + metrics.horizontalAdvance(m_right) + legendBand +
                2 * space,
            std::max(24, metrics.height() + 8)};
}

void HeatLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const double left = fontMetrics().horizontalAdvance(m_left) + space;
    const double high = fontMetrics().height() * 0.7;
    const double top = (height() - high) / 2;
    for (int x = 0; x < legendBand; ++x)
        painter.fillRect(QRectF(left + x, top, 1, high), heatColor(2.0 * x / (legendBand - 1) - 1));
    painter.setPen(color(Role::Secondary));
    painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft, m_left);
    painter.drawText(QRectF(left + legendBand + space, 0, width(), height()),
                     Qt::AlignVCenter | Qt::AlignLeft, m_right);
}

} // namespace pw::ui
