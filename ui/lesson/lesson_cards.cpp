// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/lesson_cards.h"

#include "ui/presentation.h"

#include <QPainter>

#include <algorithm>

namespace pw::ui {

LessonCard::LessonCard(QWidget* parent, Role line)
    : QWidget(parent)
    , m_line(line)
{
}

void LessonCard::setLine(Role line)
{
    m_line = line;
    update();
}

void LessonCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(m_line), 1));
    painter.setBrush(color(Role::Panel));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

LessonSteps::LessonSteps(int steps, int now, QWidget* parent)
    : QWidget(parent)
    , m_steps(std::max(1, steps))
    , m_now(now)
{
    setAccessibleName(tr("Step %1 of %2").arg(now + 1).arg(m_steps));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize LessonSteps::sizeHint() const
{
    return {100, 4};
}

void LessonSteps::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const double gap = 5;
    const double wide = (width() - gap * (m_steps - 1)) / m_steps;
    for (int step = 0; step < m_steps; ++step) {
        painter.setBrush(step == m_now  ? color(Role::Accent)
                         : step < m_now ? mixedColor(color(Role::Accent), color(Role::Panel), 0.45)
                                        : color(Role::Line));
        painter.drawRoundedRect(QRectF(step * (wide + gap), 0, wide, height()), 2, 2);
    }
}

} // namespace pw::ui
