// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/flat_button.h"

#include <QToolButton>

#include <algorithm>

namespace pw::ui {

QToolButton* flatButton(QWidget* parent, const QString& label, const QString& tip)
{
    auto* button = new QToolButton(parent);
    button->setText(label);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    const int side = std::max(26, button->fontMetrics().height() + 10);
    button->setMinimumSize(side, side);
    return button;
}

} // namespace pw::ui
