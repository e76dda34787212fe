// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/wheel_turn.h"

#include <QWheelEvent>

#include <cmath>

namespace pw::ui {

WheelTurn turnOf(const QWheelEvent& event, bool rows)
{
    const QPointF notches = QPointF(event.angleDelta()) / 120.0;
    if (event.modifiers().testFlag(Qt::ShiftModifier) ||
        std::abs(notches.x()) > std::abs(notches.y()))
        return {WheelTurn::What::Pan, -0.1 * (notches.x() != 0 ? notches.x() : notches.y())};
    if (event.modifiers().testFlag(Qt::ControlModifier) || !rows)
        return {WheelTurn::What::Zoom, std::pow(0.8, notches.y())};
    return {WheelTurn::What::Rows, notches.y()};
}

} // namespace pw::ui
