// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/job/step_strip.h"

#include "ui/presentation.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/value_text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr double furthest = 1.5; ///< usual steps that the strip is high
constexpr double slow = 1.05;    ///< usual steps from which a bar has another colour

} // namespace

StepStrip::StepStrip(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Steps of the job"));
}

void StepStrip::setSteps(const std::vector<JobStep>& steps, Ticks usual)
{
    m_bars.clear();
    for (const JobStep& step : steps)
        m_bars.push_back({step.number, step.time, step.complete && !step.warmUp});
    m_usual = std::max<Ticks>(1, usual);
    update();
}

void StepStrip::setCurrent(std::size_t step)
{
    m_current = static_cast<int>(step);
    setAccessibleDescription(m_current < static_cast<int>(m_bars.size()) ? textOf(m_bars[step])
                                                                         : QString());
    update();
}

int StepStrip::stepAt(double x) const
{
    if (m_bars.empty() || x < 0 || x >= width())
        return -1;
    return static_cast<int>(x * static_cast<double>(m_bars.size()) / width());
}

QString StepStrip::textOf(const Bar& bar) const
{
    const QString length =
        tr("step %1: %2, %3 against the median")
            .arg(bar.number)
            .arg(durationText(static_cast<double>(bar.time)), offText(bar.time, m_usual));
    return bar.counts ? length : tr("%1; it does not count").arg(length);
}

void StepStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(Role::Lane));
    const double across = width() / std::max(1.0, static_cast<double>(m_bars.size()));
    constexpr double separate = 4; // pixels from which there is room between bars
    const double gap = across >= separate ? 1 : 0;
    const auto boxOf = [&](std::size_t i) {
        const double part =
            std::min(furthest, static_cast<double>(m_bars[i].time) / static_cast<double>(m_usual));
        const double high = part / furthest * (height() - 2);
        return QRectF(static_cast<double>(i) * across, height() - high, std::max(1.0, across - gap),
                      high);
    };
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        const Bar& bar = m_bars[i];
        const bool late =
            bar.counts && static_cast<double>(bar.time) > slow * static_cast<double>(m_usual);
        painter.fillRect(boxOf(i),
                         !bar.counts ? color(Role::Line)
                         : late      ? color(Role::Later)
                                     : mixedColor(color(Role::Lane), color(Role::Secondary), 0.55));
    }
    if (m_current >= 0 && m_current < static_cast<int>(m_bars.size())) {
        QRectF box = boxOf(static_cast<std::size_t>(m_current));
        constexpr double least = 3;
        if (box.width() < least)
            box.adjust((box.width() - least) / 2, 0, (least - box.width()) / 2, 0);
        painter.fillRect(box, color(Role::Accent));
        painter.setPen(color(Role::Accent));
        const double middle = std::clamp(box.center().x(), 0.5, width() - 0.5);
        painter.drawLine(QPointF(middle, 0), QPointF(middle, height()));
    }
    if (hasFocus()) {
        painter.setPen(color(Role::Accent));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void StepStrip::choose(int step)
{
    if (step >= 0 && step < static_cast<int>(m_bars.size()) && step != m_current)
        Q_EMIT chosen(step);
}

void StepStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        choose(stepAt(event->position().x()));
}

void StepStrip::mouseMoveEvent(QMouseEvent* event)
{
    const int step = stepAt(event->position().x());
    if ((event->buttons() & Qt::LeftButton) != 0)
        choose(step);
    Q_EMIT told(step < 0 ? QString() : textOf(m_bars[static_cast<std::size_t>(step)]));
}

void StepStrip::leaveEvent(QEvent* event)
{
    Q_EMIT told({});
    QWidget::leaveEvent(event);
}

void StepStrip::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(m_bars.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Left:
        choose(std::max(0, m_current - 1));
        break;
    case Qt::Key_Right:
        choose(std::min(last, m_current + 1));
        break;
    case Qt::Key_Home:
        choose(0);
        break;
    case Qt::Key_End:
        choose(last);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace pw::ui
