// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/house_style.h"

#include "ui/presentation.h"

#include <QPainter>
#include <QStyleOption>

#include <algorithm>

namespace pw::ui {

namespace {

/// The largest square in the middle of a rectangle, on whole pixels' middles.
QRectF squareIn(const QRect& room)
{
    const int side = std::min(room.width(), room.height());
    QRectF box(0, 0, side - 1, side - 1);
    box.moveCenter(QRectF(room).center());
    box.moveTopLeft(QPointF(static_cast<int>(box.left()) + 0.5, static_cast<int>(box.top()) + 0.5));
    return box;
}

void paintTick(QPainter& painter, const QRectF& box)
{
    const auto at = [&box](double x, double y) {
        return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
    };
    painter.drawPolyline(QPolygonF({at(0.22, 0.52), at(0.42, 0.72), at(0.78, 0.28)}));
}

} // namespace

HouseStyle::HouseStyle()
    : QProxyStyle(QStringLiteral("Fusion"))
{
}

void HouseStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                               QPainter* painter, const QWidget* widget) const
{
    const bool radio = element == PE_IndicatorRadioButton;
    if (!radio && element != PE_IndicatorCheckBox && element != PE_IndicatorItemViewItemCheck) {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        return;
    }
    const bool on = (option->state & State_On) != 0;
    const bool partly = (option->state & State_NoChange) != 0;
    const bool enabled = (option->state & State_Enabled) != 0;
    const bool near = enabled && (option->state & (State_MouseOver | State_HasFocus)) != 0;
    const QRectF box = squareIn(option->rect);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (!enabled)
        painter->setOpacity(0.5);
    painter->setPen(QPen(color(on || partly || near ? Role::Accent : Role::Secondary), 1));
    painter->setBrush(color(on || partly ? Role::Accent : Role::Paper));
    if (radio)
        painter->drawEllipse(box);
    else
        painter->drawRoundedRect(box, 2.5, 2.5);
    const QColor ink = color(Role::Paper);
    if (on && radio) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(ink);
        painter->drawEllipse(box.center(), box.width() * 0.22, box.width() * 0.22);
    } else if (on) {
        painter->setPen(QPen(ink, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->setBrush(Qt::NoBrush);
        paintTick(*painter, box);
    } else if (partly) {
        painter->setPen(QPen(ink, 2));
        painter->drawLine(QPointF(box.left() + 3, box.center().y()),
                          QPointF(box.right() - 3, box.center().y()));
    }
    painter->restore();
}

} // namespace pw::ui
