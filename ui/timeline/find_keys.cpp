// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/find_keys.h"

#include <QKeyEvent>

namespace pw::ui {

FindKey findKeyOf(const QKeyEvent& event)
{
    switch (event.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return event.modifiers().testFlag(Qt::ShiftModifier) ? FindKey::Previous : FindKey::Next;
    case Qt::Key_Down:
        return FindKey::Next;
    case Qt::Key_Up:
        return FindKey::Previous;
    case Qt::Key_Escape:
        return FindKey::Leave;
    default:
        return FindKey::None;
    }
}

} // namespace pw::ui
