// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/improve/gap_bar.h"

#include "core/base/text.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/lane_painter.h"

#include <QPainter>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr double barHeight = 10;

} // namespace

GapBar::GapBar(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Bound, this order, and the order given"));
}

void GapBar::setTimes(Ticks bound, Ticks best, Ticks given)
{
    m_bound = bound;
    m_best = best;
    m_given = given;
    setAccessibleDescription(
        tr("bound %1, now %2, given %3")
            .arg(text(timeText(bound)), text(timeText(best)), text(timeText(given))));
    update();
}

QSize GapBar::sizeHint() const
{
    return {220, static_cast<int>(barHeight) + fontMetrics().height() + 6};
}

QSize GapBar::minimumSizeHint() const
{
    return {120, sizeHint().height()};
}

void GapBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QRectF bar(0, 1, width() - 1, barHeight);
    painter.fillRect(bar, color(Role::Lane));
    const double room = static_cast<double>(std::max(m_given, m_best) - m_bound);
    if (m_bound > 0 && room > 0) {
        const double reached =
            bar.left() + bar.width() * static_cast<double>(m_best - m_bound) / room;
        // Hatched: time that may be left to save; full: what was saved.
        painter.fillRect(QRectF(bar.left(), bar.top(), reached - bar.left(), barHeight),
                         hatchBrush());
        painter.fillRect(QRectF(reached, bar.top(), bar.right() - reached, barHeight),
                         color(Role::Good));
        painter.fillRect(QRectF(std::max(bar.left(), reached - 1), bar.top() - 1, 2, barHeight + 2),
                         color(Role::Text));
    }
    painter.setPen(color(Role::Line));
    painter.drawRect(bar);
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    painter.setPen(color(Role::Secondary));
    const QRectF words(0, bar.bottom() + 2, width(), height() - bar.bottom() - 2);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignTop,
                     m_bound > 0 ? tr("bound %1").arg(text(timeText(m_bound)))
                                 : tr("bound: not known yet"));
    painter.drawText(words, Qt::AlignRight | Qt::AlignTop,
                     tr("given %1").arg(text(timeText(m_given))));
}

} // namespace pw::ui
