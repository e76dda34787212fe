// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/one_line.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

#include <utility>

namespace pw::ui {

QString OneLine::shown() const
{
    return fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
}

/// Of a widget whose size is fixed Qt lays out nothing when its text changes.
void OneLine::setFixed(bool fixed)
{
    setMinimumSize(fixed ? size() : QSize(0, 0));
    setMaximumSize(fixed ? size() : QSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX));
}

void OneLine::setText(const QString& text)
{
    m_inPlace = false;
    setFixed(false);
    QLabel::setText(text);
}

void OneLine::setTextInPlace(const QString& text)
{
    setFixed(std::exchange(m_inPlace, true) &&
             fontMetrics().horizontalAdvance(text) <= contentsRect().width());
    QLabel::setText(text);
}

bool OneLine::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || shown() == text())
        return QLabel::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
    return true;
}

void OneLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()), palette(),
                          isEnabled(), shown(), foregroundRole());
}

} // namespace pw::ui
